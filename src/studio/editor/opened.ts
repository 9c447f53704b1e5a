// A template that was opened in the editor.

import type { Draft, RenderDetail } from '../shell/contract.ts';
import type { RawDocument } from './document/document.ts';

/** The draft on the server, and the document to start from: newer if a tab crashed before it saved. */
export interface Opened {
  readonly draft: Draft;
  readonly saved: RawDocument;
  readonly document: RawDocument;
  /** Initial values of the parameters: of the render that `?values=` names, otherwise none. */
  readonly values: RenderDetail['modifications'] & object;
}
