// Layers of pieces in, the steps that draw them out: whatever has to be awaited is, so that drawing is one synchronous
// stretch.

import type { Rect } from '#core/geometry.ts';
import type { Resources } from '#core/resources.ts';
import type { PlacedList } from '../place-images.ts';
import { drawRuns, joined, type Run, runOf } from './drawings.ts';
import { type MaskSet, prepareMasks, runCoverage } from './glyph-masks.ts';
import { pictureTile } from './pictures.ts';
import type { Letters, Picture, Piece } from './pieces.ts';
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
  const letters = layers.flat().filter((piece) => piece.kind === 'letters');
  const masks = prepareMasks(
    letters.map(({ op }) => op),
    scale,
    resources.fonts,
  );
  const plans = layers.map((pieces) => plan(pieces, scale, (piece) => directStep(piece, scale, masks, canvas)));
  const runs = plans.flat().filter((item) => 'pieces' in item);
  const tiles = drawRuns(runs, placed, resources, scale, canvas, stays);
  const stepOf = async (item: Promise<Step> | Run): Promise<Step> => {
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
  direct: (piece: Piece) => Promise<Step> | null,
): (Promise<Step> | Run)[] {
  const items: (Promise<Step> | Run)[] = [];
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
function directStep(piece: Piece, scale: number, masks: MaskSet, canvas: Rect): Promise<Step> | null {
  switch (piece.kind) {
    case 'letters':
      return lettersStep(piece, scale, masks, canvas);
    case 'picture':
      return pictureStep(piece);
    case 'block': {
      const color = premultiplied(piece.color);
      return Promise.resolve((surface) => surface.fill(piece.area, color));
    }
    case 'shape': {
      const mask = shapeMask(piece, scale);
      const color = premultiplied(piece.color);
      return Promise.resolve((surface) => surface.drawMask(piece.area, mask, color));
    }
    case 'drawing':
      return null;
  }
}

function lettersStep({ op, color }: Letters, scale: number, masks: MaskSet, canvas: Rect): Promise<Step> | null {
  const coverage = runCoverage(op, scale, masks, canvas);
  if (!coverage) return null;
  const pixel = premultiplied(color);
  return Promise.resolve((surface) => surface.drawMask(coverage, coverage.alphas, pixel));
}

async function pictureStep({ shown, place }: Picture): Promise<Step> {
  const { pixels, isOpaque } = await pictureTile(shown);
  return (surface) => surface.draw({ ...place, pixels, isOpaque });
}
