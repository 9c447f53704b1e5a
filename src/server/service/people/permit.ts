// The type by which a transaction asks whether the sender of a request may still do what the transaction does, and who
// that is.

import type { Actor } from '#server/storage/audit.ts';
import type { Stores } from '#server/storage/storage.ts';

/**
 * Throws unless the sender of a request may still do what it asks, and returns who that is, for the audit log. Called in
 * the transaction that does it: nobody can take a person's or a key's right away until that ends. See rights.ts, and
 * `Keys.permit` for API keys.
 */
export interface Permit {
  (stores: Stores): Promise<Actor>;
  /** The hash of an API key, where all that is asked is whether it is valid and its account active: a statement can ask that. */
  readonly key?: string;
}

/** For the server itself. */
export const unrestricted: Permit = async () => ({ kind: 'server', id: null, name: null });

/** For the commands of `platen`, whose caller can read the database anyway. */
export const byCommandLine: Permit = async () => ({ kind: 'command-line', id: null, name: null });
