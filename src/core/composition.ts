// The display list of one page or picture, with its warnings.

import type { Diagnostic } from './diagnostics.ts';
import type { DisplayList } from './paint/display-list.ts';

export interface Composition {
  readonly list: DisplayList;
  /** Those of the scene, then of layout, then about content that is cut off. */
  readonly diagnostics: readonly Diagnostic[];
}
