// A family of workloads: endlessly many drawings of one kind, each decided by the family's seed and a number.
//
// Families were written by somebody who had not written the renderer's kernels, so that nothing in them is what the
// kernels happen to be good at. Another seed draws other templates, words, places and pictures of the same kind.

import type { Modifications } from '#core/resolve/apply-modifications.ts';
import type { Template } from '#core/template/template.ts';
import type { Output } from '../peers/peer.ts';

export interface Drawing {
  /** The same object whenever the same template comes up: a server holds it parsed. */
  readonly template: Template;
  readonly modifications: Modifications;
}

export interface Family {
  readonly name: string;
  readonly outputs: readonly Output[];
  /** Raced against each other. */
  readonly renderers: readonly string[];
  /** Drawings before the first that counts, and how many count. */
  readonly warmUp: number;
  readonly rounds: number;
  /** The `i`-th drawing, `i` ≥ 0: the same for every renderer. */
  draw(i: number): Drawing;
}

/** What a family needs to be drawn from a seed. */
export type OpenFamily = (seed: number) => Family;

/** A seed for the `i`-th thing that `seed` leads to (two rounds of a 32-bit mix). */
export function seedOf(seed: number, i: number): number {
  let mixed = Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) ^ Math.imul(i + 1, 0xc2b2ae35);
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x27d4eb2f);
  return (mixed ^ (mixed >>> 13)) >>> 0;
}
