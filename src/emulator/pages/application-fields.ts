import { type FieldError, inputField, textareaField } from './field.ts';
import { html, type PageMarkup } from './markup.ts';

export const APPLICATION_FIELDS = ['name', 'redirect_uris'] as const;

export interface ApplicationFormValues {
  readonly name?: string | undefined;
  readonly redirectUris?: string | undefined;
}

export function applicationFields(
  values: ApplicationFormValues,
  errors: readonly FieldError[] | undefined,
): PageMarkup {
  return html`${inputField({
    name: 'name',
    label: 'Name',
    hint: 'Users read it when they are asked to authorize.',
    value: values.name,
    errors,
    attributes: html`type="text" autocomplete="off" required`,
  })}
${textareaField({
  name: 'redirect_uris',
  label: 'Redirect addresses',
  hint: 'One a line, written exactly as the client will send them.',
  value: values.redirectUris,
  errors,
  attributes: html`rows="4" autocomplete="off" autocapitalize="none" spellcheck="false" required`,
})}`;
}
