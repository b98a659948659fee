import { APPLICATIONS_PATH, applicationPath, breadcrumb } from './account-area.ts';
import { APPLICATION_FIELDS, applicationFields } from './application-fields.ts';
import { errorSummary, type FieldError, titleWithErrors } from './field.ts';
import { layout } from './layout.ts';
import { html } from './markup.ts';

export interface EditApplicationPageProps {
  readonly csrf: string;
  readonly clientId: string;
  readonly name: string;
  readonly redirectUris: readonly string[];
  readonly errors?: readonly FieldError[] | undefined;
  readonly saved?: boolean | undefined;
  readonly ownerName?: string | undefined;
}

export function editApplicationPage(props: EditApplicationPageProps): string {
  const { csrf, clientId, name, redirectUris, errors, saved, ownerName } = props;
  return layout({
    title: titleWithErrors(`Edit ${name}`, (errors?.length ?? 0) > 0),
    width: 'medium',
    signedIn: { csrf, ownerName },
    main: html`<div class="stack-l">
<div class="stack-s">${breadcrumb('Edit')}<h1>${name}</h1></div>
${saved === true && html`<p class="notice good" role="status">Saved. The next authorization request is held against these addresses.</p>`}
${errorSummary(errors, APPLICATION_FIELDS)}
<form class="card stack-l" method="post" action="${applicationPath(clientId)}" novalidate>
<input type="hidden" name="csrf" value="${csrf}">
<dl class="pairs"><div><dt>Client id</dt><dd><code class="value" id="client-id">${clientId}</code></dd></div></dl>
${applicationFields({ name, redirectUris: redirectUris.join('\n') }, errors)}
<div class="buttons"><button class="button" type="submit">Save changes</button> <a class="button quiet" href="${APPLICATIONS_PATH}">Back to the list</a></div>
</form>
<p class="small muted">The client secret was shown when the application was created and cannot be shown again. Lost it? Create another application.</p>
</div>`,
  });
}
