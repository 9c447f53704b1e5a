// Who sends a request to the API.

import type { KeyKind } from '#base/ids.ts';
import type { KeyScope } from './key-scope.ts';

/** The authenticated caller: what a valid key says about a request. */
export interface Caller {
  readonly accountId: string;
  readonly plan: string;
  readonly kind: KeyKind;
  /** What the key may do; null = everything, also of a person in the studio. */
  readonly scope: KeyScope | null;
  /** The count of changes as of which this is known, and what else it reads may be (storage/changes.ts); absent = unknown. */
  readonly asOf?: number;
}
