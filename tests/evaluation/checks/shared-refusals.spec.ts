/** Several requirements evaluate how refusals look. A run sends each refusal once, and each requirement has it as evidence. */
import { expect, test } from '@playwright/test';
import type { Transport } from '../../../src/http/exchange.ts';
import { checkBehind } from '../../support/check-live.ts';

const FORMS = ['token.error-json', 'token.error-status', 'token.error-leaks-nothing'];

test('the checks of how refusals look send each refusal once', async () => {
  let sent = 0;
  const counted =
    (inner: Transport): Transport =>
    (request, signal) => {
      if (request.body?.includes('grant_type=unknown')) sent += 1;
      return inner(request, signal);
    };
  const { requirements } = await checkBehind(counted, FORMS);
  expect(sent).toBe(1);
  const evaluated = requirements.filter(({ id }) => FORMS.includes(id));
  const lengths = evaluated.map(({ evidence }) => evidence.length);
  expect(evaluated.map(({ result }) => result)).toEqual(['pass', 'pass', 'pass']);
  expect(Math.min(...lengths)).toBeGreaterThan(20);
});

test('a server error is provoked again by the next check, because it may pass', async () => {
  let sent = 0;
  const failing =
    (inner: Transport): Transport =>
    (request, signal) => {
      if (!request.body?.includes('grant_type=unknown')) return inner(request, signal);
      sent += 1;
      return Promise.resolve({ status: 500, headers: [], body: '', bytes: 0 });
    };
  const { requirements } = await checkBehind(failing, [...FORMS, 'token.no-5xx']);
  expect(sent).toBeGreaterThanOrEqual(FORMS.length + 1);
  expect(requirements.find(({ id }) => id === 'token.no-5xx')?.result).toBe('warning');
});
