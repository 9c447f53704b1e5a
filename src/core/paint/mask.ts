// Paints what a mask lets through as tones of grey: a gradient over the box, or a picture in it (CSS Masking 1 §6).
//
// A display list has masks of light only, so an opacity becomes a tone: opaque where that is exact, because a
// translucent gradient takes a mask of its own in a PDF.

import { type Color, WHITE } from '../color.ts';
import type { Rect } from '../geometry.ts';
import { fitImage } from '../layout/image-fit.ts';
import type { Fade, Mask } from '../resolve/scene.ts';
import type { ImageResource } from '../resources.ts';
import type { Brush, PaintOp } from './display-list.ts';
import { greyed, silhouetted } from './filter.ts';
import { brushFor } from './gradient.ts';
import { group } from './group.ts';
import { outlinePath, rectPath } from './outline.ts';

const CENTRE = { x: 0.5, y: 0.5 };

type Images = ReadonlyMap<string, ImageResource>;

/** Operations as a node's mask shows them: within its outline, and faded. */
export function masked(
  ops: readonly PaintOp[],
  { outline, fade }: Mask,
  box: Rect,
  images: Images,
): readonly PaintOp[] {
  const clip = { path: outlinePath(outline, box), rule: 'nonzero' } as const;
  return group({ clip, ...lightOf(fade, box, images) }, ops);
}

/** The `mask` of a group that fades so. */
export function lightOf(fade: Fade | null, box: Rect, images: Images): { readonly mask?: readonly PaintOp[] } {
  if (fade === null) return {};
  if (fade.kind === 'gradient') {
    const brush = brushFor(fade.fill, box);
    return { mask: [{ kind: 'fill', path: rectPath(box), rule: 'nonzero', brush: toned(brush, fade.mode) }] };
  }
  const image = images.get(fade.image);
  const placement = image && fitImage(image, box, fade.fit, CENTRE);
  // As in CSS, what cannot be seen lets nothing through.
  if (!placement) return { mask: [] };
  const filter = fade.mode === 'alpha' ? silhouetted(WHITE) : greyed(1);
  return { mask: group({ filters: [filter] }, [{ kind: 'image', image: fade.image, ...placement }]) };
}

function toned(brush: Brush, mode: Fade['mode']): Brush {
  const tone = (color: Color): Color => {
    if (mode === 'alpha') return grey(255 * color.a, 1);
    return grey(0.2126 * color.r + 0.7152 * color.g + 0.0722 * color.b, color.a);
  };
  if (brush.kind === 'solid') return { kind: 'solid', color: tone(brush.color) };
  return { ...brush, stops: brush.stops.map(({ offset, color }) => ({ offset, color: tone(color) })) };
}

const grey = (tone: number, a: number): Color => ({ r: tone, g: tone, b: tone, a });
