// Names that the studio's API shares with storage.

export { KEY_KINDS } from '#ids.ts';
export type { Membership, Role } from '#storage/people.ts';
export { SECRET_PURPOSES, type SecretPurpose } from '#storage/secrets.ts';
export type { SessionHolder } from '#storage/sessions.ts';
export type { Permit } from '../people/permit.ts';
