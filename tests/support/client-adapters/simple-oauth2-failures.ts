import type { ClientAdapter } from './adapter.ts';

export const expectedFailures: NonNullable<ClientAdapter['expectedFailures']> = {};
