import { randomBytes } from 'node:crypto';
import type { ConfigurationFile } from '../../generated/schemas.d.ts';

/** The id of this process's run, which replaces `{run}` in headers: `20270131T141500-1f2e3d`. */
const RUN_ID = `${new Date().toISOString().replace(/[-:]|\.\d+Z$/g, '')}-${randomBytes(3).toString('hex')}`;

/** Replaces `{run}` in the texts of headers for all requests. Values from variables stay as they are. */
export function withRunId(written: ConfigurationFile): {
  readonly named: ConfigurationFile;
  readonly runId?: string;
} {
  const { assign, unassign, ...headers } = written.requests ?? {};
  const text = JSON.stringify(headers);
  if (!text.includes('{run}')) return { named: written };
  const requests = { assign, unassign, ...JSON.parse(text.replaceAll('{run}', RUN_ID)) };
  return { named: { ...written, requests }, runId: RUN_ID };
}
