import type { BodyView } from '../../exchange/to-evidence.ts';
import { mayBeOthers } from '../../monitor/findings.ts';
import type { Fact } from '../../report/facts.ts';
import type { ReadyTarget } from './prepare-target.ts';

export type Monitored = Extract<Fact, { kind: 'in-exchanges' }> & { readonly bodyView: BodyView | undefined };

export function monitoredIn({ watched, environment }: ReadyTarget, disturbed: boolean): Monitored {
  const { monitor } = watched;
  monitor.end();
  const findings = monitor.findings.map((finding) => ({
    ...finding,
    uncertain: finding.uncertain || (disturbed && mayBeOthers(finding)),
  }));
  return { kind: 'in-exchanges', examples: monitor.examples, findings, bodyView: environment.bodyView };
}
