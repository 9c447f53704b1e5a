// Wraps satori at the edge: lays out a tree of plain elements and returns its SVG, with letters as `<text>`.

import satori, { type Font, init } from 'satori/standalone';
import type { Rect } from '#core/geometry.ts';
import { wasmFile } from '../wasm-files.ts';

export type SatoriFont = Font;

type Detected = Pick<Parameters<typeof satori>[1], 'onNodeDetected' | 'pointScaleFactor'>;

export interface SatoriOptions extends Detected {
  readonly width: number;
  readonly height: number;
  readonly fonts: SatoriFont[];
  readonly debug: boolean;
  /** Returns the picture of an emoji as a `data:` address, or null. */
  readonly emoji: (segment: string) => Promise<string | null>;
}

let started: Promise<void> | null = null;

/** Parts of a pixel to which boxes are measured: those of Chromium. */
const FRACTION = 64;

/**
 * Lays out a tree without drawing it.
 *
 * @returns the boxes of the elements with a key
 * @throws Error with satori's message
 */
export async function measureWithSatori(tree: unknown, options: SatoriOptions): Promise<ReadonlyMap<string, Rect>> {
  const boxes = new Map<string, Rect>();
  await drawWithSatori(tree, {
    ...options,
    pointScaleFactor: FRACTION,
    onNodeDetected: ({ key, left, top, width, height }) => {
      if (typeof key === 'string') boxes.set(key, { x: left, y: top, width, height });
    },
  });
  return boxes;
}

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
