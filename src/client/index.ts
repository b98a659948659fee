/** The reference client: an integration of the service, to use or to copy. Begin at {@link createClient}. */
export type { CallOptions } from './assigned-users.ts';
export { type AuthorizationRequest, SCOPES, type Scope } from './authorization.ts';
export { type Client, createClient } from './client.ts';
export * from './errors.ts';
export type { ClientOptions } from './options.ts';
export { bearerHeader, queryParameter, type TokenPresentation } from './present-token.ts';
export { type AssignedUser, type ReadList, readAssignedUsers } from './read-list.ts';
export { type FileStoreOptions, fileStore } from './store/file-store.ts';
export { memoryStore } from './store/memory-store.ts';
export type { TokenPair, TokenStore } from './store/token-store.ts';
