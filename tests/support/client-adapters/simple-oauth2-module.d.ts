/** The part of simple-oauth2 that its adapter uses. */
declare module 'simple-oauth2' {
  interface Token {
    readonly [field: string]: unknown;
  }
  interface AccessToken {
    readonly token: Token;
    expired(windowSeconds?: number): boolean;
    refresh(): Promise<AccessToken>;
  }
  interface ModuleOptions {
    readonly client: { readonly id: string; readonly secret: string };
    readonly auth: { readonly tokenHost: string };
    readonly options?: { readonly authorizationMethod?: 'header' | 'body' };
    readonly http?: { readonly timeout?: number };
  }
  export class AuthorizationCode {
    constructor(options: ModuleOptions);
    authorizeURL(params: {
      readonly redirect_uri: string;
      readonly scope: readonly string[];
      readonly state: string;
    }): string;
    getToken(params: { readonly code: string; readonly redirect_uri: string }): Promise<AccessToken>;
    createToken(token: Token): AccessToken;
  }
}
