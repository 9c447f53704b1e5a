// The schema of `sizes`, the further canvases of a template: each shares its layers, and may change any of them.

import { z } from 'zod';
import { pixelsBetween } from './page-setup.ts';

/** Largest canvas: one side, and all of it, px. 2400 × 2400 at scale 3 is 51.8 MP and must work for captures. */
export const MAX_SIDE = 16_384;
export const MAX_PIXELS = 52_000_000;
/** Sizes of one template beside its own. */
const MAX_SIZES = 20;

export const Side = z.int().min(1).max(MAX_SIDE);

/** Of a canvas of layers: px, or such as "105mm". Only then it is a part of a px; a picture has the nearest whole number. */
export const CanvasSide = pixelsBetween(1, MAX_SIDE);

/** The name of the template's own canvas among its sizes. */
export const OWN_SIZE = 'default';
/** What a request writes for every size that there is. */
export const EVERY = 'all';

export const SizeName = z
  .string()
  .regex(/^[\p{L}\p{N}][\p{L}\p{N} ._-]{0,59}$/u, 'must be at most 60 letters, digits, spaces, ".", "_" and "-"')
  .refine((name) => name !== OWN_SIZE && name !== EVERY, '"default" is the template’s own canvas, "all" every size');

const TemplateSize = z
  .strictObject({
    width: CanvasSide,
    height: CanvasSide,
    changes: z
      .record(z.string().min(1).max(100), z.unknown())
      .refine((changes) => Object.keys(changes).length <= 200, 'must name at most 200 layers')
      .default({})
      .meta({ description: 'Modifications by the names of layers, as of a request: {"title": {"fontSize": 96}}.' }),
  })
  .meta({ id: 'TemplateSize' });
export type TemplateSize = z.infer<typeof TemplateSize>;

export const Sizes = z
  .record(SizeName, TemplateSize)
  .refine((sizes) => Object.keys(sizes).length <= MAX_SIZES, `must have at most ${MAX_SIZES} sizes`)
  .meta({
    maxProperties: MAX_SIZES,
    description:
      'Further canvases by name, at most 20. Layers follow their `constraints`, or else keep their place in proportion; `changes` says what differs.',
  });
