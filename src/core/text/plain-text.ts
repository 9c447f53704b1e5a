// Recognises plain text: letters, digits and signs of ASCII on one line, which most templates are filled with.
//
// Each step of text layout knows the result for it at once: one level, one script, one face, one cluster per character.
// Such a fast path must give the same result as the general one, which the tests of the step check.

const PLAIN_TEXT = /^[ -~]*$/;

/** Whether a text has only spaces and visible ASCII characters. */
export function isPlainText(text: string): boolean {
  return PLAIN_TEXT.test(text);
}

/** Every character that `isPlainText` accepts. */
export const PLAIN_CHARACTERS: readonly number[] = Array.from({ length: 0x7f - 0x20 }, (_, i) => 0x20 + i);
