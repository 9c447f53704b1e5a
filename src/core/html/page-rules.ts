// Reads what `@page` says of the sheets of a document (CSS Paged Media 3): sizes, margins, and what stands in the margins.

import { readRules, withoutImportant } from '../css/css-text.ts';
import type { Edges, Size } from '../geometry.ts';
import { WHOLE } from '../resolve/resolve-pages.ts';
import type { Fragmentation, WhichPages } from '../resolve/scene.ts';
import { namedPage, type Page, pageMargins, SHEETS, sheetSize } from '../template/page.ts';
import { parsePx, type Units } from './lengths.ts';
import { expandShorthand, SIDES, splitValue } from './shorthands.ts';

/** Declarations of `@page` and of one of its margin boxes, by which pages they are for. */
interface PageRule {
  /** The name of the sheets that it is for; null = all of them. */
  readonly sheet: string | null;
  /** '' = all of these. */
  readonly selector: '' | ':first' | ':left' | ':right' | ':blank';
  /** `top-center` and the like; null = the sheet itself. */
  readonly box: string | null;
  readonly declarations: ReadonlyMap<string, string>;
}

export interface PageRules {
  readonly rules: readonly PageRule[];
  /** What is not supported. */
  readonly lost: readonly (readonly [property: string, value: string])[];
}

/** Of sheets, what would show. */
const UNDRAWN = /^(border|padding|outline|marks$|bleed$)/;

/** The name of sheets, and which of them. */
const SELECTOR = /^([a-z_-][\w-]{0,99})?(:first|:left|:right|:blank)?$/i;

export function readPageRules(sheets: readonly string[]): PageRules {
  const lost: [string, string][] = [];
  const rules = sheets.flatMap((sheet) => {
    if (!/@page\b/i.test(sheet)) return [];
    return readRules(sheet).flatMap(({ atRules, declarations }): PageRule[] => {
      const at = atRules.findIndex((rule) => /^@page\b/i.test(rule));
      if (at < 0) return [];
      const box = atRules[at + 1]?.replace(/^@/, '').trim().toLowerCase() ?? null;
      const found = new Map<string, string>();
      for (const { property, value } of declarations) {
        for (const [name, text] of expandShorthand(property, withoutImportant(value))) found.set(name, text);
        const isLost = box === null && UNDRAWN.test(property) && !/^(none|0|auto|transparent)$/i.test(value);
        if (isLost) lost.push([`@page ${property}`, value]);
      }
      const selectors = splitValue((atRules[at] ?? '').replace(/^@page\s*/i, ''), ',');
      return (selectors.length > 0 ? selectors : ['']).flatMap((selector): PageRule[] => {
        const [all, sheet = null, which = ''] = SELECTOR.exec(selector.trim()) ?? [];
        if (all === undefined || (sheet !== null && which !== '' && box === null)) {
          lost.push(['@page', selector]);
          return [];
        }
        return [{ sheet, selector: which.toLowerCase() as PageRule['selector'], box, declarations: found }];
      });
    });
  });
  return { rules, lost };
}

const UNITS: Units = { fontSize: 16, rootFontSize: 16, viewport: { width: 0, height: 0 } };
const named = new Map(Object.keys(SHEETS).map((name) => [name.toLowerCase(), name as keyof typeof SHEETS]));

function sizeOf(value: string): Partial<Page> {
  const words = splitValue(value.toLowerCase());
  const name = words.map((word) => named.get(word.replace(/^jis-/, ''))).find((word) => word !== undefined);
  const landscape = words.includes('landscape');
  if (name) return { size: name, landscape };
  const [width, height = width] = words.flatMap((word) => parsePx(word, UNITS) ?? []);
  if (width !== undefined && height !== undefined && width >= 1 && height >= 1) return { size: [width, height] };
  return words.includes('landscape') ? { landscape } : {};
}

