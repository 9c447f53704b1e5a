// An operation in, a digest of all that decides what it looks like out: its numbers, its faces, its pictures' contents.

import { hash } from 'node:crypto';
import type { PaintOp } from '#core/paint/display-list.ts';
import { fileDigest } from '../../file-digest.ts';
import type { ImageOp, PlacedImage } from '../place-images.ts';

export function digestOf(parts: readonly string[]): string {
  return hash('sha256', parts.join('\n'), 'base64');
}

/** @param images what is shown by each image operation */
export function opDigest(op: PaintOp, images: ReadonlyMap<ImageOp, PlacedImage>): string {
  return digestOf([spelled(op, images)]);
}

/** What an image shows, without where. */
export function pictureKey({ image, source, size }: PlacedImage): string {
  const { x, y, width, height } = source;
  return `${fileDigest(image.bytes)} ${x} ${y} ${width} ${height} ${size.width}×${size.height}`;
}

function spelled(op: PaintOp, images: ReadonlyMap<ImageOp, PlacedImage>): string {
  switch (op.kind) {
    case 'image': {
      const placed = images.get(op);
      // The name of an image is its source, which may be megabytes long and says nothing about its contents.
      return placed ? `image ${pictureKey(placed)} ${placed.isOnGrid} ${JSON.stringify(op.dest)}` : '';
    }
    case 'group': {
      const { ops, ...own } = op;
      return `${JSON.stringify(own)}[${ops.map((inner) => spelled(inner, images)).join(',')}]`;
    }
    case 'glyphs': {
      const { run, origin, brush, outline } = op;
      let spelling = `${run.face} ${run.fontSize} ${run.slant} ${origin.x} ${origin.y} ${JSON.stringify([brush, outline])}`;
      // Their words make no pixel, and to spell every field by name would take longer than to draw them.
      for (const { id, x, y } of run.glyphs) spelling += ` ${id},${x},${y}`;
      return spelling;
    }
    default:
      return JSON.stringify(op);
  }
}
