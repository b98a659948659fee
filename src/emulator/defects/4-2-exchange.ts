import type { Defect } from '../defect.ts';
import { acceptedTypes } from './4-2-exchange/accepted-types.ts';
import { clients } from './4-2-exchange/clients.ts';
import { codes } from './4-2-exchange/codes.ts';
import { forms } from './4-2-exchange/forms.ts';
import { redirectUris } from './4-2-exchange/redirect-uris.ts';
import { secrets } from './4-2-exchange/secrets.ts';
import { variants } from './4-2-exchange/variants.ts';

/** Faults of clause 4.2: the exchange of a code. */
export const defects: readonly Defect[] = [
  ...forms,
  ...clients,
  ...secrets,
  ...redirectUris,
  ...codes,
  ...variants,
  ...acceptedTypes,
];
