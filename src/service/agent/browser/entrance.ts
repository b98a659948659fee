import type { Recorder } from '../../../http/recorder.ts';
import type { FormPages } from '../../target.ts';
import { type CredentialSource, SIGN_IN } from '../sign-in-values.ts';
import { CredentialGuard } from './credential-guard.ts';
import type { NavigationLog } from './navigation-log.ts';
import { proposeConsent, proposeSignIn } from './propose.ts';
import { refuseFailedSignIn, signIn } from './sign-in.ts';
import { type PageKind, shownKind, type Tab } from './tab.ts';

const MOST_INTERSTITIALS = 5;

/** Handles the pages before consent: interstitials, and one sign-in. */
export class Entrance {
  readonly #pages: FormPages;
  readonly #credentials: CredentialSource;
  readonly #guard: CredentialGuard;

  constructor(pages: FormPages, credentials: CredentialSource) {
    this.#pages = pages;
    this.#guard = new CredentialGuard(credentials);
    this.#credentials = this.#guard.source;
  }

  get login(): string {
    return this.#credentials.owner.login;
  }

  get whenRefused(): Promise<void> {
    return this.#guard.whenRefused;
  }

  async enter(tab: Tab, first: PageKind, recorder: Recorder, log?: NavigationLog): Promise<PageKind> {
    const kind = await this.#pass(tab, first, recorder, log);
    const { proposal } = this.#pages;
    if (proposal && tab.catcher.caught === undefined)
      await tab.look(proposeConsent(tab, proposal, this.login), 'read the consent page');
    return kind;
  }

  async #pass(tab: Tab, first: PageKind, recorder: Recorder, log?: NavigationLog): Promise<PageKind> {
    let kind = first;
    let signedIn = false;
    for (let passed = 0; passed <= MOST_INTERSTITIALS; passed += 1) {
      if (typeof kind === 'object') {
        const { interstitial } = kind;
        kind = await tab.step(recorder, 'pass an interstitial', () =>
          tab.clickAway(interstitial, 'signIn.interstitials'),
        );
      } else if (kind === 'sign-in' && !signedIn) {
        signedIn = true;
        kind = await this.#signIn(tab, recorder);
      } else return kind;
      log?.mark(shownKind(kind));
    }
    return kind;
  }

  async #signIn(tab: Tab, recorder: Recorder): Promise<PageKind> {
    const guard = this.#guard;
    const { proposal } = this.#pages;
    const act = async () => {
      if (proposal !== undefined) return proposeSignIn(tab, this.#pages, proposal, this.#credentials);
      await signIn(tab.page, this.#pages, this.#credentials, tab.clickAway.bind(tab));
      if (this.#pages.signInModule?.signIn !== undefined) await tab.leftSignIn();
    };
    const caught = () => tab.catcher.guarding((request) => guard.stops(request), tab.deadlineMs, act);
    const guarded = () => guard.guarding(tab.page.context(), tab.deadlineMs, caught);
    try {
      const kind = await tab.step(recorder, SIGN_IN, guarded);
      if (guard.refused !== undefined) throw guard.refused;
      const shows = shownKind(kind);
      const onward = shows === 'consent' || (shows === 'other' && typeof kind === 'object');
      if (tab.catcher.caught === undefined && !onward) await refuseFailedSignIn(tab.page, this.#pages);
      return kind;
    } catch (error) {
      throw guard.refused ?? error;
    }
  }
}
