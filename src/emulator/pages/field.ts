import { type Fragment, html, type PageMarkup } from './layout.ts';

export interface FieldError {
  readonly field: string;
  readonly message: string;
}

/** A labelled control. Its id is its name, so that {@link errorSummary} can link to it. */
interface FieldProps {
  readonly name: string;
  readonly label: string;
  readonly value?: string | undefined;
  readonly hint?: string | undefined;
  readonly errors?: readonly FieldError[] | undefined;
  /** Id of another element that describes the error; marks the field as invalid. */
  readonly describedByAlso?: string | undefined;
  readonly attributes?: PageMarkup | undefined;
}

export function inputField(props: FieldProps): PageMarkup {
  return field(props, html`<input ${commonAttributes(props)} value="${props.value ?? ''}">`);
}

export function textareaField(props: FieldProps): PageMarkup {
  // The parser drops a line break right after the start tag; this one protects the value's own.
  return field(props, html`<textarea ${commonAttributes(props)}>\n${props.value ?? ''}</textarea>`);
}

/** Lists the errors above a form, each with a link to its field; empty without errors. */
export function errorSummary(errors: readonly FieldError[]): PageMarkup | undefined {
  if (errors.length === 0) return undefined;
  return html`<div class="notice bad" role="alert">
<h2>Please correct</h2>
<ul>${errors.map(({ field, message }) => html`<li><a href="#${field}">${message}</a></li>`)}</ul>
</div>`;
}

/** Puts the error notice first in the title, because screen readers speak the title first. */
export function titleWithErrors(title: string, hasErrors: boolean): string {
  return hasErrors ? `Error: ${title}` : title;
}

function field(props: FieldProps, control: PageMarkup): PageMarkup {
  const { name, label, hint } = props;
  return html`<div class="field">
<label for="${name}">${label}</label>
${hint !== undefined && html`<p class="hint" id="${name}-hint">${hint}</p>`}
${ownErrors(props).map(({ message }, index) => html`<p class="problem" id="${name}-error-${index}">${message}</p>`)}
${control}
</div>`;
}

function commonAttributes(props: FieldProps): Fragment {
  const { name, hint, describedByAlso, attributes } = props;
  const errorIds = ownErrors(props).map((_, index) => `${name}-error-${index}`);
  if (describedByAlso !== undefined) errorIds.push(describedByAlso);
  const ids = hint === undefined ? errorIds : [`${name}-hint`, ...errorIds];
  return html`id="${name}" name="${name}"${ids.length > 0 && html` aria-describedby="${ids.join(' ')}"`}${
    errorIds.length > 0 && html` aria-invalid="true"`
  } ${attributes}`;
}

function ownErrors({ name, errors = [] }: FieldProps): readonly FieldError[] {
  return errors.filter((error) => error.field === name);
}
