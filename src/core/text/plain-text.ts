// The text that most templates are filled with: letters, digits and signs of ASCII on one line.
//
// Each step of text layout knows at once what comes of it: one level, one script, one face, a cluster a character. A
// step that takes this short cut ends where its long way ends, which its tests hold it to.

const PLAIN_TEXT = /^[ -~]*$/;

/** Whether a text is of the space and the visible characters of ASCII alone. */
export function isPlainText(text: string): boolean {
  return PLAIN_TEXT.test(text);
}

/** Every character that `isPlainText` lets pass. */
export const PLAIN_CHARACTERS: readonly number[] = Array.from({ length: 0x7f - 0x20 }, (_, i) => 0x20 + i);
