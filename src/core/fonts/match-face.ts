// Matches a style with one of a family's faces: the font matching of CSS Fonts 4, section 5.2.
//
// Width, then style, then weight; a variable face matches exactly within its axes. Pure: no font is opened.

import { LruCache } from '../lru-cache.ts';
import { type FontQuery, fontQueryKey } from '../text/font-set.ts';
import type { Coverage } from './coverage.ts';

/** An axis of a variable font. */
export interface Axis {
  readonly min: number;
  readonly initial: number;
  readonly max: number;
}

/** A face that can be opened. */
export interface AvailableFace {
  /** Unique in the library, and the same on every machine for the same file. */
  readonly id: string;
  readonly family: string;
  readonly weight: number;
  /** OS/2 usWidthClass: 1 ultra-condensed, 5 normal, 9 ultra-expanded. */
  readonly width: number;
  readonly style: 'normal' | 'italic';
  /** By tag; empty for a static font. */
  readonly axes: Readonly<Record<string, Axis>>;
  readonly coverage: Coverage;
  /** Where the file is read: a path, or a URL in a browser. */
  readonly path: string;
}

/** A face with the variations and synthesis that a style needs. */
export interface FaceMatch {
  readonly face: AvailableFace;
  /** The point of a variable font's design space; empty = the file's default. */
  readonly variations: Readonly<Record<string, number>>;
  /** See MatchedFace.slant. */
  readonly slant: number;
  /** See MatchedFace.embolden. */
  readonly embolden: boolean;
}

/** CSS Fonts 4: `oblique` without an angle means 14 degrees. */
const OBLIQUE_DEGREES = 14;
const SYNTHETIC_SLANT = Math.tan((OBLIQUE_DEGREES * Math.PI) / 180);

/** The weight from which Chromium treats a style, and a face, as bold. */
export const BOLD = 600;

const NORMAL_WIDTH = 5;

/** Cached matches by family, whose list of faces never changes: templates use the same styles again and again. */
const known = new WeakMap<readonly AvailableFace[], LruCache<string, readonly FaceMatch[]>>();
const KEPT_QUERIES = 500;

/** CSS's first available font is the one with this character. */
export const SPACE = 0x20;

/**
 * The best faces of a family, at least one: several where files divide the characters of one face between them (CSS's
 * composite face). For a character that more than one of them has, the first is meant.
 *
 * @param faces of one family, at least one, in order of precedence
 */
export function matchFaces(faces: readonly AvailableFace[], query: FontQuery): readonly FaceMatch[] {
  let ofFamily = known.get(faces);
  if (!ofFamily) {
    ofFamily = new LruCache(KEPT_QUERIES);
    known.set(faces, ofFamily);
  }
  const key = fontQueryKey(query);
  let matches = ofFamily.get(key);
  if (!matches) {
    const widths = closest(faces, (face) => widthRank(face));
    const styles = closest(widths, (face) => styleRank(face, query.style));
    const equal = closest(styles, (face) => weightRank(face, query.weight));
    // Subsets of other letters often have the space too, which is to be that of the letters around it.
    const isPart = ({ coverage }: AvailableFace) => coverage.has(SPACE) && !coverage.hasPlainText;
    matches = equal.toSorted((a, b) => Number(isPart(a)) - Number(isPart(b))).map((face) => matchOf(face, query));
    ofFamily.set(key, matches);
  }
  return matches;
}

function matchOf(face: AvailableFace, query: FontQuery): FaceMatch {
  const slanted = face.style === 'italic' || canSlant(face);
  const mayLean = query.synthesis === undefined || query.synthesis === 'style';
  const mayThicken = query.synthesis === undefined || query.synthesis === 'weight';
  return {
    face,
    variations: variationsOf(face, query),
    slant: mayLean && query.style === 'italic' && !slanted ? SYNTHETIC_SLANT : 0,
    embolden: mayThicken && query.weight >= BOLD && (face.axes.wght?.max ?? face.weight) < BOLD,
  };
}

/** Unique among all faces and all points of their design spaces. */
export function faceKey({ face, variations }: FaceMatch): string {
  const axes = Object.entries(variations).map(([tag, value]) => ` ${tag}=${value}`);
  return face.id + axes.sort().join('');
}

function closest(faces: readonly AvailableFace[], rank: (face: AvailableFace) => number): readonly AvailableFace[] {
  const best = Math.min(...faces.map(rank));
  return faces.filter((face) => rank(face) === best);
}

/** Templates always want the normal width: narrower faces are preferred to wider ones. */
function widthRank({ width, axes }: AvailableFace): number {
  if (axes.wdth || width === NORMAL_WIDTH) return 0;
  return width < NORMAL_WIDTH ? NORMAL_WIDTH - width : 10 + width;
}

function styleRank(face: AvailableFace, style: 'normal' | 'italic'): number {
  if (face.style === style) return 0;
  return style === 'italic' && canSlant(face) ? 1 : 2;
}

/**
 * Nearest first, in CSS's search order: 400 to 500 is one zone, and below and above it the search goes outwards first.
 */
function weightRank(face: AvailableFace, wanted: number): number {
  const nearest = nearestWeight(face, wanted);
  const distance = Math.abs(nearest - wanted);
  if (wanted >= 400 && wanted <= 500) {
    if (nearest >= wanted && nearest <= 500) return distance;
    return nearest < wanted ? 1000 + distance : 2000 + distance;
  }
  const outward = wanted < 400 ? nearest <= wanted : nearest >= wanted;
  return outward ? distance : 1000 + distance;
}

/** The weight that a face draws where `wanted` is asked for, 1 to 1000. */
export function nearestWeight({ weight, axes }: AvailableFace, wanted: number): number {
  return axes.wght ? clamp(wanted, axes.wght) : weight;
}

function canSlant({ axes }: AvailableFace): boolean {
  return (axes.ital !== undefined && axes.ital.max >= 1) || (axes.slnt !== undefined && axes.slnt.min < 0);
}

/** Only the values that differ from the font's defaults, so that a point of the design space has a single key. */
function variationsOf({ axes, style }: AvailableFace, query: FontQuery): Record<string, number> {
  const wanted: Record<string, number> = { wght: query.weight };
  if (query.style === 'italic' && style === 'normal') {
    if (axes.ital) wanted.ital = 1;
    else wanted.slnt = -OBLIQUE_DEGREES;
  }
  Object.assign(wanted, query.variations);
  const variations: Record<string, number> = {};
  for (const [tag, axis] of Object.entries(axes)) {
    const value = clamp(wanted[tag] ?? axis.initial, axis);
    if (value !== axis.initial) variations[tag] = value;
  }
  return variations;
}

function clamp(value: number, { min, max }: Axis): number {
  return Math.min(max, Math.max(min, value));
}
