// A piece in, drawn on a surface out, with whatever had to be waited for in hand.

import type { Resources } from '#core/resources.ts';
import { coverPath } from '../coverage.ts';
import { drawLetters } from './draw-letters.ts';
import { drawGradient } from './gradient.ts';
import type { Layer, Piece } from './pieces.ts';
import { shapeMask } from './shape-masks.ts';
import { Surface } from './surface.ts';
import type { Tiles } from './tiles.ts';

export function drawPiece(surface: Surface, piece: Piece, tiles: Tiles, resources: Resources): void {
  switch (piece.kind) {
    case 'letters':
      drawLetters(surface, piece.op, piece.letters, piece.area, resources.fonts.face(piece.op.run.face), piece.color);
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

function drawLayer(surface: Surface, { area, pieces, clip, opacity }: Layer, tiles: Tiles, resources: Resources): void {
  const pixels = new Uint32Array(area.width * area.height);
  const layer = new Surface(area, pixels);
  for (const piece of pieces) drawPiece(layer, piece, tiles, resources);
  if (clip) layer.clip(coverPath(clip.path, clip.rule, { x: 0, y: 0 }, area));
  surface.draw({ ...area, pixels, stretch: null, edges: 'layer', opacity });
}
