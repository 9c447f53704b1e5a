// Binds declared operations to their handlers.

import type Router from '@koa/router';
import type { Right } from '#server/service/accounts/key-scope.ts';
import { may } from './middleware/authentication.ts';
import type { Handler, State } from './middleware/request-context.ts';
import type { Access, Operation } from './v1/operation.ts';

export const entriesOf = <Name extends string, T>(table: Readonly<Record<Name, T>>) =>
  Object.entries(table) as [Name, T][];

export function addRoute(router: Router<State>, { method, path }: Operation, handle: Handler): void {
  router[method](path.replace(/\{(\w+)\}/g, ':$1'), handle);
}

/** Runs `handle` only for keys with the right that the operation requires. Whether there is a key is checked before. */
export function admit({ access }: Operation, handle: Handler): Handler {
  return isRights(access) ? may(access, handle) : handle;
}

type Rights = Right | readonly Right[];
const OTHERS: readonly Access[] = ['open', 'signature', 'key', 'person', 'viewer', 'editor', 'owner', 'editor-token'];
const isRights = (access: Access): access is Rights => !OTHERS.includes(access);
