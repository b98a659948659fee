import type { WireResponse } from '../../../src/http/exchange.ts';
import {
  exchangeParameters,
  type Parameters,
  refreshParameters,
  withChanges,
} from '../../../src/service/flow/requests.ts';
import { APPLICATION, answer, type FedApplication, type Feed, issued, json, listUrl, OTHER } from './feed.ts';

/** Each case twice: what the document does not decide, and the same with the one difference that it does. */
export const CASES: Readonly<
  Record<string, readonly [open: (feed: Feed) => void, decided: (feed: Feed) => void, id: string]>
> = {
  'assigning again may be refused; the first time may not': [
    (feed) => {
      const { access } = feed.pair();
      feed.change('PUT', '1', '11', 204, access);
      feed.change('PUT', '1', '11', 409, access);
    },
    (feed) => feed.change('PUT', '1', '11', 409, feed.pair().access),
    'assign.adds-user',
  ],
  'unassigning who is not assigned may be refused, and one of two at once; one who is assigned may not': [
    (feed) => {
      feed.change('DELETE', '1', '12', 401, feed.pair().access);
      const access = feed.assigned();
      const first = feed.begin('DELETE', `${listUrl('1')}/11`, undefined, access);
      const second = feed.begin('DELETE', `${listUrl('1')}/11`, undefined, access);
      second(answer(200));
      first(answer(404));
      feed.list('1', [], access);
    },
    (feed) => feed.change('DELETE', '1', '11', 404, feed.assigned()),
    'unassign.removes-user',
  ],
  'a token nearly equal to one that was issued is for the checks; any other must not list': [
    (feed) => feed.list('1', ['11'], `${feed.assigned()}x`),
    (feed) => {
      feed.assigned();
      feed.list('1', ['11'], 'never-issued-to-anyone');
    },
    'list.token-invalid-refused',
  ],
  'two exchanges may give the same tokens; a refresh may not': [
    (feed) => {
      const tokens = feed.fresh();
      feed.exchange(feed.code(), issued(tokens));
      feed.exchange(feed.code(), issued(tokens));
    },
    (feed) => {
      const tokens = feed.pair();
      feed.refresh(tokens.refresh, issued({ ...feed.fresh(), access: tokens.access }));
    },
    'refresh.new-access-token',
  ],
  'a code may be dead after ten seconds, and 429 or 503 proves nothing; a fresh one may not get 400': [
    (feed) => {
      feed.exchange(feed.code(), answer(429));
      feed.exchange(feed.code(), answer(503));
      const code = feed.code();
      feed.at += 11;
      feed.exchange(code, answer(400));
    },
    (feed) => feed.exchange(feed.code(), answer(400)),
    'exchange.form-encoded',
  ],
  'a code may be dead once its application got a newer one; the newest may not': [
    (feed) => {
      const [older] = [feed.code(), feed.code()];
      feed.exchange(older, answer(400));
    },
    (feed) => {
      const [, newest] = [feed.code(), feed.code()];
      feed.exchange(newest, answer(400));
    },
    'exchange.form-encoded',
  ],
  'a code that was presented wrongly may be dead; one that was not may not': [
    (feed) => {
      const code = feed.code();
      feed.token(exchangeParameters({ ...APPLICATION, clientSecret: 'wrong' }, code))(answer(401));
      feed.exchange(code, answer(400));
    },
    (feed) => feed.exchange(feed.code(), answer(400)),
    'exchange.form-encoded',
  ],
  'a refresh before expiry may be refused; after it may not': [
    (feed) => feed.refresh(feed.pair().refresh, answer(400)),
    (feed) => feed.refresh(feed.expired(), answer(400)),
    'refresh.after-expiry',
  ],
  'a refresh token that is hours older than its access token may be dead; a younger one may not': [
    (feed) => {
      const { refresh } = feed.pair();
      feed.at += 8000;
      feed.refresh(refresh, answer(400));
    },
    (feed) => {
      const { refresh } = feed.pair();
      feed.at += 7500;
      feed.refresh(refresh, answer(400));
    },
    'refresh.after-expiry',
  ],
  'a presentation that was never seen honoured may be refused; one that was may not': [
    (feed) => {
      const tokens = feed.fresh();
      feed.exchange(feed.code(), issued(tokens));
      feed.refused(tokens.access);
    },
    (feed) => feed.refused(feed.pair().access),
    'exchange.token-acts',
  ],
  'an old access token may be dead after a refresh; the newest may not': [
    (feed) => {
      const tokens = feed.pair();
      feed.refresh(tokens.refresh, issued(feed.fresh()));
      feed.refused(tokens.access);
    },
    (feed) => {
      const next = feed.fresh();
      feed.refresh(feed.pair().refresh, issued(next));
      feed.refused(next.access);
    },
    'refresh.new-token-acts',
  ],
  'an exchange may state fewer scopes, which then bind; a refresh keeps what was granted': [
    (feed) => {
      feed.assigned();
      const tokens = feed.fresh();
      feed.exchange(feed.code(), issued(tokens, { scope: 'read' }));
      feed.change('PUT', '1', '12', 403, tokens.access);
    },
    (feed) => {
      const next = feed.fresh();
      feed.refresh(feed.pair().refresh, issued(next, { scope: 'read' }));
      feed.change('PUT', '1', '12', 403, next.access);
    },
    'refresh.new-token-acts',
  ],
  'the tokens of a code that was replayed may be dead; of one that was not may not': [
    (feed) => {
      feed.pair();
      const again = feed.code();
      feed.exchange(again, issued(feed.fresh()));
      const replayed = feed.fresh();
      const code = feed.code();
      feed.exchange(code, issued(replayed));
      feed.exchange(code, answer(400));
      feed.refused(replayed.access);
    },
    (feed) => feed.refused(feed.pair().access),
    'exchange.token-acts',
  ],
  'a refresh that something in between has answered may have been done; one that the service has not done can be done again':
    [
      (feed) => {
        const refresh = feed.expired();
        feed.refresh(refresh, answer(502));
        feed.refresh(refresh, answer(400));
      },
      (feed) => {
        const refresh = feed.expired();
        feed.refresh(refresh, answer(500));
        feed.refresh(refresh, answer(400));
      },
      'refresh.after-expiry',
    ],
  'a member may stand twice with one value; with two it is not known which counts': [
    (feed) => feed.exchange(feed.code(), withMember(issued(feed.fresh()), '"token_type":"bearer"')),
    (feed) => feed.exchange(feed.code(), withMember(issued(feed.fresh()), '"refresh_token":"another"')),
    'exchange.token-response',
  ],
  'tokens may look alike; they may not be one and the same': [
    (feed) => {
      const { access } = feed.fresh();
      feed.exchange(feed.code(), issued({ access, refresh: `${access}r` }));
    },
    (feed) => {
      const { access } = feed.fresh();
      feed.exchange(feed.code(), issued({ access, refresh: access }));
    },
    'exchange.token-response',
  ],
  'a redirect may say the same code twice; two codes, or an error beside it, it may not': [
    (feed) => void feed.redirect('code=one&code=one'),
    (feed) => void feed.redirect('code=one&code=two'),
    'authorize.redirects-with-code',
  ],
  'a code that nobody exchanged may come again; one that gave tokens may not': [
    (feed) => {
      feed.redirect('code=one');
      feed.redirect('code=one');
    },
    (feed) => {
      const code = feed.code();
      feed.exchange(code, issued(feed.fresh()));
      feed.redirect(`code=${code}`);
    },
    'authorize.redirects-with-code',
  ],
  'a redirect that answers a form drops it; it may not repeat it': [
    (feed) => void feed.redirect('code=one'),
    (feed) => void feed.redirect('code=one', APPLICATION, undefined, 'repeated'),
    'authorize.no-307',
  ],
  'a redirect may have further parameters; no error beside a code': [
    (feed) => void feed.redirect('code=one&session_state=x'),
    (feed) => void feed.redirect('code=one&error=access_denied'),
    'authorize.redirects-with-code',
  ],
  'a refresh token in place of a code may be refused in any way; it may not be honoured': [
    (feed) => feed.token(asExchange(feed.pair().refresh))(answer(400)),
    (feed) => feed.token(asExchange(feed.pair().refresh))(issued(feed.fresh())),
    'exchange.requires-code',
  ],
  'a list asked for otherwise may be refused; what it shows must be right': [
    (feed) => feed.list('1', undefined, feed.pair().access, [['Accept-Encoding', 'br']]),
    (feed) => feed.list('1', [], feed.assigned(), [['Accept-Encoding', 'br']]),
    'assign.adds-user',
  ],
  'a list that is as it was may be said to be so; one that is not may not': [
    (feed) => {
      const access = feed.assigned();
      feed.listWith([['ETag', 'first']], '1', ['11'], access);
      feed.list('1', 'unchanged', access, [['If-None-Match', 'first']]);
    },
    (feed) => {
      const access = feed.assigned();
      feed.listWith([['ETag', 'first']], '1', ['11'], access);
      feed.change('DELETE', '1', '11', 200, access);
      feed.list('1', 'unchanged', access, [['If-None-Match', 'first']]);
      feed.list('1', [], access);
    },
    'list.fresh',
  ],
  'a list may be said to be unchanged since a date in the second of its answer; since an older one it may not':
    [(feed) => unchangedSince(feed, 1), (feed) => unchangedSince(feed, 2), 'list.fresh'],
  'every HEAD may be answered alike; one without a right token may not show the list': [
    (feed) => {
      const access = feed.assigned();
      feed.list('1', ['11'], access);
      feed.look(['11'], access);
      feed.look(['11', '12']);
    },
    (feed) => {
      feed.list('1', ['11'], feed.assigned());
      feed.look(['11']);
    },
    'list.token-required',
  ],
  'where refusals come as lists of nobody, HEAD shows nothing; where they are refusals, it does': [
    (feed) => {
      feed.list('1', ['11'], feed.assigned());
      feed.list('1', [], undefined);
      feed.look(['11']);
    },
    (feed) => {
      feed.list('1', ['11'], feed.assigned());
      feed.list('1', undefined, undefined);
      feed.look(['11']);
    },
    'list.token-required',
  ],
  'the access token of a refresh on its way may be dead already; before that it may not': [
    (feed) => {
      const tokens = feed.pair();
      const list = feed.begin('GET', listUrl('1'), undefined, tokens.access);
      const refreshed = feed.token(refreshParameters(APPLICATION, tokens.refresh));
      refreshed(issued(feed.fresh()));
      list(answer(401));
    },
    (feed) => {
      const tokens = feed.pair();
      feed.refused(tokens.access);
      feed.refresh(tokens.refresh, issued(feed.fresh()));
    },
    'exchange.token-acts',
  ],
  'a refresh token that is used again may be refused, or give another pair; it may not give a pair that was used':
    [
      (feed) => {
        const tokens = feed.pair();
        feed.refresh(tokens.refresh, issued(feed.fresh()));
        feed.refresh(tokens.refresh, issued(feed.fresh()));
      },
      (feed) => {
        const [tokens, next] = [feed.pair(), feed.fresh()];
        feed.refresh(tokens.refresh, issued(next));
        feed.refresh(next.refresh, answer(400));
        feed.refresh(tokens.refresh, issued(next));
      },
      'refresh.new-refresh-token',
    ],
  'two refreshes of one token at once may give one pair; a refresh sent after that pair has listed may not': [
    (feed) => {
      const [{ refresh }, next] = [feed.pair(), feed.fresh()];
      const both = [1, 2].map(() => feed.token(refreshParameters(APPLICATION, refresh)));
      both[0]?.(issued(next));
      feed.list('1', [], next.access);
      both[1]?.(issued(next));
    },
    (feed) => {
      const [{ refresh }, next] = [feed.pair(), feed.fresh()];
      feed.refresh(refresh, issued(next));
      feed.list('1', [], next.access);
      feed.refresh(refresh, issued(next));
    },
    'refresh.new-access-token',
  ],
  'two refreshes of one token may give one pair; a refresh token of another grant may not give it': [
    (feed) => {
      const [{ refresh }, next] = [feed.pair(), feed.fresh()];
      feed.refresh(refresh, issued(next));
      feed.refresh(refresh, issued({ ...feed.fresh(), refresh: next.refresh }));
    },
    (feed) => {
      const [one, other, next] = [feed.pair(), feed.pair(), feed.fresh()];
      feed.refresh(one.refresh, issued(next));
      feed.refresh(other.refresh, issued(next));
    },
    'refresh.new-refresh-token',
  ],
  'a repeated refresh may give the same pair again; not once its access token has expired': [
    (feed) => {
      const [{ refresh }, next] = [feed.pair(), feed.fresh()];
      feed.refresh(refresh, issued(next));
      feed.at += 60;
      feed.refresh(refresh, issued(next));
    },
    (feed) => {
      const [{ refresh }, next] = [feed.pair(), feed.fresh()];
      feed.refresh(refresh, issued(next));
      feed.at += 7200;
      feed.refresh(refresh, issued(next));
    },
    'refresh.new-access-token',
  ],
  'at the very end of its life a token may be dead; a moment before it may not': [
    (feed) => {
      const { access } = feed.pair();
      feed.at += 7200;
      feed.refused(access);
    },
    (feed) => {
      const { access } = feed.pair();
      feed.at += 7199;
      feed.refused(access);
    },
    'lifetime.alive-until-7200',
  ],
  'a change without an answer may have happened; one that was answered must have': [
    (feed) => {
      const { access } = feed.pair();
      feed.begin('PUT', `${listUrl('1')}/11`, undefined, access)(undefined);
      feed.list('1', [], access);
    },
    (feed) => feed.list('1', [], feed.assigned()),
    'assign.adds-user',
  ],
  'a refusal with a success’s status only warns; a list in it does not': [
    (feed) => {
      feed.assigned();
      feed.begin('GET', listUrl('1'))(json({ error: 'no token' }));
      feed.take({ kind: 'assignments-reset' });
    },
    (feed) => {
      feed.assigned();
      feed.list('1', ['11']);
    },
    'list.token-required',
  ],
  'tokens elsewhere than at the top of a refusal are for the checks; at the top they are given': [
    (feed) => {
      const nested = feed.fresh();
      feed.exchange('unknown-code', json({ error: { access_token: nested.access } }, 400));
    },
    (feed) => feed.exchange('unknown-code', issued(feed.fresh())),
    'exchange.code-unknown-refused',
  ],
  'a repeated parameter leaves open what is meant; without it a wrong secret must be refused': [
    (feed) => {
      const parameters = exchangeParameters({ ...APPLICATION, clientSecret: 'wrong' }, feed.code());
      feed.token([...parameters, ['client_secret', APPLICATION.clientSecret]])(issued(feed.fresh()));
    },
    (feed) => {
      const parameters = exchangeParameters({ ...APPLICATION, clientSecret: 'wrong' }, feed.code());
      feed.token(parameters)(issued(feed.fresh()));
    },
    'exchange.client-secret-checked',
  ],
  'a token that came in an address may be anything; one that never came must not list': [
    (feed) => {
      feed.assigned();
      feed.redirect('code=one&access_token=of-the-address');
      feed.list('1', ['11'], 'of-the-address');
    },
    (feed) => {
      feed.assigned();
      feed.list('1', ['11'], 'of-no-address-at-all');
    },
    'list.token-invalid-refused',
  ],
  'a refresh token that came in an address may be anything; one that never came must not refresh': [
    (feed) => {
      feed.redirect('code=one&access_token=of-the-address');
      feed.refresh('of-the-address', issued(feed.fresh()));
    },
    (feed) => feed.refresh('of-no-address-at-all', issued(feed.fresh())),
    'refresh.token-unknown-refused',
  ],
  'a token that was shown at another address may be dead; one that was not may not': [
    (feed) => {
      const { access, refresh } = feed.pair();
      feed.begin('POST', elsewhere('/oauth/revoke'), `token=${refresh}`)(answer(200));
      feed.refused(access);
    },
    (feed) => {
      const { access } = feed.pair();
      feed.begin('POST', elsewhere('/oauth/revoke'), 'token=another')(answer(200));
      feed.refused(access);
    },
    'exchange.token-acts',
  ],
  'a list need not be readable where it is refused, nor where none was; once one was, it must': [
    (feed) => {
      const read = () => feed.begin('GET', listUrl('1'), undefined, feed.pair().access);
      read()(answer(503));
      read()(json('users'));
    },
    (feed) => {
      const access = feed.assigned();
      feed.list('1', ['11'], access);
      feed.begin('GET', listUrl('1'), undefined, access)(json('users'));
    },
    'list.returns-assigned',
  ],
  'a list need not be readable by a guess; by what is known of its form it must': [
    (feed) => unreadableList(feed, true),
    (feed) => unreadableList(feed, false),
    'list.returns-assigned',
  ],
  'who was assigned twice may stay listed twice; listed once meanwhile, they may not': [
    (feed) => listedTwice(feed, ['11', '11']),
    (feed) => listedTwice(feed, ['11']),
    'list.returns-assigned',
  ],
  'of two users who are assigned at once one may be told to come again; one alone may not': [
    (feed) => {
      const { access } = feed.pair();
      const first = feed.begin('PUT', `${listUrl('1')}/11`, undefined, access);
      feed.change('PUT', '1', '12', 409, access);
      first(answer(200));
    },
    (feed) => feed.change('PUT', '1', '12', 409, feed.pair().access),
    'assign.adds-user',
  ],
  'a list that names its next page lacks nobody; a whole one does': [
    (feed) => {
      const access = feed.assigned();
      feed.begin('GET', listUrl('1'), undefined, access)(json({ users: [], next: '/page/2' }));
      feed.list('1', ['11'], access);
    },
    (feed) => {
      const access = feed.assigned();
      feed.list('1', [], access);
      feed.list('1', [], access);
    },
    'assign.adds-user',
  ],
  'an assign that tells an error in its body has assigned nobody; one that tells none has': [
    (feed) => {
      const { access } = feed.pair();
      feed.begin('PUT', `${listUrl('1')}/11`, undefined, access)(json({ error: 'no' }));
      feed.list('1', [], access);
    },
    (feed) => {
      const { access } = feed.pair();
      feed.begin('PUT', `${listUrl('1')}/11`, undefined, access)(json({ id: '11' }));
      feed.list('1', [], access);
      feed.list('1', [], access);
    },
    'assign.adds-user',
  ],
  'who is lost in a lifetime is not the loss of a change after it': [
    (feed) => {
      feed.list('1', ['11'], feed.assigned());
      feed.at += 7300;
      const { access } = feed.tokens();
      feed.change('DELETE', '1', '12', 204, access);
      feed.list('1', ['11'], access);
    },
    (feed) => {
      feed.list('1', ['11'], feed.assigned());
      feed.at += 7300;
      const { access } = feed.tokens();
      feed.change('DELETE', '1', '12', 204, access);
      feed.list('1', [], access);
      feed.list('1', [], access);
    },
    'list.returns-assigned',
  ],
  'who is lost when somebody is unassigned who was not assigned is one of the others': [
    (feed) => {
      const access = feed.assigned();
      feed.list('1', ['11'], access);
      feed.change('DELETE', '1', '12', 200, access);
      feed.list('1', ['11'], access);
    },
    (feed) => {
      const access = feed.assigned();
      feed.list('1', ['11'], access);
      feed.change('DELETE', '1', '12', 200, access);
      feed.list('1', [], access);
      feed.list('1', [], access);
    },
    'unassign.leaves-others',
  ],
  'the tokens of a code that was nearly presented may be dead; of one that was not may not': [
    (feed) => {
      feed.pair();
      const [tokens, code] = [feed.fresh(), feed.code()];
      feed.exchange(code, issued(tokens));
      feed.exchange(`${code}x`, answer(400));
      feed.refused(tokens.access);
    },
    (feed) => {
      feed.pair();
      const tokens = feed.fresh();
      feed.exchange(feed.code(), issued(tokens));
      feed.exchange('a-code-of-another-kind', answer(400));
      feed.refused(tokens.access);
    },
    'exchange.token-acts',
  ],
  'a loopback address may have another port; another path it may not': [
    (feed) => exchangeTo(feed, 'http://127.0.0.1:9000/back'),
    (feed) => exchangeTo(feed, 'http://127.0.0.1:8000/elsewhere'),
    'exchange.redirect-uri-same',
  ],
  'after a request of another kind anybody may be assigned; before it not': [
    (feed) => {
      const access = feed.assigned();
      feed.begin('POST', listUrl('1'), '{}', access)(answer(200));
      feed.list('1', ['12'], access);
    },
    (feed) => feed.list('1', ['12'], feed.assigned()),
    'list.returns-assigned',
  ],
  'who is listed after a request of another kind was not so at the start': [
    (feed) => {
      const { access } = feed.tokens();
      feed.begin('POST', listUrl('1'), '{}', access)(answer(200));
      feed.list('1', ['12'], access);
      feed.take({ kind: 'assignments-reset' });
      feed.list('1', [], access);
    },
    (feed) => {
      const { access } = feed.tokens();
      feed.list('1', ['12'], access);
      feed.take({ kind: 'assignments-reset' });
      feed.list('1', [], access);
    },
    'list.returns-assigned',
  ],
  'who is listed after a change was not so at the start': [
    (feed) => {
      const { access } = feed.tokens();
      feed.change('PUT', '1', '11', 200, access);
      feed.list('1', ['11'], access);
      feed.take({ kind: 'assignments-reset' });
      feed.list('1', [], access);
      feed.list('1', [], access);
    },
    (feed) => {
      const { access } = feed.tokens();
      feed.change('PUT', '1', '11', 200, access);
      feed.take({ kind: 'assignments-reset' });
      feed.list('1', ['11'], access);
      feed.change('DELETE', '1', '11', 200, access);
      feed.take({ kind: 'assignments-reset' });
      feed.list('1', [], access);
      feed.list('1', [], access);
    },
    'list.returns-assigned',
  ],
  'of a crowd at once nobody can say what came last; of two who do the same one can': [
    (feed) => assignedAtOnce(feed, 15, []),
    (feed) => assignedAtOnce(feed, 2, []),
    'assign.adds-user',
  ],
  'of a crowd at once one may be assigned as well as not; another may not': [
    (feed) => assignedAtOnce(feed, 15, ['11']),
    (feed) => assignedAtOnce(feed, 15, ['12']),
    'list.returns-assigned',
  ],
  'a list that was shown while a change was on its way may be right then; later it is an old one': [
    (feed) => feed.list('1', [], afterShownOnItsWay(feed)),
    (feed) => {
      const access = afterShownOnItsWay(feed);
      feed.list('1', ['11'], access);
      feed.list('1', [], access);
    },
    'list.fresh',
  ],
  'a replay may take back all that the client was granted; once another grant was seen to outlive one it may not':
    [
      (feed) => {
        const [used, other] = [feed.code(), feed.pair()];
        replayed(feed, used);
        feed.refused(other.access);
      },
      (feed) => {
        const [used, again, other] = [feed.code(), feed.code(), feed.pair()];
        replayed(feed, used);
        feed.list('1', [], other.access);
        replayed(feed, again);
        feed.refused(other.access);
      },
      'exchange.token-acts',
    ],
  'what outlives a second replay of a code may be of another grant; what outlives the first is of none that is taken back':
    [(feed) => outlivesReplay(feed, true), (feed) => outlivesReplay(feed, false), 'exchange.token-acts'],
  'what outlives a late replay of a code may be taken back by a replay at once; what outlives that is not': [
    (feed) => outlivesReplay(feed, false, 20),
    (feed) => outlivesReplay(feed, false),
    'exchange.token-acts',
  ],
  'a code that was refused and comes again may count as replayed; one that comes once may not': [
    (feed) => refusedAfterRefusals(feed, 2),
    (feed) => refusedAfterRefusals(feed, 1),
    'exchange.token-acts',
  ],
  'an application that sends the used code of another may lose what it was granted; one that does not may not':
    [
      (feed) => refusedAfterReplayBy(feed, OTHER),
      (feed) => refusedAfterReplayBy(feed, APPLICATION),
      'exchange.token-acts',
    ],
  'whether a token has expired may be unclear; where it may be refreshed anyway, it must be': [
    (feed) => refusedAtExpiry(feed),
    (feed) => {
      feed.refresh(feed.pair().refresh, issued(feed.fresh()));
      refusedAtExpiry(feed);
    },
    'refresh.after-expiry',
  ],
  'a refresh may be refused earlier before expiry than one that was honoured; later it may not': [
    (feed) => refreshedBeforeExpiry(feed, 6_600, 6_000),
    (feed) => refreshedBeforeExpiry(feed, 6_600, 7_000),
    'refresh.token-response',
  ],
  'a refresh that was honoured within the tolerance of expiry promises none; an earlier one does': [
    (feed) => refreshedBeforeExpiry(feed, 7_199.7, 7_199.8),
    (feed) => refreshedBeforeExpiry(feed, 7_199, 7_199.8),
    'refresh.token-response',
  ],
  'a replay may take a code back that is not used yet; of another client it may not': [
    (feed) => {
      const [used, code] = [feed.code(), feed.code()];
      replayed(feed, used);
      feed.exchange(code, answer(400));
    },
    (feed) => {
      const [used, code] = [feed.code(), feed.code(OTHER)];
      replayed(feed, used);
      feed.exchange(code, answer(400), OTHER);
    },
    'exchange.form-encoded',
  ],
  'a code that is exchanged outlives a replay; one that is exchanged beside it shows nothing': [
    (feed) => exchangedAfterReplay(feed, 'beside', refusedCode),
    (feed) => exchangedAfterReplay(feed, 'after', refusedCode),
    'exchange.form-encoded',
  ],
  'what outlives a replay with a wrong secret may be taken back by a replay alone; what outlives that is not':
    [
      (feed) => outlivesReplayBy(feed, { ...APPLICATION, clientSecret: 'wrong' }),
      (feed) => outlivesReplayBy(feed, APPLICATION),
      'exchange.token-acts',
    ],
  'that a code outlives a replay shows nothing of tokens; that a token does shows it of codes too': [
    (feed) => exchangedAfterReplay(feed, 'after', refusedRefresh),
    (feed) => {
      const [used, { access }, code] = [feed.code(), feed.pair(), feed.code()];
      replayed(feed, used);
      feed.list('1', [], access);
      feed.exchange(code, answer(400));
    },
    'exchange.form-encoded',
  ],
  'a list may show ever more users; one that was shown sixty lists ago is wrong, and not old': [
    (feed) => shownEverMore(feed, 62),
    (feed) => {
      const { access, first, last } = shownEverMore(feed, 62);
      feed.list('1', first, access);
      feed.list('1', last, access);
    },
    'list.returns-assigned',
  ],
  'what gives an access token again may void the refresh token that came with it last; what gives another may not':
    [
      (feed) => refusedAfterThird(feed, (access) => access),
      (feed) => refusedAfterThird(feed, () => feed.fresh().access),
      'refresh.after-expiry',
    ],
  'an exchange may void the refresh tokens of earlier grants, unless one was refreshed after it': [
    (feed) => {
      const { refresh } = feed.pair();
      feed.pair();
      feed.refresh(refresh, answer(400));
    },
    (feed) => {
      const [first, second] = [feed.pair(), feed.pair()];
      feed.refresh(first.refresh, issued(feed.fresh()));
      feed.pair();
      feed.refresh(second.refresh, answer(400));
    },
    'refresh.token-response',
  ],
  'tokens that are given again may live longer; those that are not may not': [
    (feed) => {
      const tokens = feed.pair();
      feed.change('PUT', '1', '11', 200, tokens.access);
      feed.at += 5000;
      feed.exchange(feed.code(), issued(tokens));
      feed.at += 5000;
      feed.list('1', ['11'], tokens.access);
    },
    (feed) => {
      const tokens = feed.pair();
      feed.change('PUT', '1', '11', 200, tokens.access);
      feed.at += 10_000;
      feed.list('1', ['11'], tokens.access);
    },
    'lifetime.dead-after-7200',
  ],
  'what was on its way when assignments were restored may be undone; what comes after may not': [
    (feed) => {
      const { access } = feed.pair();
      const first = feed.begin('PUT', `${listUrl('1')}/11`, undefined, access);
      const second = feed.begin('PUT', `${listUrl('1')}/12`, undefined, access);
      first(answer(200));
      feed.take({ kind: 'assignments-reset' });
      second(answer(200));
      feed.list('1', ['12'], access);
    },
    (feed) => {
      const { access } = feed.pair();
      feed.take({ kind: 'assignments-reset' });
      feed.change('PUT', '1', '11', 200, access);
      feed.list('1', [], access);
    },
    'assign.adds-user',
  ],
  'of two refreshes at once one may be void; where both are answered the last may not': [
    (feed) => refreshedAtOnce(feed, (one) => one),
    (feed) => refreshedAtOnce(feed, lastOf),
    'refresh.chain',
  ],
  'the last of two refreshes at once may be void when their token was used again; before that it may not': [
    (feed) => refreshedAtOnce(feed, lastOf, (pair) => feed.refresh(pair, answer(400))),
    (feed) => refreshedAtOnce(feed, lastOf),
    'refresh.chain',
  ],
  'the last of two refreshes at once may be void when their token was sent as a code; before that it may not':
    [
      (feed) =>
        refreshedAtOnce(feed, lastOf, (pair) =>
          feed.token([...exchangeParameters(APPLICATION, 'a-code'), ['refresh_token', pair]])(answer(400)),
        ),
      (feed) => refreshedAtOnce(feed, lastOf),
      'refresh.chain',
    ],
  'a refresh that meets a replay of its code may be refused; one that meets an unknown code may not': [
    (feed) => refusedBesideExchange(feed, (code) => code),
    (feed) => refusedBesideExchange(feed, () => 'never-issued'),
    'refresh.token-response',
  ],
  'a refresh at once that got no answer may be the last; where all are answered the last of them is': [
    (feed) => refreshedAtOnce(feed, lastOf, undefined, 1),
    (feed) => refreshedAtOnce(feed, lastOf),
    'refresh.chain',
  ],
  'a refresh token that another client has presented may be void; one that was sent without the grant type may not':
    [
      (feed) => refusedBefore(feed, (token) => refreshParameters(OTHER, token)),
      (feed) =>
        refusedBefore(feed, (token) =>
          withChanges(refreshParameters(APPLICATION, token), { grant_type: '' }),
        ),
      'refresh.after-expiry',
    ],
  'a refresh token that came with a wrong secret may be void; one that was sent without the grant type may not':
    [
      (feed) =>
        refusedBefore(feed, (token) => refreshParameters({ ...APPLICATION, clientSecret: 'wrong' }, token)),
      (feed) =>
        refusedBefore(feed, (token) =>
          withChanges(refreshParameters(APPLICATION, token), { grant_type: '' }),
        ),
      'refresh.after-expiry',
    ],
  'a refresh token that was sent without the grant type, but with something twice, may be void; one without the grant type alone may not':
    [
      (feed) =>
        refusedBefore(feed, (token) => {
          const wrong = withChanges(refreshParameters(APPLICATION, token), { grant_type: '' });
          return [...wrong, ...wrong.filter(([name]) => name === 'client_id')];
        }),
      (feed) =>
        refusedBefore(feed, (token) =>
          withChanges(refreshParameters(APPLICATION, token), { grant_type: '' }),
        ),
      'refresh.after-expiry',
    ],
  'a refresh token that was sent in place of a code may be void; one that was sent without the grant type may not':
    [
      (feed) => refusedBefore(feed, asExchange),
      (feed) =>
        refusedBefore(feed, (token) =>
          withChanges(refreshParameters(APPLICATION, token), { grant_type: '' }),
        ),
      'refresh.after-expiry',
    ],
  'a server error in place of tokens only warns; a second one refuses': [
    (feed) => {
      feed.pair();
      const code = feed.code();
      feed.exchange(code, answer(503));
      feed.exchange(code, answer(502));
    },
    (feed) => {
      const refresh = feed.expired();
      feed.refresh(refresh, answer(500));
      feed.refresh(refresh, answer(500));
    },
    'refresh.token-response',
  ],
  'a server error after the same was honoured is the first again, and a busy answer is none; a second in a row refuses':
    [
      (feed) => {
        const { access } = feed.pair();
        feed.change('PUT', '1', '11', 500, access);
        feed.change('PUT', '1', '11', 200, access);
        feed.change('DELETE', '1', '11', 200, access);
        feed.change('PUT', '1', '11', 500, access);
        feed.change('PUT', '1', '11', 503, access);
        feed.change('PUT', '1', '11', 502, access);
      },
      (feed) => {
        const { access } = feed.pair();
        feed.change('PUT', '1', '11', 500, access);
        feed.change('PUT', '1', '11', 500, access);
      },
      'assign.adds-user',
    ],
};

