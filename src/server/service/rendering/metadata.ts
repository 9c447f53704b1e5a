// What a caller gives with a request to know its render by: an order's number, a customer. It comes back in answers,
// lists and webhooks, and changes nothing.

import { ValidationError } from '#core/diagnostics.ts';

/** A text, or an object without lists or objects in it. */
export type Metadata = string | Readonly<Record<string, string | number | boolean | null>>;

/** Maximum length of a text, and of an object as JSON, in characters. */
export const MAX_METADATA = 1_000;
const MAX_METADATA_MEMBERS = 20;
const MAX_NAME = 40;

/**
 * Parses a request's field `metadata`; undefined where it is absent or null.
 *
 * @throws ValidationError
 */
export function readMetadata({ metadata }: Readonly<Record<string, unknown>>): Metadata | undefined {
  if (metadata === undefined || metadata === null) return undefined;
  if (typeof metadata === 'string') {
    if (metadata.length <= MAX_METADATA) return metadata;
    throw new ValidationError('metadata', `must have at most ${MAX_METADATA} characters`);
  }
  if (typeof metadata !== 'object' || Array.isArray(metadata)) {
    throw new ValidationError('metadata', 'must be a string or an object');
  }
  const members = Object.entries(metadata);
  if (members.length > MAX_METADATA_MEMBERS) {
    throw new ValidationError('metadata', `must have at most ${MAX_METADATA_MEMBERS} members`);
  }
  for (const [name, value] of members) {
    if (name === '' || name.length > MAX_NAME || name === '__proto__') {
      throw new ValidationError('metadata', `names must have 1 to ${MAX_NAME} characters, and not be "__proto__"`);
    }
    if (typeof value === 'object' && value !== null) {
      throw new ValidationError(`metadata.${name}`, 'must be a string, a number, true, false or null');
    }
  }
  if (JSON.stringify(metadata).length > MAX_METADATA) {
    throw new ValidationError('metadata', `must have at most ${MAX_METADATA} characters as JSON`);
  }
  return metadata as Metadata;
}

/** As it is stored. */
export const storedMetadata = (metadata: Metadata | undefined): string | null =>
  metadata === undefined ? null : JSON.stringify(metadata);

/** `{metadata}`, or nothing where none was given, to be added to an answer. @param stored JSON */
export const shownMetadata = (stored: string | null | undefined): { readonly metadata?: Metadata } =>
  stored == null ? {} : { metadata: JSON.parse(stored) };
