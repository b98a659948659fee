/** The part of `oidc-provider` 9 that the independent service uses; the package ships no types of its own. */
declare module 'oidc-provider' {
  import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';

  /** The parameters of a request that `oidc-provider` knows. */
  export type Params = Readonly<Record<string, string | undefined>>;

  export interface Context {
    readonly req: IncomingMessage & { body?: unknown };
    readonly res: ServerResponse;
    readonly method: string;
    readonly path: string;
    /** The query as it was sent, not decoded. */
    readonly querystring: string;
    status: number;
    type: string;
    body: unknown;
    set(name: string, value: string): void;
    get(name: string): string;
    /** Absent until the request has reached a route of `oidc-provider`. */
    readonly oidc: {
      readonly params: Params;
      readonly requestParamOIDCScopes: ReadonlySet<string>;
      readonly result?: { readonly consent?: { readonly grantId?: string } };
      readonly session: { readonly accountId?: string; grantIdFor(clientId: string): string | undefined };
      readonly client: Client;
      readonly provider: Provider;
    };
  }

  export type Middleware = (ctx: Context, next: () => Promise<void>) => Promise<void>;

  export interface Client {
    readonly clientId: string;
    readonly clientName?: string;
    readonly clientSecret: string;
    readonly redirectUris: readonly string[];
    grantTypeAllowed(type: string): boolean;
    compareClientSecret(this: Client, secret: string): boolean;
  }

  export interface Grant {
    addOIDCScope(scope: string): void;
    save(): Promise<string>;
  }

  export interface AccessToken {
    readonly isExpired: boolean;
    readonly scopes: ReadonlySet<string>;
  }

  export interface Interaction {
    readonly uid: string;
    readonly prompt: { readonly name: string; readonly details: { readonly missingOIDCScope?: string[] } };
    readonly params: Params;
    readonly session?: { readonly accountId: string };
    readonly grantId?: string;
  }

  export type InteractionResult =
    | { readonly login: { readonly accountId: string } }
    | { readonly consent: { readonly grantId: string } }
    | { readonly error: string; readonly error_description: string };

  export class Provider {
    constructor(issuer: string, configuration: Readonly<Record<string, unknown>>);
    /** The request that is being answered, or undefined outside of one. */
    static readonly ctx: Context | undefined;
    readonly AccessToken: { find(value: string): Promise<AccessToken | undefined> };
    readonly Client: { readonly prototype: Client; find(clientId: string): Promise<Client | undefined> };
    readonly Grant: {
      new (input: { accountId: string; clientId: string }): Grant;
      find(id: string): Promise<Grant | undefined>;
    };
    callback(): RequestListener;
    use(middleware: Middleware): this;
    interactionDetails(req: IncomingMessage, res: ServerResponse): Promise<Interaction>;
    interactionFinished(
      req: IncomingMessage,
      res: ServerResponse,
      result: InteractionResult,
      options: { mergeWithLastSubmission: boolean },
    ): Promise<void>;
  }

  export const errors: {
    readonly InvalidRequest: new (description: string) => Error;
    readonly InvalidScope: new (description: string, scope?: string) => Error;
    readonly SessionNotFound: new (description: string) => Error;
  };
}
