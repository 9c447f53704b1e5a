// What may be edited by somebody who may not edit everything: in the page of another site.

import type { RawDocument } from '../document/document.ts';

export interface EditLimits {
  /** A sentence about what an edit may not change; null = it may be made. */
  refused(before: RawDocument, after: RawDocument): string | null;
  /** Whether a layer cannot be selected on the canvas. */
  isLocked(document: RawDocument, name: string): boolean;
  /** Whether layers may be moved, resized, added and styled, besides getting other texts and pictures. */
  readonly mayDesign: boolean;
}
