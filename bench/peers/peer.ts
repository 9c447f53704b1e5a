// The interface of every renderer in the race.

import type { Template } from '../../src/core/template/template.ts';
import type { Assets } from '../assets.ts';

export type Output = 'png' | 'jpeg' | 'webp' | 'pdf';

/** JPEG and WebP quality for all renderers. */
export const QUALITY = 80;

export interface Peer {
  readonly outputs: readonly Output[];
  /**
   * Renders a template with modifications to a file's bytes; all of it is timed.
   *
   * @param strings Platen also gets patches of layers; the others only texts and sources of pictures
   */
  render(
    drawing: { template: Template; scale?: number },
    strings: Readonly<Record<string, unknown>>,
    output: Output,
    quality?: number,
  ): Promise<Uint8Array>;
  close?(): Promise<void>;
}

/** Opens a peer: imports it, passes it the fonts, starts what it needs. Not timed. */
export type OpenPeer = (assets: Assets) => Promise<Peer>;
