// Finds the page and the height at which headings and named layers begin: for tables of contents and cross references.

import type { LayoutBox, TextBox } from '../layout/box.ts';
import { PackedRowBox, TableBox } from '../layout/table-box.ts';
import type { PlaceOnPage } from '../page-link.ts';
import { placeNames } from '../resolve/resolve-pages.ts';
import type { Footnote, SceneNode, TextNode } from '../resolve/scene.ts';
import type { Line } from '../text/paragraph.ts';
import { fragmentationOf } from './box-groups.ts';

/** Something that begins on a page. */
export interface Landmark {
  /** px from the top of the page. */
  readonly top: number;
  /** null = it is no heading. */
  readonly heading: { readonly level: number; readonly text: string; readonly layer: string } | null;
  /** By which counters may be `of` it. */
  readonly names: readonly string[];
  /** Those that it has the marks of. */
  readonly notes: readonly Footnote[];
  readonly strings?: Readonly<Record<string, string>> | undefined;
}

export class Landmarks {
  readonly #wanted: ReadonlySet<string>;

  /** @param wanted the names that counters are `of` */
  constructor(wanted: ReadonlySet<string>) {
    this.#wanted = wanted;
  }

  /** Those in a box that lies `dy` px lower on its page, and itself. */
  in(box: LayoutBox, dy: number): readonly Landmark[] {
    const own = this.of(box, dy);
    if (box.kind !== 'frame' || box instanceof TableBox || box instanceof PackedRowBox) return own;
    return [...own, ...box.children.flatMap((child) => this.in(child, dy))];
  }

  /** A box itself, if it is one. */
  of(box: LayoutBox, dy: number): readonly Landmark[] {
    const heading = headingOf(box);
    const names = this.#wanted.size === 0 ? [] : placeNames(box.node.name).filter((name) => this.#wanted.has(name));
    const notes = box.kind === 'text' ? notesIn(box.node, box.paragraph.lines) : NO_NOTES;
    const { strings } = fragmentationOf(box);
    const isOne = heading !== null || names.length > 0 || notes.length > 0 || strings !== undefined;
    return isOne ? [{ top: box.rect.y + dy, heading, names, notes, ...(strings && { strings }) }] : [];
  }

  /** Some lines of a text. @param first of them @param top of the first, px on the page */
  ofLines(box: TextBox, lines: readonly Line[], first: number, top: number): readonly Landmark[] {
    const notes = notesIn(box.node, lines);
    if (first === 0) return this.of(box, top - box.rect.y).map((each) => ({ ...each, notes }));
    return notes.length > 0 ? [{ top, heading: null, names: [], notes }] : [];
  }
}

const NO_NOTES: readonly Footnote[] = [];

/** The notes whose marks are on these lines of a text. */
function notesIn({ spans }: TextNode, lines: readonly Line[]): readonly Footnote[] {
  if (spans.every(({ footnote }) => !footnote)) return NO_NOTES;
  const shown = new Set(lines.flatMap(({ runs }) => runs.map(({ span }) => span)));
  return spans.flatMap(({ footnote }, i) => (footnote && shown.has(i) ? [footnote] : []));
}

/**
 * The first page that each name is on.
 *
 * @param landmarks of each page
 * @param onPages layers that do not flow, with the first page that each is on
 */
export function placesOf(
  wanted: ReadonlySet<string>,
  landmarks: readonly (readonly Landmark[])[],
  onPages: readonly { readonly node: SceneNode; readonly page: number }[],
): ReadonlyMap<string, PlaceOnPage> {
  const places = new Map<string, PlaceOnPage>();
  const add = (name: string, place: PlaceOnPage) => {
    const known = places.get(name);
    if (wanted.has(name) && (!known || place.page < known.page)) places.set(name, place);
  };
  for (const [index, some] of landmarks.entries()) {
    for (const { names, top } of some) for (const name of names) add(name, { page: index + 1, top });
  }
  const visit = (node: SceneNode, page: number) => {
    for (const name of placeNames(node.name)) add(name, { page, top: 0 });
    if (node.type === 'frame') for (const child of node.children) visit(child, page);
  };
  if (wanted.size > 0) for (const { node, page } of onPages) visit(node, page);
  return places;
}

function headingOf(box: LayoutBox): Landmark['heading'] {
  if (box.kind !== 'text' || box.node.opacity === 0) return null;
  const { heading: level } = fragmentationOf(box);
  if (level === null) return null;
  const text = box.node.spans.map(({ text, counter, footnote }) => (counter || footnote ? '' : text)).join('');
  return text.trim() === '' ? null : { level, text, layer: box.node.name };
}
