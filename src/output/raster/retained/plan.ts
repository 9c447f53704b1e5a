// Pieces in painting order in; out comes what is drawn one after another: pieces that need no rasteriser by themselves,
// the rest in runs, as long as they pay.

import { joined, type Run, runOf } from './drawings.ts';
import type { Drawing, Piece } from './pieces.ts';

export type Item = Exclude<Piece, Drawing> | Run;

export function planOf(pieces: readonly Piece[]): Item[] {
  const items: Item[] = [];
  for (const piece of pieces) {
    const item = piece.kind === 'drawing' ? runOf(piece) : piece;
    const last = items.at(-1);
    const longer = last?.kind === 'run' && item.kind === 'run' ? joined(last, item) : null;
    if (longer) items[items.length - 1] = longer;
    else items.push(item);
  }
  return items;
}
