// Where the sizes of a template are beside each other on the canvas.

import type { Rect } from '#core/geometry.ts';
import type { RawDocument } from '../document/document.ts';
import { sizesOf } from '../document/document.ts';

/** px of the canvas between two sizes, of their longest side. */
const GAP = 0.12;
interface Place {
  /** null = the template's own canvas. */
  readonly name: string | null;
  readonly x: number;
  readonly width: number;
  readonly height: number;
}

/** Where each size is, in canvas px from the corner of the edited one. */
export function placesOf(stored: RawDocument, current: string | null): readonly Place[] {
  const all = [{ name: null, width: stored.width, height: stored.height }, ...named(stored)];
  const gap = GAP * Math.max(...all.map(({ width, height }) => Math.max(width, height)));
  let x = 0;
  const placed = all.map(({ name, width, height }): Place => {
    const place = { name, x, width, height };
    x += width + gap;
    return place;
  });
  const origin = placed.find(({ name }) => name === current)?.x ?? 0;
  return placed.map((place) => ({ ...place, x: place.x - origin }));
}

const named = (stored: RawDocument) =>
  Object.entries(sizesOf(stored)).map(([name, { width, height }]) => ({ name, width, height }));

/** The rectangle around all sizes. */
export function aroundAll(stored: RawDocument, current: string | null): Rect {
  const places = placesOf(stored, current);
  const x = Math.min(...places.map((place) => place.x));
  const right = Math.max(...places.map((place) => place.x + place.width));
  return { x, y: 0, width: right - x, height: Math.max(...places.map((place) => place.height)) };
}