/** The sheets of a document. @param initial those that `@page` says nothing of */
export function pageOf({ rules }: PageRules, initial: Page, lost: (property: string, value: string) => void): Page {
  const of = (selector: PageRule['selector']) =>
    rules.filter((rule) => rule.box === null && rule.sheet === null && rule.selector === selector);
  let page = initial;
  for (const { declarations } of of('')) {
    page = { ...page, ...sizeOf(declarations.get('size') ?? '') };
    page = { ...page, margin: { ...pageMargins(page, 1), ...marginsIn(declarations, sheetSize(page)) } };
  }
  const margins = (selector: PageRule['selector']): Partial<Edges> =>
    Object.assign({}, ...of(selector).map(({ declarations }) => marginsIn(declarations, sheetSize(page))));
  const [all, onLeft, onRight, first] = [pageMargins(page, 1), margins(':left'), margins(':right'), margins(':first')];
  const [left, right] = [
    { ...all, ...onLeft },
    { ...all, ...onRight },
  ];
  if (left.left !== right.left || left.right !== right.right) {
    const isMirrored = left.left === right.right && left.right === right.left;
    if (!isMirrored) lost('margin', 'of left and right pages that do not mirror each other');
    page = { ...page, mirrored: isMirrored };
  }
  if (left.top !== right.top || left.bottom !== right.bottom) lost('margin', 'of left and right pages, above or below');
  if ((first.left ?? right.left) !== right.left || (first.right ?? right.right) !== right.right)
    lost('margin', 'of the first page, beside it');
  page = { ...page, margin: right };
  const { top, bottom } = first;
  if (top !== undefined || bottom !== undefined) page = { ...page, first: { top, bottom } };
  const named = rules.filter(({ sheet, box }) => box === null && sheet !== null);
  if (named.length === 0) return page;
  const own = named.map(({ sheet, declarations }) => {
    const sized = { ...page, ...sizeOf(declarations.get('size') ?? '') };
    const margin = { ...pageMargins({ ...page, first: undefined }, 1), ...marginsIn(declarations, sheetSize(sized)) };
    return [sheet, { size: sized.size, landscape: sized.landscape, margin }] as const;
  });
  return { ...page, named: Object.fromEntries(own) };
}

/** px, of the sides that are given. */
function marginsIn(
  declarations: ReadonlyMap<string, string>,
  sheet: Size,
): Partial<Record<(typeof SIDES)[number], number>> {
  return Object.fromEntries(
    SIDES.flatMap((side) => {
      const value = declarations.get(`margin-${side}`);
      if (value === undefined) return [];
      const whole = side === 'top' || side === 'bottom' ? sheet.height : sheet.width;
      const px = /%$/.test(value) ? (Number.parseFloat(value) / 100) * whole : parsePx(value, UNITS);
      return px === null ? [] : [[side, px] as const];
    }),
  );
}

/** Sheets of one size and with the same margins. */
export interface SheetKind {
  /** null = those without a name. */
  readonly name: string | null;
  readonly size: Size;
  readonly margins: Edges;
  readonly isFirst: boolean;
  /** null = either. */
  readonly side: ':left' | ':right' | null;
}

/** The kinds of sheets that differ by their margins, or by what a rule says of them. */
function kindsOf(rules: readonly PageRule[], page: Page): readonly SheetKind[] {
  const has = (...selectors: string[]) =>
    rules.some(
      ({ box, selector, declarations }) =>
        (box !== null || hasBackground(declarations)) && selectors.includes(selector),
    );
  const hasSides = page.mirrored || has(':left', ':right');
  return [null, ...Object.keys(page.named ?? {})].flatMap((name) => {
    const sheet = namedPage(page, name);
    const kind = (number: number, side: SheetKind['side']): SheetKind => ({
      ...{ name, size: sheetSize(sheet), margins: pageMargins(sheet, number) },
      ...{ isFirst: number === 1, side },
    });
    // The first page is a right one.
    const sides = hasSides ? [kind(2, ':left'), kind(3, ':right')] : [kind(2, null)];
    return page.first || has(':first') ? [kind(1, null), ...sides] : sides;
  });
}

/** On which pages a kind of sheets is. @param hasFirst whether the first page is one of its own */
function pagesOf({ isFirst, side }: SheetKind, hasFirst: boolean): Fragmentation['pages'] {
  if (isFirst) return 'first';
  const found: WhichPages[] = hasFirst ? ['not-first'] : [];
  if (side) found.push(side === ':left' ? 'even' : 'odd');
  return found.length > 1 ? found : (found[0] ?? 'all');
}

