// Replaces SVG pictures by the operations of their vectors, so that a PDF shows them sharp at every size, with real text.

import type { PaintOp } from '#core/paint/display-list.ts';
import { clipped, group } from '#core/paint/group.ts';
import { rectPath } from '#core/paint/outline.ts';
import type { ImageResource, Resources, SimplifiedSvg } from '#core/resources.ts';
import { readSvg, UnreadableSvg } from '#core/svg/read-svg.ts';
import { parseXml } from '#images/xml.ts';

type ImageOp = Extract<PaintOp, { kind: 'image' }>;

/** Most elements, and depth, of a simplified picture. */
const LIMITS = { elements: 60_000, depth: 400 };

/** Draws pictures as vectors where they are simplified, and leaves the others. */
export class VectorPictures {
  readonly #images: Resources['images'];
  readonly #ops = new Map<SimplifiedSvg, readonly PaintOp[] | null>();
  readonly #shared = new WeakSet<readonly PaintOp[]>();
  readonly #simplified: readonly SimplifiedSvg[];

  constructor({ images }: Resources) {
    this.#images = images;
    this.#simplified = [...images.values()].flatMap(({ simplified }) => simplified ?? []);
  }

  /** Whether these are the operations of a picture that takes more than a reference to it would, each time it is drawn. */
  readonly isShared = (ops: readonly PaintOp[]): boolean => this.#shared.has(ops);

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
    const vectors = op.kind === 'image' && !op.isPixelated ? this.#vectorsOf(this.#images.get(op.image)) : null;
    return vectors && op.kind === 'image' ? placed(vectors, op) : [op];
  }

  #vectorsOf(image: ImageResource | undefined): readonly PaintOp[] | null {
    const simplified = image?.simplified;
    if (!simplified) return null;
    const known = this.#ops.get(simplified);
    if (known !== undefined) return known;
    const ops = read(simplified);
    if (ops && weight(ops) > SHARED) this.#shared.add(ops);
    this.#ops.set(simplified, ops);
    return ops;
  }
}

/** Path commands and letters from which on a picture is written once. */
const SHARED = 100;

/** Path commands and letters; less than none if there are links, which are not in the picture but on its page. */
function weight(ops: readonly PaintOp[]): number {
  return ops.reduce((sum, op) => {
    if (op.kind === 'group') return sum + weight(op.ops) + (op.mask ? weight(op.mask) : 0);
    if (op.kind === 'link') return Number.NEGATIVE_INFINITY;
    return sum + (op.kind === 'glyphs' ? op.run.glyphs.length : 'path' in op ? op.path.length : 1);
  }, 0);
}

function read({ svg, texts, fonts }: SimplifiedSvg): readonly PaintOp[] | null {
  try {
    return readSvg(parseXml(svg, LIMITS), { texts, images: new Map(), backdrops: new Map(), fonts });
  } catch (error) {
    if (error instanceof UnreadableSvg) return null;
    throw error;
  }
}

function placed(vectors: readonly PaintOp[], { source, dest }: ImageOp): readonly PaintOp[] {
  const [x, y] = [dest.width / source.width, dest.height / source.height];
  const transform = [x, 0, 0, y, dest.x - source.x * x, dest.y - source.y * y] as const;
  return group({ transform }, clipped(vectors, { path: rectPath(source), rule: 'nonzero' }));
}