/** A token response with one member more, written behind the others. */
function refusedBesideExchange(feed: Feed, of: (code: string) => string): void {
  feed.refresh(feed.pair().refresh, issued(feed.fresh()));
  const code = feed.code();
  const tokens = feed.fresh();
  feed.exchange(code, issued(tokens));
  const refreshed = feed.token(refreshParameters(APPLICATION, tokens.refresh));
  feed.exchange(of(code), answer(400));
  refreshed(answer(400));
}

function withMember(response: WireResponse, member: string): WireResponse {
  const body = `${response.body.slice(0, -1)},${member}}`;
  return { ...response, body };
}

function asExchange(refresh: string): Parameters {
  return withChanges(refreshParameters(APPLICATION, refresh), { grant_type: 'authorization_code' });
}

function elsewhere(path: string): string {
  return `https://auth.test${path}`;
}

/** A code that was asked for to a loopback address is honoured with another. */
function exchangeTo(feed: Feed, address: string): void {
  const shown = { clientId: 'client-at-home', clientSecret: 'secret-at-home' };
  const redirectUri = 'http://127.0.0.1:8000/back';
  feed.take({ kind: 'application-created', shown: { ...shown, instead: '' }, redirectUri });
  const application = { ...shown, redirectUris: [redirectUri] } as const;
  const parameters = exchangeParameters(application, feed.code(application), address);
  feed.token(parameters)(issued(feed.fresh()));
}

