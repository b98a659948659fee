import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RunPlan } from './plan.ts';

const PICTURE = 'sign-in.png';

export function forgetPicture({ report }: RunPlan): void {
  if (report !== undefined) rmSync(join(report, PICTURE), { force: true });
}

export function keepPicture({ report }: RunPlan, png: Uint8Array | undefined): string {
  if (report === undefined || png === undefined) return '';
  mkdirSync(report, { recursive: true });
  writeFileSync(join(report, PICTURE), png);
  return `; ${PICTURE} in the report's folder shows the page, its fields emptied`;
}
