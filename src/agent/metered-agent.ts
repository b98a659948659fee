import { TransportFailure, unlessAborted } from '../exchange/exchange.ts';
import type { Recorder } from '../exchange/recorder.ts';
import type { Traffic } from '../exchange/traffic.ts';
import type { AccountAreaPages } from '../targets/target.ts';
import type { CookieJar } from './cookie-jar.ts';
import type {
  AuthorizeOptions,
  AuthorizeOutcome,
  NewApplication,
  ShownCredentials,
  UserAgent,
} from './user-agent.ts';

type PageAgent = UserAgent & { cookieJar(): Promise<CookieJar> };

export class MeteredAgent implements UserAgent {
  readonly kind = 'page';
  readonly #agent: PageAgent;
  readonly #traffic: Traffic;

  constructor(agent: PageAgent, traffic: Traffic) {
    this.#agent = agent;
    this.#traffic = traffic;
  }

  cookieJar(): Promise<CookieJar> {
    return this.#agent.cookieJar();
  }

  async authorize(url: string, options: AuthorizeOptions, recorder: Recorder): Promise<AuthorizeOutcome> {
    const trouble = await this.#stopped(recorder);
    if (trouble !== undefined) return { pages: [], visited: [], decided: false, trouble };
    return this.#agent.authorize(url, options, recorder);
  }

  async createApplication(
    url: string,
    area: AccountAreaPages,
    wanted: NewApplication,
    recorder: Recorder,
  ): Promise<ShownCredentials> {
    const trouble = await this.#stopped(recorder);
    if (trouble !== undefined) return { instead: trouble };
    return this.#agent.createApplication(url, area, wanted, recorder);
  }

  async #stopped({ signal }: Recorder): Promise<string | undefined> {
    try {
      await unlessAborted(this.#traffic.browserTurn(), signal);
      return undefined;
    } catch (error) {
      if (error instanceof TransportFailure) return error.message;
      throw error;
    }
  }
}
