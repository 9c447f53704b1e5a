// Checks the frames that repeat.

import { ValidationError } from '../diagnostics.ts';
import { didYouMean } from '../nearest-name.ts';
import type { FrameLayer, Layer } from './layer.ts';
import type { RepeatOptions } from './repeat.ts';

/** The options of a frame that repeats; null if it does not. */
export function repeatOf({ repeat }: FrameLayer): RepeatOptions | null {
  if (typeof repeat === 'object') return repeat;
  return repeat ? PLAIN : null;
}

/** Whether a layer has entries, over which others calculate. */
export const isListed = (layer: Layer): boolean =>
  layer.type === 'table' || (layer.type === 'frame' && layer.repeat !== false);

/**
 * Checks what the schema cannot: the layout, the names of children, and how deep repeats nest.
 *
 * @param where the path of the frame
 * @param depth how many frames around it repeat
 * @throws ValidationError below `where`
 */
export function checkRepeat(frame: FrameLayer, where: string, depth: number): void {
  const options = repeatOf(frame);
  if (!options) return;
  if (frame.layout === null) throw new ValidationError(`${where}.repeat`, 'needs a layout, which places the entries');
  if (depth >= MAX_NESTED)
    throw new ValidationError(`${where}.repeat`, 'a list may hold lists, but these no further ones');
  const names = frame.children.map(({ name }) => name);
  for (const role of ['empty', 'separator'] as const) {
    const name = options[role];
    if (name !== null && !names.includes(name)) {
      throw new ValidationError(`${where}.repeat.${role}`, `the frame has no child ${didYouMean(name, names)}`);
    }
  }
  const inside = namesIn(frame.children);
  for (const [name, value] of Object.entries(options.alternate ?? {})) {
    if (typeof value === 'object' && value !== null && 'children' in value) {
      throw new ValidationError(`${where}.repeat.alternate`, 'may not change the children of a frame');
    }
    if (inside.includes(name)) continue;
    throw new ValidationError(`${where}.repeat.alternate`, `the frame has no layer ${didYouMean(name, inside)}`);
  }
  if (options.empty !== null && options.empty === options.separator) {
    throw new ValidationError(`${where}.repeat.separator`, 'must not be the same child as empty');
  }
}

const namesIn = (layers: readonly Layer[]): readonly string[] =>
  layers.flatMap((layer) => (layer.type === 'frame' ? [layer.name, ...namesIn(layer.children)] : [layer.name]));

const PLAIN: RepeatOptions = { max: null, empty: null, separator: null, alternate: null };

/** How many repeats may be within one another. */
const MAX_NESTED = 2;