/** A list that holds nobody the reader knows, where one was read before. */
function unreadableList(feed: Feed, guesses: boolean): void {
  const access = feed.assigned();
  feed.list('1', ['11'], access);
  feed.take({ kind: 'lists-read', reader: undefined, guesses });
  feed.begin('GET', listUrl('1'), undefined, access)(json('users'));
}

/** A user who was assigned twice is listed twice, then as `meanwhile`, then twice again. */
function listedTwice(feed: Feed, meanwhile: readonly string[]): void {
  const access = feed.assigned();
  feed.change('PUT', '1', '11', 200, access);
  for (const listed of [['11', '11'], meanwhile, ['11', '11']]) feed.list('1', listed, access);
}

function assignedAtOnce(feed: Feed, times: number, listed: readonly string[]): void {
  const { access } = feed.pair();
  const requests = Array.from({ length: times }, () =>
    feed.begin('PUT', `${listUrl('1')}/11`, undefined, access),
  );
  for (const answered of requests) answered(answer(200));
  feed.list('1', listed, access);
}

/** A user is unassigned who was first listed while being assigned. Returns the access token. */
function afterShownOnItsWay(feed: Feed): string {
  const { access } = feed.pair();
  const assigned = feed.begin('PUT', `${listUrl('1')}/11`, undefined, access);
  feed.list('1', ['11'], access);
  assigned(answer(200));
  feed.change('DELETE', '1', '11', 200, access);
  return access;
}

