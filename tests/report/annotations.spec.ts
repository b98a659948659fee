import { expect, test } from '@playwright/test';
import { renderAnnotations } from '../../src/report/annotations.ts';
import { aResult, aRun } from '../support/results-builder.ts';

test('failures, troubles and warnings stand at the configuration, passes nowhere', () => {
  const results = aRun(
    [
      aResult('a.a'),
      aResult('a.b', 'fail', { clause: '4.2', reason: 'expected 7200, came 3600' }),
      aResult('a.c', 'warning', { clause: '7', reason: 'no Cache-Control' }),
    ],
    { troubles: [{ kind: 'inconclusive', message: 'no answer' }] },
  );
  expect(renderAnnotations(results, 'ci/staging.config.json').split('\n')).toEqual([
    '::error file=ci/staging.config.json,title=inconclusive::no answer',
    '::error file=ci/staging.config.json,title=a.b (clause 4.2)::expected 7200, came 3600',
    '::warning file=ci/staging.config.json,title=a.c (clause 7)::no Cache-Control',
    '',
  ]);
  expect(renderAnnotations(aRun([aResult('a.a')]), undefined)).toBe('');
});

test('what a target wrote ends no annotation and begins no other', () => {
  const nasty = 'came 100%\r\n::error::forged\u2028::set-output name=x::y';
  const text = renderAnnotations(aRun([aResult('a.a', 'fail', { reason: nasty })]), 'a:b,c.json');
  expect(text.trimEnd().split(/[\r\n]/)).toHaveLength(1);
  expect(text).toContain('file=a%3Ab%2Cc.json,');
  expect(text).toContain('100%25');
});

test('more than GitHub shows are counted in the last one shown', () => {
  const failures = Array.from({ length: 13 }, (_, index) => aResult(`a.${index}`, 'fail', { reason: 'no' }));
  const lines = renderAnnotations(aRun(failures), undefined).trimEnd().split('\n');
  expect(lines).toHaveLength(10);
  expect(lines.at(-1)).toBe('::error title=and more::4 further errors: see the report');
});
