import type { Configuration } from '../../config/configuration.ts';
import { SMOKE_REQUESTS } from '../../flow/smoke-run.ts';
import { liveAbilities } from '../../targets/live-abilities.ts';
import { LIVE_REQUESTS } from '../explore-plan.ts';
import { forecast } from '../forecast.ts';

export function changesOfARun(configuration: Configuration): readonly string[] {
  const requests = forecast(configuration);
  const { users, projects, pacing, budget } = configuration;
  const { abilities, missing } = liveAbilities(configuration);
  const minutes = Math.max(1, Math.ceil((requests + LIVE_REQUESTS) / pacing.requestsPerSecond / 60));
  return [
    `assign and unassign ${count(users, 'user')} ${users.join(', ')} in ${count(projects, 'project')} ${projects.join(', ')}, and no other user; afterwards they are unassigned again`,
    `sign in as the owner once (at most ${budget.signIns} times), and grant the application what it asks for`,
    'leave behind a grant and the tokens of some hundred codes, because the service has no way to revoke them',
    'provoke refusals: wrong secrets, used codes, unknown projects and users, missing and altered tokens',
    ...(abilities.has('destructive-ids') ? ['send PUT and DELETE with odd ids (`destructive-ids`)'] : []),
    ...(abilities.has('create-application')
      ? ['create applications in the account area and leave them there (`create-application`)']
      : []),
    ...(configuration.clock === undefined ? [] : ['move the clock of the target forward (`clock`)']),
    `send about ${requests} requests, and ${LIVE_REQUESTS} to explore unless \`--explore\` says otherwise (at most ${budget.requests}), at ${pacing.requestsPerSecond} a second: about ${minutes} min; with \`--smoke\` at most ${SMOKE_REQUESTS}`,
    ...[...missing].map(([ability, why]) => `not check what needs ${ability}: ${why}`),
  ];
}

function count(of: readonly string[], what: string): string {
  return of.length === 1 ? `the ${what}` : `the ${of.length} ${what}s`;
}
