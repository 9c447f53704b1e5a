// A piece in, drawn on a surface out, with whatever had to be waited for in hand.

import type { Rect } from '#core/geometry.ts';
import type { Clip } from '#core/paint/display-list.ts';
import type { Resources } from '#core/resources.ts';
import { coverPath, type Mask } from '../coverage.ts';
import { drawGradient } from './gradient.ts';
import { letterMasks } from './letter-masks.ts';
import type { Layer, Letters, Piece } from './pieces.ts';
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
      drawGradient(surface, piece.gradient);
      break;
    case 'shape':
      surface.drawMask({ ...piece.area, alphas: shapeMask(piece) }, piece.color);
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

function drawLayer(surface: Surface, { area, pieces, clip, opacity }: Layer, tiles: Tiles, resources: Resources): void {
  const pixels = new Uint32Array(area.width * area.height);
  const layer = new Surface(area, pixels);
  for (const piece of pieces) drawPiece(layer, piece, tiles, resources);
  if (clip) layer.clip(clipMask(clip, area, resources));
  surface.draw({ ...area, pixels, stretch: null, edges: 'layer', opacity });
}

/** Alphas of an area. */
function clipMask(clip: Clip | Letters, area: Rect, resources: Resources): Uint8Array {
  if ('path' in clip) return coverPath(clip.path, clip.rule, { x: 0, y: 0 }, area);
  const all = new Uint8Array(area.width * area.height);
  for (const { x, y, width, height, alphas } of masksOf(clip, resources)) {
    for (let row = 0; row < height; row++) {
      const from = row * width;
      const to = (y + row - area.y) * area.width + x - area.x;
      for (let i = 0; i < width; i++) all[to + i] = alphas[from + i] as number;
    }
  }
  return all;
}
