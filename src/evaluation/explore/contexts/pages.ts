import { type ContextFlow, type ContextRow, OTHER_GRANT } from './flow.ts';

/** Returns the flow after other decisions of the owner. */
export function consentRows({ target: { isLive }, flow }: ContextFlow): readonly ContextRow[] {
  return [
    {
      name: 'after a denial',
      if: !isLive,
      steps: flow({ before: [{ do: 'authorize wrongly', how: 'deny', application: 0 }] }),
    },
    {
      name: 'after leaving the consent page',
      if: !isLive,
      steps: [{ do: 'forget consent' }, ...flow({ at: { visit: 'after leaving the page' } })],
    },
  ];
}

/** Returns the flow in another browser, and after consent to another application. */
export function browserRows({ target, flow }: ContextFlow): readonly ContextRow[] {
  const { isLive, application, secondApplication } = target;
  const withQuery = application.redirectUris.findIndex((address) => address.includes('?'));
  return [
    {
      name: 'in another browser',
      // A sign-in page may lose the query of an address.
      steps: flow({ at: { address: Math.max(0, withQuery), visit: 'in another browser' } }),
    },
    {
      name: 'after consent to the other application',
      if: !isLive && secondApplication !== undefined,
      steps: flow({ before: [{ do: 'forget consent' }, ...OTHER_GRANT] }),
    },
  ];
}
