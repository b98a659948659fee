import { codesIn } from '../../flow/conversation.ts';
import type { Probe, ProbeContext } from '../probe-context.ts';
import { NotObservable } from '../seen-so-far.ts';

export const idForms: Probe = {
  openPoint: 'id-forms',
  aspects: ['id-forms.project', 'id-forms.user'],
  requests: 0,
  async run(context) {
    const form = (ids: readonly string[]) =>
      ids.every((id) => /^[1-9]\d*$/.test(id)) ? 'numeric' : 'opaque';
    context.see('id-forms.project', form(context.target.projects));
    context.see('id-forms.user', form(context.target.users));
  },
};

/** Open point 19: a loopback redirect address on another port (RFC 8252 section 7.3). */
export const loopbackPorts: Probe = {
  openPoint: 'loopback-ports',
  aspects: ['loopback-ports.other-port'],
  requests: 3,
  async run(context) {
    const { application, redirectUri } = loopback(context);
    const port = new URL(redirectUri).port;
    const other = redirectUri.replace(
      /^(http:\/\/(?:127\.0\.0\.1|\[::1\]))(:\d+)?/,
      `$1:${port === '49153' ? 49154 : 49153}`,
    );
    const parameters = context.authorization({}, { application, redirectUri: other });
    context.see('loopback-ports.other-port', codesIn(await context.authorize(parameters)).length > 0);
  },
};

function loopback({ target }: ProbeContext) {
  for (const application of [target.application, target.secondApplication]) {
    const redirectUri = application?.redirectUris.find((uri) =>
      /^http:\/\/(127\.0\.0\.1|\[::1\])(:\d+)?(\/|$)/.test(uri),
    );
    if (application !== undefined && redirectUri !== undefined) return { application, redirectUri };
  }
  throw new NotObservable('no application has a redirect address on 127.0.0.1 or [::1]');
}
