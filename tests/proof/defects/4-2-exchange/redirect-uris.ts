import { addressOptional, lenientExchanges } from '../../../../src/emulator/defects/4-2-exchange.ts';
import type { Defects } from '../../../../src/emulator/defects/define-defect.ts';

export const redirectUris: Defects = {
  'exchange-redirect-uri-empty-accepted': {
    summary: 'An empty redirect_uri is not compared, a missing one is refused.',
    breaks: ['exchange.requires-redirect-uri'],
    changes: addressOptional((sent) => sent === ''),
  },
  'exchange-redirect-uri-prefix': {
    summary: 'A redirect_uri that begins with the right one counts.',
    breaks: ['exchange.redirect-uri-same', 'exchange.redirect-uri-exact'],
    changes: lenientExchanges((sent, asked) => sent.startsWith(asked)),
  },
  'exchange-redirect-uri-same-host': {
    summary: 'Any redirect_uri on the right host counts.',
    breaks: [
      'exchange.redirect-uri-same',
      'exchange.redirect-uri-same-among-authorized',
      'exchange.redirect-uri-exact',
    ],
    changes: lenientExchanges((sent, asked) => URL.parse(sent)?.host === new URL(asked).host),
  },
  'exchange-redirect-uri-query-ignored': {
    summary: 'A redirect_uri with another query counts.',
    breaks: ['exchange.redirect-uri-exact'],
    changes: lenientExchanges((sent, asked) => sent.split('?')[0] === asked.split('?')[0]),
  },
  'exchange-redirect-uri-slash-ignored': {
    summary: 'A redirect_uri with a slash added counts.',
    breaks: ['exchange.redirect-uri-exact'],
    changes: lenientExchanges((sent, asked) => sent.replace(/\/$/, '') === asked),
  },
  'exchange-redirect-uri-fragment-ignored': {
    summary: 'A redirect_uri with a fragment added counts.',
    breaks: ['exchange.redirect-uri-exact'],
    changes: lenientExchanges((sent, asked) => sent.split('#')[0] === asked),
  },
  'exchange-redirect-uri-any-authorized': {
    summary: 'Any redirect_uri that the application has authorized counts, whichever the code went to.',
    breaks: ['exchange.redirect-uri-same-among-authorized'],
    changes: lenientExchanges((sent, _, { application }) => application.redirectUris.includes(sent)),
  },

  'exchange-redirect-uri-optional': {
    summary: 'A missing redirect_uri is not missed.',
    severity: 'blunt',
    breaks: ['exchange.requires-redirect-uri'],
    changes: addressOptional((sent) => !sent),
  },

  'exchange-redirect-uri-case-ignored': {
    summary: 'A redirect_uri in another letter case counts.',
    breaks: ['exchange.redirect-uri-exact'],
    changes: lenientExchanges((sent, asked) => sent.toLowerCase() === asked.toLowerCase()),
  },
};
