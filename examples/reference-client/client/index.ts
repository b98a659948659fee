/** The reference client: an integration of the service, to copy. Begin at {@link createClient}. */
export type { CallOptions } from './assigned-users.ts';
export { type AuthorizationRequest, SCOPES, type Scope } from './authorization.ts';
export { type Client, createClient } from './client.ts';
export * from './errors.ts';
export {
  type AssignedUser,
  bearerHeader,
  type ClientOptions,
  queryParameter,
  type ReadList,
  readAssignedUsers,
  type TokenPresentation,
} from './options.ts';
export { type FileStoreOptions, fileStore } from './store/file-store.ts';
export { memoryStore, type TokenPair, type TokenStore } from './store/token-store.ts';
