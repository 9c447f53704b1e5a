// A piece in, drawn on a surface out, with whatever had to be waited for in hand.

import type { Resources } from '#core/resources.ts';
import { coverPath, type Mask } from '../coverage.ts';
import { letterMasks } from './letter-masks.ts';
import type { Layer, Letters, Piece, Shaded } from './pieces.ts';
import { shapeMask } from './shape-masks.ts';
import { Surface } from './surface.ts';
import type { Tiles } from './tiles.ts';

export function drawPiece(surface: Surface, piece: Piece, tiles: Tiles, resources: Resources): void {
  switch (piece.kind) {
    case 'letters':
      surface.drawMasks(masksOf(piece, resources), piece.area, piece.color);
      break;
    case 'block':
      surface.fill(piece.area, piece.color);
      break;
    case 'gradient':
      piece.gradient.draw(surface);
      break;
    case 'shape':
      surface.drawMask({ ...piece.area, alphas: shapeMask(piece) }, piece.color);
      break;
    case 'shaded':
      drawShaded(surface, piece, tiles, resources);
      break;
    case 'layer':
      drawLayer(surface, piece, tiles, resources);
      break;
    default: {
      const drawn = tiles.get(piece);
      if (drawn && 'alphas' in drawn) surface.drawMask(drawn, drawn.color);
      else if (drawn) surface.draw(drawn);
    }
  }
}

function masksOf({ op, letters }: Letters, { fonts }: Resources): readonly Mask[] {
  return letterMasks(op, letters, fonts.face(op.run.face));
}

function drawShaded(surface: Surface, piece: Shaded, tiles: Tiles, resources: Resources): void {
  const { area, gradient, through } = piece;
  const pixels = new Uint32Array(area.width * area.height);
  gradient.draw(new Surface(area, pixels));
  surface.drawThrough({ ...area, alphas: stencil(through, tiles, resources) }, pixels, gradient.edges);
}

/** Alphas of its area. */
function stencil(through: Shaded['through'], tiles: Tiles, resources: Resources): Uint8Array {
  if (through.kind === 'shape') return shapeMask(through);
  if (through.kind === 'letters') return lettersMask(through, resources);
  const drawn = tiles.get(through);
  if (!drawn || !('alphas' in drawn)) throw new Error('what is drawn in an opaque colour is a mask');
  return drawn.alphas;
}

function lettersMask(piece: Letters, resources: Resources): Uint8Array {
  const { area } = piece;
  const all = new Uint8Array(area.width * area.height);
  for (const { x, y, width, height, alphas } of masksOf(piece, resources)) {
    for (let row = 0; row < height; row++) {
      const from = row * width;
      const to = (y + row - area.y) * area.width + x - area.x;
      for (let i = 0; i < width; i++) all[to + i] = alphas[from + i] as number;
    }
  }
  return all;
}

function drawLayer(surface: Surface, { area, pieces, clip, opacity }: Layer, tiles: Tiles, resources: Resources): void {
  const pixels = new Uint32Array(area.width * area.height);
  const layer = new Surface(area, pixels);
  for (const piece of pieces) drawPiece(layer, piece, tiles, resources);
  if (clip) layer.clip(coverPath(clip.path, clip.rule, area));
  surface.draw({ ...area, pixels, stretch: null, edges: 'layer', opacity });
}
