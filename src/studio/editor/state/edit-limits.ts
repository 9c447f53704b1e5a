// What may be edited by somebody who may not edit everything: in the page of another site.

import type { RawDocument } from '../document/document.ts';

export interface EditLimits {
  /** Whether an edit may not be made, which the user is then told. */
  refuse(before: RawDocument, after: RawDocument): boolean;
  /** Whether a layer cannot be selected on the canvas. */
  isLocked(document: RawDocument, name: string): boolean;
  /** Whether layers may be moved, resized, added and styled, besides getting other texts and pictures. */
  readonly mayDesign: boolean;
}
