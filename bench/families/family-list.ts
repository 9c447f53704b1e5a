// The families by name.

import { createRequire } from 'node:module';
import { WORKLOADS } from '../workloads.ts';
import { allChange, effects, photos, scripts } from './changing.ts';
import type { Family, OpenFamily } from './family.ts';
import { cold, release, rotation, scale2, zipf } from './templates.ts';

const { version } = createRequire(import.meta.url)('../../package.json') as { version: string };

/** The three cards in turn: the old benchmark, for comparison. */
const cards: OpenFamily = () => ({
  name: 'cards',
  outputs: ['png'],
  renderers: ['platen', 'takumi'],
  warmUp: 60,
  rounds: 75,
  draw(i) {
    const { template, strings } = WORKLOADS[i % WORKLOADS.length] as (typeof WORKLOADS)[number];
    return { template, modifications: strings(i) };
  },
});

const FAMILIES: Readonly<Record<string, OpenFamily>> = {
  rotation,
  'scale-2': scale2,
  'all-change': allChange,
  effects,
  cold,
  zipf,
  scripts,
  photos,
  cards,
  release: release(version),
};

export const FAMILY_NAMES: readonly string[] = Object.keys(FAMILIES);

/** @throws Error for a name that is not in FAMILY_NAMES */
export function openFamily(name: string, seed: number): Family {
  const open = FAMILIES[name];
  if (!open) throw new Error(`no family "${name}"`);
  return open(seed);
}
