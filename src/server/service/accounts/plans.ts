// The plans that accounts may have.

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
