// Wraps satori at the edge: lays out a tree of plain elements and returns its SVG, with letters as `<text>`.

import satori, { type Font, init } from 'satori/standalone';
import { wasmFile } from '../wasm-files.ts';

export type SatoriFont = Font;

export interface SatoriOptions {
  readonly width: number;
  readonly height: number;
  readonly fonts: SatoriFont[];
  readonly debug: boolean;
  /** Returns the picture of an emoji as a `data:` address, or null. */
  readonly emoji: (segment: string) => Promise<string | null>;
}

let started: Promise<void> | null = null;

/** @throws Error with satori's message */
export async function drawWithSatori(tree: unknown, options: SatoriOptions): Promise<string> {
  started ??= wasmFile('satori').then((module) => init(module));
  await started;
  const { emoji, ...others } = options;
  return satori(tree as Parameters<typeof satori>[0], {
    ...others,
    embedFont: false,
    loadAdditionalAsset: async (code, segment) => (code === 'emoji' ? ((await emoji(segment)) ?? []) : []),
  });
}
