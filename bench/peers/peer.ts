// What every renderer in the race looks like from outside.

import type { Assets } from '../assets.ts';
import type { Workload } from '../workloads.ts';

export type Output = 'png' | 'jpeg' | 'webp' | 'pdf';

/** JPEG and WebP, for all. */
export const QUALITY = 80;

export interface Peer {
  readonly outputs: readonly Output[];
  /** Strings and kept files in, a file's bytes out. Everything in between is timed. */
  render(workload: Workload, strings: Readonly<Record<string, string>>, output: Output): Promise<Uint8Array>;
  close?(): Promise<void>;
}

/** Opens a peer: imports it, hands it the fonts, starts what it needs. Not timed. */
export type OpenPeer = (assets: Assets) => Promise<Peer>;
