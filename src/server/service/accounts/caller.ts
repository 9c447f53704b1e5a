// Who sends a request to the API, and what plans accounts may have.

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

/** By name. */
export type Plans = Readonly<Record<string, Plan>>;

export interface Plan {
  /** Renders per calendar month. */
  readonly quota: number;
  /** Whether reaching the quota stops rendering; otherwise renders beyond it are counted as overage. */
  readonly blocks: boolean;
  /** What an account may keep besides its renders, MiB; absent or null = any amount. */
  readonly storage?: number | null | undefined;
  /** What the files of its renders may take, MiB; absent or null = any amount. */
  readonly renderStorage?: number | null | undefined;
}