function replayed(feed: Feed, code: string): void {
  feed.exchange(code, issued(feed.fresh()));
  feed.exchange(code, answer(400));
}

/** A grant is seen to outlive a replay, the first of its code or a second one; then another is replayed, and the grant refused. */
function outlivesReplay(feed: Feed, second: boolean, secondsLater = 0): void {
  const used = feed.code();
  if (second) replayed(feed, used);
  else feed.exchange(used, issued(feed.fresh()));
  const { access } = feed.pair();
  feed.at += secondsLater;
  feed.exchange(used, answer(400));
  feed.list('1', [], access);
  replayed(feed, feed.code());
  feed.refused(access);
}

/** A code is refused some times; then another grant is refused. */
function refusedAfterRefusals(feed: Feed, times: number): void {
  const [code, { access }] = [feed.code(), feed.pair()];
  for (let time = 1; time <= times; time += 1)
    feed.exchange(code, answer(400), time === 1 ? { ...APPLICATION, clientSecret: 'wrong' } : APPLICATION);
  feed.refused(access);
}

/** The other application has a pair; then an application sends a used code, and that pair is refused. */
function refusedAfterReplayBy(feed: Feed, sender: FedApplication): void {
  const [used, { access }] = [feed.code(), feed.fresh()];
  feed.pair();
  feed.exchange(used, issued(feed.fresh()));
  feed.exchange(feed.code(OTHER), issued({ ...feed.fresh(), access }), OTHER);
  feed.exchange(used, answer(400), sender);
  feed.refused(access);
}

