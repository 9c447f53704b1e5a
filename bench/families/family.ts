// A family of workloads: an endless series of drawings of one kind, each determined by the family's seed and a number.
//
// The author of the families had not written the renderer's kernels, so they do not favour what the kernels happen to
// be good at. Another seed gives other templates, words, positions and pictures of the same kind.

import type { Modifications } from '#core/resolve/apply-modifications.ts';
import type { Template } from '#core/template/template.ts';
import type { Output } from '../peers/peer.ts';

export interface Drawing {
  /** The same object whenever the same template recurs, because a server keeps it parsed. */
  readonly template: Template;
  readonly modifications: Modifications;
  /** Device px per px; absent = 1. Only Platen and takumi follow it. */
  readonly scale?: number;
}

export interface Family {
  readonly name: string;
  readonly outputs: readonly Output[];
  /** The renderers to race against each other. */
  readonly renderers: readonly string[];
  /** Drawings before the first counted one, and the number of counted ones. */
  readonly warmUp: number;
  readonly rounds: number;
  /** The `i`-th drawing, `i` ≥ 0: the same for every renderer. */
  draw(i: number): Drawing;
}

/** Creates a family from a seed. */
export type OpenFamily = (seed: number) => Family;

/** A seed for the `i`-th item derived from `seed` (two rounds of a 32-bit mix). */
export function seedOf(seed: number, i: number): number {
  let mixed = Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) ^ Math.imul(i + 1, 0xc2b2ae35);
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x27d4eb2f);
  return (mixed ^ (mixed >>> 13)) >>> 0;
}
