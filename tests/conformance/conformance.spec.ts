import { test } from '@playwright/test';
import { registerChecks } from '../../src/commands/check/register-checks.ts';

/** Every check as one Playwright test, as an integrator registers them: `npx playwright test --project=conformance`. */
registerChecks(test);