/** A refresh is honoured some seconds after the issue; another is refused some seconds after its own. */
function refreshedBeforeExpiry(feed: Feed, honouredAfter: number, refusedAfter: number): void {
  const honoured = feed.pair();
  feed.at += honouredAfter;
  feed.refresh(honoured.refresh, issued(feed.fresh()));
  const { refresh } = feed.pair();
  feed.at += refusedAfter;
  feed.refresh(refresh, answer(400));
}

function refusedAtExpiry(feed: Feed): void {
  const { refresh } = feed.pair();
  feed.at += 7200 + feed.target.spreadSeconds / 2;
  feed.refresh(refresh, answer(400));
}

/** A grant is seen to outlive a replay by an application; then another code is replayed by its own, and the grant refused. */
function outlivesReplayBy(feed: Feed, application: FedApplication): void {
  const [used, { access }] = [feed.code(), feed.pair()];
  feed.exchange(used, issued(feed.fresh()));
  feed.exchange(used, answer(401), application);
  feed.list('1', [], access);
  replayed(feed, feed.code());
  feed.refused(access);
}

/** A code is exchanged after a replay of another, or while that is on its way; then something is refused that was given before. */
function exchangedAfterReplay(
  feed: Feed,
  when: 'beside' | 'after',
  refused: (feed: Feed, given: { readonly code: string; readonly refresh: string }) => void,
): void {
  const [used, code] = [feed.code(), feed.code()];
  const { refresh } = feed.pair();
  const given = { code: feed.code(), refresh };
  feed.exchange(used, issued(feed.fresh()));
  const replay = feed.token(exchangeParameters(APPLICATION, used));
  if (when === 'after') replay(answer(400));
  feed.exchange(code, issued(feed.fresh()));
  if (when === 'beside') replay(answer(400));
  refused(feed, given);
}

