import { APPLICATIONS_PATH, breadcrumb } from './account-area.ts';
import { APPLICATION_FIELDS, type ApplicationFormValues, applicationFields } from './application-fields.ts';
import { errorSummary, type FieldError, titleWithErrors } from './field.ts';
import { layout } from './layout.ts';
import { html } from './markup.ts';

export interface NewApplicationPageProps {
  readonly csrf: string;
  readonly values?: ApplicationFormValues | undefined;
  readonly errors?: readonly FieldError[] | undefined;
  readonly ownerName?: string | undefined;
}

export function newApplicationPage({
  csrf,
  values = {},
  errors,
  ownerName,
}: NewApplicationPageProps): string {
  // `novalidate`: the server's messages name the cause and stay on the page; the browser's bubbles do neither.
  return layout({
    title: titleWithErrors('New application', (errors?.length ?? 0) > 0),
    width: 'medium',
    signedIn: { csrf, ownerName },
    main: html`<div class="stack-l">
<div class="stack-s">${breadcrumb('New')}<h1>New application</h1></div>
${errorSummary(errors, APPLICATION_FIELDS)}
<form class="card stack-l" method="post" action="${APPLICATIONS_PATH}" novalidate>
<input type="hidden" name="csrf" value="${csrf}">
${applicationFields(values, errors)}
<div class="buttons"><button class="button" type="submit">Create application</button> <a class="button quiet" href="${APPLICATIONS_PATH}">Cancel</a></div>
</form>
</div>`,
  });
}
