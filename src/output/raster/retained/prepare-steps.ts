// Layers of pieces in, the steps that draw them out: whatever has to be awaited is, so that drawing is one synchronous
// stretch.

import type { Rect } from '#core/geometry.ts';
import type { Resources } from '#core/resources.ts';
import type { PlacedList } from '../place-images.ts';
import { drawRuns, joined, type Run, runOf } from './drawings.ts';
import { pictureTile } from './pictures.ts';
import type { Picture, Piece } from './pieces.ts';
import { runCoverage } from './run-coverage.ts';
import { shapeMask } from './shape-masks.ts';
import { premultiplied, type Surface } from './surface.ts';

export type Step = (surface: Surface) => void;

/** What pieces are drawn from. */
export interface Surroundings {
  readonly placed: PlacedList;
  readonly resources: Resources;
  readonly scale: number;
  /** Device px. */
  readonly canvas: Rect;
  /** Pieces that will likely be drawn again. */
  readonly stays: ReadonlySet<Piece>;
}

/** Steps for each layer; a layer lies over those before it. */
export async function prepareSteps(
  layers: readonly (readonly Piece[])[],
  { placed, resources, scale, canvas, stays }: Surroundings,
): Promise<Step[][]> {
  const plans = layers.map((pieces) => plan(pieces, scale, (piece) => directStep(piece, scale, resources, canvas)));
  const runs = plans.flat().filter((item) => 'pieces' in item);
  const tiles = drawRuns(runs, placed, resources, scale, canvas, stays);
  const stepOf = async (item: Step | Promise<Step> | Run): Promise<Step> => {
    if (!('pieces' in item)) return item;
    const tile = (await tiles).get(item);
    return (surface) => tile && surface.draw(tile);
  };
  return Promise.all(plans.map((items) => Promise.all(items.map(stepOf))));
}

/** Pieces that need no rasteriser as steps, the rest as runs as long as they pay. */
function plan(
  pieces: readonly Piece[],
  scale: number,
  direct: (piece: Piece) => Step | Promise<Step> | null,
): (Step | Promise<Step> | Run)[] {
  const items: (Step | Promise<Step> | Run)[] = [];
  for (const piece of pieces) {
    const item = direct(piece) ?? runOf(piece, scale);
    const last = items.at(-1);
    const longer = last && 'pieces' in last && 'pieces' in item ? joined(last, item) : null;
    if (longer) items[items.length - 1] = longer;
    else items.push(item);
  }
  return items;
}

/** The step of a piece that needs no rasteriser, or null. */
function directStep(piece: Piece, scale: number, { fonts }: Resources, canvas: Rect): Step | Promise<Step> | null {
  switch (piece.kind) {
    case 'letters': {
      const coverage = runCoverage(piece.op, scale, fonts.face(piece.op.run.face), canvas);
      const color = premultiplied(piece.color);
      return (surface) => surface.drawMask(coverage, coverage.alphas, color);
    }
    case 'picture':
      return pictureStep(piece);
    case 'block': {
      const color = premultiplied(piece.color);
      return (surface) => surface.fill(piece.area, color);
    }
    case 'shape': {
      const mask = shapeMask(piece, scale);
      const color = premultiplied(piece.color);
      return (surface) => surface.drawMask(piece.area, mask, color);
    }
    case 'drawing':
      return null;
  }
}

async function pictureStep({ shown, place }: Picture): Promise<Step> {
  const { pixels, isOpaque } = await pictureTile(shown);
  return (surface) => surface.draw({ ...place, pixels, isOpaque });
}
