import type { Shape } from '../../../../src/profiles/shape.ts';

export interface OptionBody {
  readonly body?: 'none' | 'json' | 'text';
  readonly contentType?: string;
  readonly shape?: Shape;
}

export interface OptionSuccess {
  readonly status: number;
  readonly body: 'none' | 'user' | 'text' | 'json';
  readonly contentType?: string;
  readonly pointer?: string;
  readonly shape?: Shape;
}

export interface OptionFailure extends OptionBody {
  readonly status: number;
  readonly challenge?: string;
  readonly description: string;
}

export interface OptionRefusal extends OptionBody {
  readonly status: number;
  readonly error: string;
  readonly description: string;
  readonly challenged?: boolean;
}

export interface OptionPage {
  readonly status: number;
  readonly error: string;
  readonly description: string;
  readonly delivery?: 'page' | 'redirect';
}

export interface OptionMethod extends OptionBody {
  readonly status: number;
  readonly allow: boolean;
}

type Repeated = 'refused' | 'first-wins' | 'last-wins';
type Headers = Readonly<Record<string, string>>;

export interface Options {
  readonly 'token-presentation': { readonly places: readonly string[]; readonly schemeCase: string };
  readonly 'scope-per-operation': Readonly<Record<'assign' | 'unassign' | 'list', readonly string[]>>;
  readonly 'operation-answers': {
    readonly assign: OptionSuccess;
    readonly repeatedAssign: OptionSuccess;
    readonly unassign: OptionSuccess;
    readonly unassignNotAssigned: OptionSuccess | 'refused';
    readonly list: { readonly status: number; readonly contentType: string };
    readonly requestBodies: string;
  };
  readonly 'list-shape': {
    readonly arrayPointer: string;
    readonly countPointer?: string;
    readonly idPointer: string;
    readonly idType: 'number' | 'string';
    readonly fields: readonly string[];
    readonly order: string;
    readonly paging?: { readonly pageParameter: string; readonly sizeParameter: string };
  };
  readonly 'resource-failures': OptionBody & {
    readonly realm: string;
    readonly cases: Readonly<Record<string, OptionFailure>>;
  };
  readonly 'token-failures': OptionBody & {
    readonly challenge: 'every-failure' | 'status-401' | 'never';
    readonly challengeScheme: string;
    readonly realm: string;
    readonly cacheControl?: string;
    readonly repeatedParameter: Repeated;
    readonly refreshTokenBeforeClient: boolean;
    readonly cases: Readonly<Record<string, OptionRefusal>>;
  };
  readonly 'authorize-failures': {
    readonly delivery: 'page' | 'redirect';
    readonly denial: 'page' | 'redirect';
    readonly redirectStatus: number;
    readonly redirectSpaces: string;
    readonly redirectIssuer?: boolean;
    readonly repeatedParameter: Repeated;
    readonly cases: Readonly<Record<string, OptionPage>>;
  };
  readonly 'client-authentication': Readonly<
    Record<'basic' | 'basicAndForm' | 'queryString' | 'jsonBody' | 'multipartBody', string>
  > & { readonly basicEncoding?: string };
  readonly 'refresh-fate': Readonly<
    Record<'oldAccessToken' | 'oldRefreshToken' | 'reuse' | 'beforeExpiry', string>
  >;
  readonly lifetimes: { readonly code: number; readonly refreshToken: number | 'unlimited' };
  readonly 'failed-exchange': { readonly burnsCode: boolean; readonly replayRevokes: boolean };
  readonly 'token-response-fields': {
    readonly extra: readonly string[];
    readonly order: string;
    readonly contentType: string;
    readonly cacheControl?: string;
    readonly pragma?: string;
    readonly distinctTokens: boolean;
    readonly accessTokenLength?: number;
    readonly refreshTokenLength?: number;
  };
  readonly 'consent-memory': { readonly remembered: string };
  readonly 'scope-requests': Readonly<
    Record<'narrowerOnRefresh' | 'widerOnRefresh' | 'onExchange', 'granted' | 'ignored' | 'refused'>
  >;
  readonly pkce: { readonly challenge: string };
  readonly 'response-headers': {
    readonly names: string;
    readonly pages: Headers;
    readonly token: Headers;
    readonly resource: Headers;
  };
  readonly 'other-methods': {
    readonly head: 'as-get' | 'other';
    readonly options: OptionMethod;
    readonly authorize: OptionMethod;
    readonly token: OptionMethod;
    readonly resource: OptionMethod;
    readonly exceptions?: Readonly<Record<string, Readonly<Record<string, OptionMethod>>>>;
  };
  readonly neighbours: Readonly<Record<'revoke' | 'introspect' | 'tokenInfo' | 'metadata', string>> & {
    readonly openidConfiguration?: string;
  };
  readonly 'loopback-ports': { readonly ports: string };
  readonly 'id-forms': Readonly<Record<'project' | 'user', string>>;
}
