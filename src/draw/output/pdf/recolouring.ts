// Decides which groups with colour filters stay vector in a PDF: each of their colours is changed before it is painted.
// The others become pictures.
//
// Painting mixes colours: along a gradient, and where something translucent lies over something else. A colour matrix
// may come before that only if it keeps alpha unchanged, does not read it, and treats everything that is mixed alike:
// of two colours of which one is clamped, the mean becomes another colour than the mean of the results. Nothing in the
// group may be blended.

import type { Brush, GroupOp, PaintOp } from '#core/paint/display-list.ts';
import { isOpaqueBrush } from '#core/paint/gradient.ts';
import type { ImageResource } from '#core/resources.ts';
import { asColorMatrices, type ColorMatrices, type ColorMatrix } from './color-matrix.ts';

/** Least and greatest value, on 0..1. */
type Range = readonly [least: number, greatest: number];

/** What operations paint. */
interface Content {
  /** Of red, green and blue. */
  readonly ranges: readonly Range[];
  /** Whether what is below may shine through. */
  readonly isTranslucent: boolean;
  /** Whether different colours may be mixed. */
  readonly isMixed: boolean;
}

/** Any colours, such as those of an image. */
const ANY: readonly Range[] = [
  [0, 1],
  [0, 1],
  [0, 1],
];
/** Half a level of 255: what is clamped by less is not seen. */
const CRUMB = 0.5 / 255;

/** The recolouring of the groups of one page. */
export class Recolourings {
  readonly #images: ReadonlyMap<string, ImageResource>;
  readonly #known = new Map<GroupOp, ColorMatrices | null>();

  constructor(images: ReadonlyMap<string, ImageResource>) {
    this.#images = images;
  }

  /**
   * The colour matrices of a group's filters; null when it has none, or when they can only be applied to finished
   * pixels.
   */
  of(group: GroupOp): ColorMatrices | null {
    if (group.filters.length === 0) return null;
    let known = this.#known.get(group);
    if (known === undefined) {
      known = this.#find(group);
      this.#known.set(group, known);
    }
    return known;
  }

  /** Whether a group is drawn as pixels: it has filters that are not plain recolouring. */
  needsPixels(group: GroupOp): boolean {
    return group.filters.length > 0 && this.of(group) === null;
  }

  #find({ filters, ops }: GroupOp): ColorMatrices | null {
    const matrices = asColorMatrices(filters);
    if (matrices === null || blends(ops)) return null;
    const content = this.#contentOf(ops);
    return content?.isMixed && !treatsAlike(content.ranges, matrices) ? null : matrices;
  }

  /** Null when nothing is painted. */
  #contentOf(ops: readonly PaintOp[]): Content | null {
    let all: Content | null = null;
    for (const op of ops) {
      for (const over of this.#paintedBy(op)) {
        all = all ? together(all, over) : over;
      }
    }
    return all;
  }

  #paintedBy(op: PaintOp): readonly Content[] {
    switch (op.kind) {
      case 'fill':
      case 'stroke':
        return paintedWith(op.brush);
      case 'glyphs':
        return [op.outline?.brush, op.brush].flatMap((brush) => (brush ? paintedWith(brush) : []));
      case 'image':
        return [{ ranges: ANY, isTranslucent: this.#images.get(op.image)?.hasAlpha ?? true, isMixed: false }];
      case 'link':
        return [];
      case 'group':
        return op.opacity > 0 ? this.#paintedByGroup(op) : [];
    }
  }

  #paintedByGroup(group: GroupOp): readonly Content[] {
    if (this.needsPixels(group)) return [{ ranges: ANY, isTranslucent: true, isMixed: false }];
    const content = this.#contentOf(group.ops);
    if (!content) return [];
    const ranges = (this.of(group) ?? []).reduce(
      (before, matrix) => recoloured(before, matrix).map(clamped),
      content.ranges,
    );
    return [
      { ...content, ranges, isTranslucent: content.isTranslucent || group.opacity < 1 || group.mask !== undefined },
    ];
  }
}

function blends(ops: readonly PaintOp[]): boolean {
  return ops.some((op) => op.kind === 'group' && (op.blend !== 'normal' || blends(op.ops)));
}

function together(below: Content, over: Content): Content {
  return {
    ranges: below.ranges.map(([least, greatest], i) => {
      const [overLeast, overGreatest] = over.ranges[i] as Range;
      return [Math.min(least, overLeast), Math.max(greatest, overGreatest)];
    }),
    isTranslucent: below.isTranslucent || over.isTranslucent,
    isMixed: below.isMixed || over.isMixed || over.isTranslucent,
  };
}

function paintedWith(brush: Brush): readonly Content[] {
  const colors = brush.kind === 'solid' ? [brush.color] : brush.stops.map(({ color }) => color);
  if (colors.every(({ a }) => a === 0)) return [];
  const rangeOf = (channel: 'r' | 'g' | 'b'): Range => {
    const values = colors.map((color) => color[channel] / 255);
    return [Math.min(...values), Math.max(...values)];
  };
  const ranges = [rangeOf('r'), rangeOf('g'), rangeOf('b')];
  const isMixed = ranges.some(([least, greatest]) => least < greatest);
  return [{ ranges, isTranslucent: !isOpaqueBrush(brush), isMixed }];
}

/** Whether each channel, after each matrix, is clamped for none of the colours, or to the same value for all. */
function treatsAlike(ranges: readonly Range[], matrices: ColorMatrices): boolean {
  let now = ranges;
  return matrices.every((matrix) => {
    const next = recoloured(now, matrix);
    now = next.map(clamped);
    return next.every(
      ([least, greatest]) => (least >= -CRUMB && greatest <= 1 + CRUMB) || greatest <= CRUMB || least >= 1 - CRUMB,
    );
  });
}

/** Not clamped yet. */
function recoloured(ranges: readonly Range[], matrix: ColorMatrix): readonly Range[] {
  return [0, 4, 8].map((row): Range => {
    let [least, greatest] = [matrix[row + 3] ?? 0, matrix[row + 3] ?? 0];
    for (const [i, [low, high]] of ranges.entries()) {
      const share = matrix[row + i] ?? 0;
      least += share * (share < 0 ? high : low);
      greatest += share * (share < 0 ? low : high);
    }
    return [least, greatest];
  });
}

function clamped([least, greatest]: Range): Range {
  return [Math.min(1, Math.max(0, least)), Math.min(1, Math.max(0, greatest))];
}
