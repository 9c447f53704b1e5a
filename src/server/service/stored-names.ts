// Names of what is stored that routes need, which may not import storage itself.

export { KEY_KINDS } from '#base/ids.ts';
export type { Account } from '#server/storage/accounts.ts';
export type { MemberRole, Membership } from '#server/storage/people.ts';
export { SECRET_PURPOSES, type SecretPurpose } from '#server/storage/secrets.ts';
export type { SessionHolder } from '#server/storage/sessions.ts';
export type { Permit } from './people/permit.ts';
