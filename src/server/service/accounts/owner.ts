// The account whose images and fonts a drawing may use, as of the moment when its template was found.
//
// The template is queried for each request, and its row carries the account's upload count. Whatever was read of the
// account's uploads at the same count is still valid and is not read again.

export interface Owner {
  readonly accountId: string;
  /** Counts changes to the images and fonts of the account. */
  readonly uploadsVersion: number;
}

/** A cache key for what was read of the owner's uploads at that count. */
export const uploadsKeyOf = ({ accountId, uploadsVersion }: Owner) => `${accountId}@${uploadsVersion}`;