/** What rules say of a margin box on a kind of sheets, the most specific last (CSS Paged Media 3, 3.1). */
function declaredFor(
  rules: readonly PageRule[],
  box: string | null,
  { name, isFirst, side }: SheetKind,
): PageRule['declarations'] {
  const isHere = ({ selector }: PageRule) =>
    selector === '' || (selector === ':first' ? isFirst : selector === (isFirst ? ':right' : side));
  const weight = ({ sheet, selector }: PageRule) => (sheet ? 4 : 0) + (selector === ':first' ? 2 : selector ? 1 : 0);
  const own = rules.filter((rule) => rule.box === box && (rule.sheet === null || rule.sheet === name) && isHere(rule));
  return new Map(own.toSorted((a, b) => weight(a) - weight(b)).flatMap(({ declarations }) => [...declarations]));
}

/** How the words of a box in the margins stand (CSS Page 3, 5.3). */
const alignmentOf = (box: string): string => {
  const [edge = '', at = ''] = box.split('-');
  const inCorner = at === 'left' ? 'right' : 'left';
  const across = /^(left|right)$/.test(edge) ? 'center' : box.endsWith('corner') ? inCorner : at;
  return `display:block;text-align:${across};vertical-align:${/^(top|bottom)$/.test(at) ? at : 'middle'}`;
};

/** What a sheet's own style hands on to the boxes in its margins. */
const HANDED_ON =
  /^(color|direction|font|letter-spacing|line-height|text-(align|indent|transform)|white-space|word-spacing)/;

/** What stands on a kind of sheets beside what flows, with its declarations. */
interface SheetBoxes {
  readonly kind: SheetKind;
  /** Of the sheet itself. */
  readonly css: string;
  /** In its margins: `top-center` and the like. */
  readonly boxes: readonly (readonly [name: string, css: string])[];
  readonly fragmentation: Fragmentation;
}

/** Of all kinds of sheets together. */
const MOST_BOXES = 500;

/** The boxes that rules give to the sheets, by kind of sheets. */
export function sheetBoxes(
  { rules }: PageRules,
  page: Page,
  lost: (property: string, value: string) => void,
): readonly SheetBoxes[] {
  const names = [...new Set(rules.flatMap(({ box }) => box ?? []))];
  if (names.length === 0 && !rules.some(({ declarations }) => hasBackground(declarations))) return [];
  const all = kindsOf(rules, page);
  const kinds = all.slice(0, Math.ceil(MOST_BOXES / (names.length + 1)));
  if (kinds.length < all.length) lost('@page', 'of so many names of sheets');
  const hasFirst = kinds.some(({ isFirst }) => isFirst);
  const text = (declared: PageRule['declarations'], kept = /./) =>
    [...declared].map(([name, value]) => (kept.test(name) ? `${name}:${value};` : '')).join('');
  return kinds.map((kind) => {
    const sheet = declaredFor(rules, null, kind);
    const inside = text(sheet, HANDED_ON);
    return {
      kind,
      css: text(sheet, /^(background|color|font-size)/),
      boxes: names.map((box) => [box, `${inside}${alignmentOf(box)};${text(declaredFor(rules, box, kind))}`]),
      fragmentation: { ...WHOLE, pages: pagesOf(kind, hasFirst), ...(page.named && { page: kind.name ?? '' }) },
    };
  });
}

const hasBackground = (declared: PageRule['declarations']) =>
  [...declared.keys()].some((name) => /^background-(color|image)/.test(name));

/** Whether a page says on what sheets it is printed. */
export const hasSheetRules = ({ rules }: PageRules): boolean =>
  rules.some(
    ({ box, declarations }) =>
      box !== null || declarations.has('size') || SIDES.some((side) => declarations.has(`margin-${side}`)),
  );

/** A sheet of the size of a canvas, without margins. */
export const sheetOf = ({ width, height }: Size): Page => ({
  ...{ size: [width, height], landscape: false, margin: 0, mirrored: false, cover: false },
});
