// The two ways core reports problems: input that is odd but still rendered, and input that cannot be rendered.
//
// A Diagnostic is data and returned with the result; a ValidationError stops the render before any work.

/** A caller's text as a sentence repeats it: cut to so many characters, with an ellipsis. */
export function shortened(text: string, most = 100): string {
  return text.length > most ? `${text.slice(0, most - 1).replace(/[\ud800-\udbff]$/, '')}…` : text;
}

/** The same in double quotes, with escapes, for sentences that quote what a caller sent. */
export const quoted = (text: string, most?: number): string => JSON.stringify(shortened(text, most));

/** Something odd that was rendered anyway; reported to the caller in `platen-warnings`. */
export interface Diagnostic {
  readonly code:
    | 'unknown-layer'
    | 'unknown-property'
    | 'entries-left-out'
    | 'unknown-family'
    | 'untranslated'
    | 'font-not-installed'
    | 'missing-glyph'
    | 'borrowed-letters'
    | 'missing-weight'
    | 'minimum-above-maximum'
    | 'unknown-field'
    | 'image-left-out'
    | 'image-simplified'
    | 'script-left-out'
    | 'satori-subset'
    | 'text-overflow'
    | 'table-shrunk'
    | 'rate-rounded'
    | 'inks-in-gradient'
    | 'inks-filtered'
    | 'content-outside'
    | 'page-cut-short';
  /** The layer it is about, or null for the whole template. */
  readonly layer: string | null;
  /** One public sentence. */
  readonly message: string;
}

/** Input that does not fit its schema. `message` names the path and the fix, and is safe to show. */
export class ValidationError extends Error {
  override readonly name = 'ValidationError';
  /** Where in the input, as the caller wrote it: `modifications.title.fontSize`. */
  readonly path: string;
  /** What is wrong there, and how to fix it. */
  readonly problem: string;

  constructor(path: string, problem: string) {
    super(path === '' ? problem : `${path}: ${problem}`);
    this.path = path;
    this.problem = problem;
  }
}