function refusedCode(feed: Feed, { code }: { readonly code: string }): void {
  feed.exchange(code, answer(400));
}

function refusedRefresh(feed: Feed, { refresh }: { readonly refresh: string }): void {
  feed.at += 7203;
  feed.refresh(refresh, answer(400));
}

/** As many lists, each with one user more: the first, the last, and the access token that read them. */
function shownEverMore(feed: Feed, times: number) {
  const { access } = feed.pair();
  const users = Array.from({ length: times }, (_, index) => `${100 + index}`);
  for (const [index, user] of users.entries()) {
    feed.change('PUT', '1', user, 200, access);
    feed.list('1', users.slice(0, index + 1), access);
  }
  return { access, first: users.slice(0, 1), last: users };
}

/** Three exchanges, the second and the third with an access token by what the first gave; then the second's refresh token is refused. */
function refusedAfterThird(feed: Feed, accessAfter: (first: string) => string): void {
  const first = feed.pair();
  const [second, third] = [feed.fresh(), feed.fresh()];
  for (const { refresh } of [second, third])
    feed.exchange(feed.code(), issued({ access: accessAfter(first.access), refresh }));
  // Otherwise the service may know the latest grant alone.
  feed.refresh(first.refresh, issued(feed.fresh()));
  feed.at += 7203;
  feed.refresh(second.refresh, answer(400));
}

