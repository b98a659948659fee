import {
  redirecting,
  returning,
  returningOnDenial,
} from '../../../../src/emulator/defects/4-1-authorization-request.ts';
import type { Defects } from '../../../../src/emulator/defects/define-defect.ts';
import { relocating } from '../redirecting.ts';

/** Default length of a text column, in characters. */
const COLUMN = 255;

const LONG_COLUMN = 512;

function decoded(state: string | undefined): string | undefined {
  try {
    return state && decodeURIComponent(state);
  } catch {
    return state;
  }
}

export const states: Defects = {
  'authorize-state-encoded-twice': {
    summary: 'A state comes back percent-encoded once more than it was sent.',
    breaks: ['authorize.state-echoed'],
    changes: returning((state) => encodeURIComponent(state)),
  },

  'authorize-state-plus-lost': {
    summary: 'A plus sign in a state comes back as a space.',
    breaks: ['authorize.state-echoed'],
    changes: returning((state) => state.replaceAll('+', ' ')),
  },

  'authorize-state-long-refused': {
    summary: 'A grant with a state of more than 255 characters returns an error with the state, and no code.',
    breaks: ['authorize.state-echoed'],
    changes: redirecting((outcome) => {
      const refused = (outcome.state ?? '').length > COLUMN && outcome.parameters[0]?.[0] === 'code';
      return refused ? { ...outcome, parameters: [['error', 'server_error']] } : outcome;
    }),
  },

  'authorize-state-zero-dropped': {
    summary: 'A state of 0 is taken for none and does not come back.',
    breaks: ['authorize.state-echoed'],
    changes: returning((state) => (state === '0' ? undefined : state)),
  },

  'authorize-state-cut': {
    summary: 'A state comes back cut to 255 characters.',
    breaks: ['authorize.state-echoed'],
    changes: returning((state) => state.slice(0, COLUMN)),
  },

  'authorize-state-cut-late': {
    summary: 'A state comes back cut to 512 characters.',
    breaks: ['authorize.state-echoed'],
    changes: returning((state) => state.slice(0, LONG_COLUMN)),
  },

  'authorize-state-markup-stripped': {
    summary: 'Angle brackets of a state do not come back.',
    breaks: ['authorize.state-echoed'],
    changes: returning((state) => state.replace(/[<>]/g, '')),
  },

  'authorize-state-escaped': {
    summary: 'An ampersand in a state comes back as HTML has it.',
    breaks: ['authorize.state-echoed'],
    changes: returning((state) => state.replaceAll('&', '&amp;')),
  },

  'authorize-state-backslash-lost': {
    summary: 'A backslash in a state does not come back.',
    breaks: ['authorize.state-echoed'],
    changes: returning((state) => state.replaceAll('\\', '')),
  },

  'authorize-state-trimmed': {
    summary: 'Spaces at either end of a state do not come back.',
    breaks: ['authorize.state-echoed'],
    changes: returning((state) => state.trim()),
  },

  'authorize-state-twice': {
    summary: 'A state comes back twice.',
    reference: 'doorkeeper-gem/doorkeeper#1851',
    breaks: ['authorize.state-echoed'],
    changes: relocating((address, { state }) =>
      state === undefined ? address : `${address}&state=${encodeURIComponent(state)}`,
    ),
  },

  'authorize-state-encoded-twice-on-denial': {
    summary: 'A state comes back percent-encoded once more than it was sent when the user denies.',
    breaks: ['authorize.state-echoed-on-denial'],
    changes: returningOnDenial((state) => encodeURIComponent(state)),
  },

  'authorize-state-cut-on-denial': {
    summary: 'A state comes back cut to 255 characters when the user denies.',
    breaks: ['authorize.state-echoed-on-denial'],
    changes: returningOnDenial((state) => state.slice(0, COLUMN)),
  },

  'authorize-state-zero-dropped-on-denial': {
    summary: 'A state of 0 is taken for none and does not come back when the user denies.',
    breaks: ['authorize.state-echoed-on-denial'],
    changes: returningOnDenial((state) => (state === '0' ? undefined : state)),
  },

  'authorize-state-decoded-twice': {
    summary: 'A state is decoded once more than it was encoded, where that can be done.',
    breaks: ['authorize.state-echoed'],
    changes: redirecting((outcome) => ({ ...outcome, state: decoded(outcome.state) })),
  },
};
