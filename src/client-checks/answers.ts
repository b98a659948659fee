import type { AnswersAnswer } from '../../generated/schemas.d.ts';
import { validateAnswers } from '../../generated/validators.js';
import { describeErrors } from '../document/describe-errors.ts';
import { bodyAnswer } from '../emulator/answer.ts';
import { type Defect, defect } from '../emulator/defects/define-defect.ts';
import { refuse } from '../emulator/refusal.ts';
import { ConfigurationError } from '../service/configuration/configuration-error.ts';
import { readConfigurationFile } from '../service/configuration/read-file.ts';

/** Reads the answers for resources that the document does not show. @throws ConfigurationError with every problem */
export async function loadAnswers(file: string): Promise<readonly AnswersAnswer[]> {
  const written = await readConfigurationFile(file);
  if (!validateAnswers(written))
    throw new ConfigurationError(file, describeErrors(validateAnswers.errors ?? []));
  return written.answers;
}

/** Marks the route of such a resource, so that the emulator checks the access token before it answers. */
const OTHER = 'other resource: ';

/** Lets an emulator answer these requests if their access token may list. */
export function defectsForAnswers(answers: readonly AnswersAnswer[]): readonly Defect[] {
  if (answers.length === 0) return [];
  const byRequest = new Map(answers.map((one) => [`${one.method ?? 'GET'} ${one.path}`, one]));
  const answersThem = defect('answers', ({ assignments, answer }) => ({
    assignments: {
      route: (method, path) =>
        byRequest.has(`${method} ${path}`)
          ? { operation: 'list', projectId: `${OTHER}${method} ${path}`, userId: '' }
          : assignments.route(method, path),
      project: (id, store) =>
        id.startsWith(OTHER) ? refuse('project-unknown', '', id) : assignments.project(id, store),
    },
    answer: {
      resourceFailure: (refusal) => {
        const found = byRequest.get(refusal.parameter?.slice(OTHER.length) ?? '');
        if (found === undefined) return answer.resourceFailure(refusal);
        const { status = 200, body } = found;
        return body === undefined
          ? bodyAnswer(status, null, '')
          : bodyAnswer(status, 'application/json; charset=utf-8', JSON.stringify(body));
      },
    },
  }));
  return [answersThem];
}
