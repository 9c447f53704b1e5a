// What every renderer in the race looks like from outside.

import type { Template } from '#core/template/template.ts';
import type { Assets } from '../assets.ts';

export type Output = 'png' | 'jpeg' | 'webp' | 'pdf';

/** JPEG and WebP, for all. */
export const QUALITY = 80;

export interface Peer {
  readonly outputs: readonly Output[];
  /**
   * A template and what to change in it in, a file's bytes out; all of it is timed.
   *
   * @param strings Platen is also handed patches of layers; the others only texts and sources of pictures
   */
  render(
    drawing: { template: Template },
    strings: Readonly<Record<string, unknown>>,
    output: Output,
    quality?: number,
  ): Promise<Uint8Array>;
  close?(): Promise<void>;
}

/** Opens a peer: imports it, hands it the fonts, starts what it needs. Not timed. */
export type OpenPeer = (assets: Assets) => Promise<Peer>;
