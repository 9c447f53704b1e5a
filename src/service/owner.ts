// Whose images and fonts a drawing may use, and as of when: as its template was found.
//
// A template is asked for each time, and says so of its account; what else was read of the account's uploads at the same
// count still holds, and is not read again.

export interface Owner {
  readonly accountId: string;
  /** Counts the images and fonts of the account as they come and go. */
  readonly uploadsVersion: number;
}

/** A key for what holds of the owner's uploads at that count. */
export const momentOf = ({ accountId, uploadsVersion }: Owner) => `${accountId}@${uploadsVersion}`;
