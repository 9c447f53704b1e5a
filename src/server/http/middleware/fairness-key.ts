// Determines whose turn a request takes, before anything is asked of the database: the account of a key or the person of
// a session that was valid lately, otherwise the client's address. So invented keys and cookies take one turn together.

import { hash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { LruCache } from '#core/lru-cache.ts';
import { addressGroup } from '#server/service/accounts/address-group.ts';

/** How many keys and sessions are remembered. */
const REMEMBERED = 10_000;

/** What whoever takes turns needs of a request. */
type Asked = Pick<IncomingMessage, 'headers' | 'socket'>;

export class FairnessKeys {
  /** By digests of credentials. A key that is retired later keeps its turn, and is refused when that comes. */
  readonly #holders = new LruCache<string, string>(REMEMBERED);

  /** Remembers the account or person of a request's credential, which was valid. */
  remember(request: Asked, holder: string): void {
    const credential = credentialOf(request);
    if (credential !== null) this.#holders.set(digest(credential), holder, 1);
  }

  /**
   * The key of a request in a round robin.
   *
   * @param address of the client, if another than the peer's
   */
  of(request: Asked, address = request.socket.remoteAddress ?? ''): string {
    const credential = credentialOf(request);
    const holder = credential === null ? undefined : this.#holders.get(digest(credential));
    return holder ?? addressGroup(address);
  }
}

/** The header of a key, or the cookie of a session. */
function credentialOf({ headers }: Asked): string | null {
  const { authorization, cookie = '' } = headers;
  return authorization ?? /(?:^|;\s*)(?:__Host-)?platen=([^;]+)/.exec(cookie)?.[1]?.slice(0, 200) ?? null;
}

const digest = (credential: string) => hash('sha256', credential);
