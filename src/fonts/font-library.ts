// The faces that Platen can draw with: the catalogue's, the user's own, and the chain that falls back along them.

import type { Diagnostic } from '#core/diagnostics.ts';
import type { FontNeed } from '#core/resolve/scene.ts';
import type { FontSet } from '#core/text/font-set.ts';

export interface LoadedFonts {
  readonly fonts: FontSet;
  /** Unknown families. */
  readonly diagnostics: readonly Diagnostic[];
}

export interface FontLibrary {
  /** Faces for each need, the best match first, then what its code points fall back to. Parsed faces are kept. */
  load(needs: readonly FontNeed[]): Promise<LoadedFonts>;
  /** What the catalogue names but the installation lacks, with how to mend it. */
  readonly missing: readonly string[];
}
