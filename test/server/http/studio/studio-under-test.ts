// Starts the real server with people in its first account, and sends requests as a same-origin page would.

import { type Answer, type Ask, type ServerUnderTest, serverUnderTest } from '../server-under-test.ts';

export const PASSWORD = 'correct horse battery';
const ROLES = ['owner', 'editor', 'viewer'] as const;
type Who = (typeof ROLES)[number] | 'stranger';

export interface As extends Omit<Ask, 'key'> {
  /** Whose session to use; null = none, a string with `=` = this cookie. */
  readonly as?: Who | null | `${string}=${string}`;
}

export interface StudioUnderTest extends AsyncDisposable {
  readonly server: ServerUnderTest;
  /** Requests a path below the account's in the studio's API, as the owner unless `as` says otherwise. */
  readonly ask: (path: string, as?: As) => Promise<Answer>;
  /** Requests a path below `/v1/studio`. */
  readonly api: (path: string, as?: As) => Promise<Answer>;
  /** The cookie of a person's session. */
  readonly cookieOf: (who: Who) => string;
  /** The id of a person. */
  readonly idOf: (who: Who) => string;
}

export async function studioUnderTest(...options: Parameters<typeof serverUnderTest>): Promise<StudioUnderTest> {
  const server = await serverUnderTest(...options);
  const { people, members, sessions } = server.services;
  const cookies = new Map<Who, { cookie: string; id: string }>();
  for (const who of [...ROLES, 'stranger'] as const) {
    const person = await people.create({ email: `${who}@example.com`, name: who, password: null });
    await members.add(
      who === 'stranger' ? server.other : server.account,
      person.id,
      who === 'stranger' ? 'owner' : who,
    );
    const { token } = await sessions.begin(person.id, { address: '127.0.0.1', agent: 'test' });
    cookies.set(who, { cookie: `__Host-platen=${token}`, id: person.id });
  }
  const found = (who: Who) => cookies.get(who) ?? { cookie: '', id: '' };
  const api = (path: string, { as = 'owner', headers = {}, ...ask }: As = {}) => {
    const cookie = as === null ? null : as.includes('=') ? as : found(as as Who).cookie;
    const isUnsafe = (ask.method ?? 'GET') !== 'GET';
    return server.ask(`/v1/studio${path}`, {
      ...ask,
      key: null,
      headers: { ...(cookie ? { cookie } : {}), ...(isUnsafe ? { origin: server.url } : {}), ...headers },
    });
  };
  return {
    server,
    api,
    ask: (path, as) => api(`/accounts/${server.account}${path}`, as),
    cookieOf: (who) => found(who).cookie,
    idOf: (who) => found(who).id,
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}