/** Refreshes of one token at once, two of them with tokens, some `unanswered`; then one of those tokens is refused. */
function refreshedAtOnce(
  feed: Feed,
  which: (first: string, last: string) => string,
  between: (refresh: string) => void = () => undefined,
  unanswered = 0,
): void {
  feed.refresh(feed.pair().refresh, issued(feed.fresh()));
  const { refresh } = feed.pair();
  const answers = [issued(feed.fresh()), issued(feed.fresh())] as const;
  const given = answers.map((one) => (JSON.parse(one.body) as { refresh_token: string }).refresh_token);
  const send = () => feed.token(refreshParameters(APPLICATION, refresh));
  const lost = Array.from({ length: unanswered }, send);
  const first = send();
  for (const ends of lost) ends(undefined);
  const last = send();
  first(answers[0]);
  last(answers[1]);
  between(refresh);
  feed.refresh(which(given[0] ?? '', given[1] ?? ''), answer(400));
}

function lastOf(_: string, last: string): string {
  return last;
}

/** Somebody presents a refresh token and is refused; then its client is. */
function refusedBefore(feed: Feed, first: (refreshToken: string) => Parameters): void {
  const refresh = feed.expired();
  feed.token(first(refresh))(answer(401));
  feed.refresh(refresh, answer(400));
}

/** A list of a user is answered so many seconds after its date, and is said to be the same when the user is gone. */
function unchangedSince(feed: Feed, seconds: number): void {
  const access = feed.assigned();
  const date = (at: number) => new Date(at * 1_000).toUTCString();
  const headers = [['Last-Modified', date(100)] as const, ['Date', date(100 + seconds)] as const];
  feed.listWith(headers, '1', ['11'], access);
  feed.change('DELETE', '1', '11', 200, access);
  feed.list('1', 'unchanged', access, [['If-Modified-Since', date(100)]]);
  feed.list('1', [], access);
}
