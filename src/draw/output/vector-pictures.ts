// Replaces SVG pictures by the operations of their vectors: pixels and PDF then show the same, and a PDF shows them sharp
// at every size, with real text.

import type { PaintOp } from '#core/paint/display-list.ts';
import { clipped, group } from '#core/paint/group.ts';
import { rectPath } from '#core/paint/outline.ts';
import type { Resources, SimplifiedSvg } from '#core/resources.ts';
import { FIXED_STROKE } from '#core/svg/read-attributes.ts';
import { readSvg, UnreadableSvg } from '#core/svg/read-svg.ts';
import { parseXml } from '#draw/images/xml.ts';

type ImageOp = Extract<PaintOp, { kind: 'image' }>;

/** Most elements, and depth, of a simplified picture. */
const LIMITS = { elements: 60_000, depth: 400 };

/** Draws pictures as vectors where they are simplified, and leaves the others. */
export class VectorPictures {
  readonly #images: Resources['images'];
  readonly #simplified: readonly SimplifiedSvg[];

  constructor({ images }: Resources) {
    this.#images = images;
    this.#simplified = [...images.values()].flatMap(({ simplified }) => simplified ?? []);
  }

  /** The resources with the faces of the pictures' letters. */
  facesIn(resources: Resources): Resources {
    if (this.#simplified.length === 0) return resources;
    return { ...resources, fonts: resources.fonts.withFacesOf(this.#simplified.map(({ fonts }) => fonts)) };
  }

  /** These operations, or the same array if none of them is a picture of vectors. */
  drawn(ops: readonly PaintOp[]): readonly PaintOp[] {
    if (this.#simplified.length === 0) return ops;
    const drawn = ops.flatMap((op) => this.#drawn(op));
    return drawn.length === ops.length && drawn.every((op, i) => op === ops[i]) ? ops : drawn;
  }

  #drawn(op: PaintOp): readonly PaintOp[] {
    if (op.kind === 'group') {
      const ops = this.drawn(op.ops);
      const mask = op.mask && this.drawn(op.mask);
      return [ops === op.ops && mask === op.mask ? op : { ...op, ops, ...(mask && { mask }) }];
    }
    const image = op.kind === 'image' && !op.isPixelated ? this.#images.get(op.image) : undefined;
    if (!image?.simplified || op.kind !== 'image') return [op];
    const { role } = op;
    return role ? placed(image.simplified, op).map((each) => ({ ...each, role })) : placed(image.simplified, op);
  }
}

const known = new WeakMap<SimplifiedSvg, readonly PaintOp[] | null>();

/** The operations of a picture, at its natural size; null when it has what they cannot express. */
export function vectorsOf(simplified: SimplifiedSvg): readonly PaintOp[] | null {
  const before = known.get(simplified);
  if (before !== undefined) return before;
  const ops = read(simplified);
  known.set(simplified, ops);
  if (ops && weight(ops) > SHARED) shared.add(ops);
  return ops;
}

const shared = new WeakSet<readonly PaintOp[]>();
/** Path commands and letters from which on a picture is written once in a file. */
const SHARED = 100;

/** Whether these are the operations of a picture that takes more than a reference to it would, each time it is drawn. */
export const isShared = (ops: readonly PaintOp[]): boolean => shared.has(ops);

/** Path commands and letters; less than none if there are links, which are not in the picture but on its page. */
function weight(ops: readonly PaintOp[]): number {
  return ops.reduce((sum, op) => {
    if (op.kind === 'group') return sum + weight(op.ops) + (op.mask ? weight(op.mask) : 0);
    if (op.kind === 'link') return Number.NEGATIVE_INFINITY;
    return sum + (op.kind === 'glyphs' ? op.run.glyphs.length : 'path' in op ? op.path.length : 1);
  }, 0);
}

function read({ svg, texts, fonts }: SimplifiedSvg, scale = 1): readonly PaintOp[] | null {
  const marks = { texts, images: new Map(), backdrops: new Map(), fonts, scale };
  try {
    return readSvg(parseXml(svg, LIMITS), marks);
  } catch (error) {
    if (error instanceof UnreadableSvg) return null;
    throw error;
  }
}

function placed(simplified: SimplifiedSvg, op: ImageOp): readonly PaintOp[] {
  const { source, dest } = op;
  const [x, y] = [dest.width / source.width, dest.height / source.height];
  const scale = Math.sqrt(x * y);
  const isAsRead = Math.abs(scale - 1) < 1e-6 || !simplified.svg.includes(FIXED_STROKE);
  const vectors = isAsRead ? vectorsOf(simplified) : read(simplified, scale);
  if (!vectors) return [op];
  const transform = [x, 0, 0, y, dest.x - source.x * x, dest.y - source.y * y] as const;
  return group({ transform }, clipped(vectors, { path: rectPath(source), rule: 'nonzero' }));
}
