// Shortens the warnings of a render to a bounded list of sentences: what answers show and what is stored with a render.

import type { Diagnostic } from '#core/diagnostics.ts';

const MAX_ENTRIES = 20;
/** Maximum length of the list as JSON in ASCII, bytes. */
const MAX_BYTES = 2_048;
const MAX_MESSAGE = 300;

/** At most 20 sentences and 2 KiB as JSON; those that do not fit are counted in a last entry, `+N more`. */
export function warningSentences(diagnostics: readonly Diagnostic[]): readonly string[] {
  const messages = diagnostics.map(({ message }) =>
    message.length > MAX_MESSAGE ? `${message.slice(0, MAX_MESSAGE - 1)}…` : message,
  );
  for (let kept = Math.min(messages.length, MAX_ENTRIES); ; kept -= 1) {
    const more = messages.length - kept;
    const sentences = [...messages.slice(0, kept), ...(more > 0 ? [`+${more} more`] : [])];
    if (asciiJson(sentences).length <= MAX_BYTES || kept === 0) return sentences;
  }
}

/** JSON whose characters beyond ASCII are escaped. */
export function asciiJson(value: unknown): string {
  return JSON.stringify(value).replace(
    /[\u007f-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** `{warnings}`, or nothing where there are none, to be added to an answer. */
export const shownWarnings = (warnings: readonly string[]): { readonly warnings?: readonly string[] } =>
  warnings.length === 0 ? {} : { warnings };
