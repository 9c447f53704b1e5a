// Reads what `@page` says of the sheets of a document (CSS Paged Media 3): sizes, margins, and what stands in the margins.

import { parseCssColor } from '../css/css-color.ts';
import { readRules, withoutImportant } from '../css/css-text.ts';
import type { Edges, Size } from '../geometry.ts';
import { PLAIN_NODE } from '../resolve/plain-node.ts';
import { PLAIN_STYLE, PLAIN_TEXT } from '../resolve/plain-text.ts';
import { WHOLE } from '../resolve/resolve-pages.ts';
import type { CharacterStyle, Fragmentation, NamedString, TextNode, TextSpan, WhichPages } from '../resolve/scene.ts';
import { namedPage, type Page, pageMargins, SHEETS, sheetSize } from '../template/page.ts';
import { parsePx, type Units } from './lengths.ts';
import { expandShorthand, splitValue } from './shorthands.ts';

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
const UNDRAWN = /^(background|border|padding|outline|marks$|bleed$)/;
/** Of margin boxes, all that is drawn. */
const OF_BOXES = /^(content|color|font(-size|-family|-weight)?|text-align|vertical-align)$/;

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
        const isDrawn =
          box === null
            ? !UNDRAWN.test(property) || /^(none|0|auto|transparent)$/i.test(value)
            : OF_BOXES.test(property);
        if (!isDrawn) lost.push([`${box === null ? '@page' : `@${box}`} ${property}`, value]);
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

const SIDES = ['top', 'right', 'bottom', 'left'] as const;

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

/** Where a margin box is: the part of the sheet, and how its words stand in it (5.3). */
function placeOf(
  box: string,
  sheet: Size,
  { top, right, bottom, left }: Edges,
): { x: number; y: number; width: number; height: number; align: TextNode['align']; down: number } | null {
  const inner = { width: sheet.width - left - right, height: sheet.height - top - bottom };
  const last = box.lastIndexOf('-');
  const [edge, at] = [box.slice(0, Math.max(0, last)), box.slice(last + 1)];
  const align = at === 'left' ? 'left' : at === 'right' ? 'right' : 'center';
  const horizontal = (y: number, height: number) =>
    box.endsWith('corner')
      ? {
          x: box.includes('left') ? 0 : sheet.width - right,
          y,
          width: box.includes('left') ? left : right,
          height,
          align: box.includes('left') ? ('right' as const) : ('left' as const),
          down: 0.5,
        }
      : { x: left, y, width: inner.width, height, align: align as TextNode['align'], down: 0.5 };
  const vertical = (x: number, width: number) => ({
    x,
    y: top,
    width,
    height: inner.height,
    align: 'center' as const,
    down: at === 'top' ? 0 : at === 'bottom' ? 1 : 0.5,
  });
  if (/^(top-left|top-center|top-right|top-left-corner|top-right-corner)$/.test(box)) return horizontal(0, top);
  if (/^(bottom-left|bottom-center|bottom-right|bottom-left-corner|bottom-right-corner)$/.test(box))
    return horizontal(sheet.height - bottom, bottom);
  if (edge === 'left') return vertical(0, left);
  if (edge === 'right') return vertical(sheet.width - right, right);
  return null;
}

/** Text of `content`, with counters of pages. @returns null where nothing stands there */
function spansOf(
  content: string,
  style: CharacterStyle,
  lost: (property: string, value: string) => void,
): readonly TextSpan[] | null {
  const plain = { style, link: null, image: null, counter: null };
  const spans = splitValue(content).flatMap((part): readonly TextSpan[] => {
    const [, text] = /^["'](.*)["']$/s.exec(part) ?? [];
    if (text !== undefined)
      return [
        {
          ...plain,
          text: text
            .replace(/\\a\s?/gi, '\n')
            .replace(/\\([0-9a-f]{1,6})\s?/gi, (_, code) =>
              String.fromCodePoint(Math.min(0x10ffff, Number.parseInt(code, 16))),
            )
            .replace(/\\(.)/g, '$1'),
        },
      ];
    const [, counter] = /^counter\(\s*(page|pages)\s*(?:,[^)]*)?\)$/i.exec(part) ?? [];
    if (counter) return [{ ...plain, text: '', counter: counter.toLowerCase() as 'page' | 'pages' }];
    const [, stringOf, which = 'first'] =
      /^string\(\s*([\w-]+)\s*(?:,\s*(first|start|last|first-except)\s*)?\)$/i.exec(part) ?? [];
    if (stringOf)
      return [{ ...plain, text: '', counter: { stringOf, which: which.toLowerCase() as NamedString['which'] } }];
    if (!/^(none|normal)$/i.test(part)) lost('content', part);
    return [];
  });
  return spans.length > 0 ? spans : null;
}

/** Sheets of one size and with the same margins. */
interface SheetKind {
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
    rules.some(({ box, selector }) => box !== null && selectors.includes(selector));
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
  box: string,
  { name, isFirst, side }: SheetKind,
): PageRule['declarations'] {
  const isHere = ({ selector }: PageRule) =>
    selector === '' || (selector === ':first' ? isFirst : selector === (isFirst ? ':right' : side));
  const weight = ({ sheet, selector }: PageRule) => (sheet ? 4 : 0) + (selector === ':first' ? 2 : selector ? 1 : 0);
  const own = rules.filter((rule) => rule.box === box && (rule.sheet === null || rule.sheet === name) && isHere(rule));
  return new Map(own.toSorted((a, b) => weight(a) - weight(b)).flatMap(({ declarations }) => [...declarations]));
}

/** The texts in the margins of the pages. @param root the style of the page's words */
export function marginBoxes(
  { rules }: PageRules,
  page: Page,
  root: CharacterStyle,
  lost: (property: string, value: string) => void,
): readonly TextNode[] {
  const boxes = [...new Set(rules.flatMap(({ box }) => box ?? []))];
  const kinds = boxes.length > 0 ? kindsOf(rules, page) : [];
  const hasFirst = kinds.some(({ isFirst }) => isFirst);
  const all = kinds.flatMap((kind) => boxes.map((box) => ({ kind, box })));
  return all.flatMap(({ kind, box }, index): readonly TextNode[] => {
    const declarations = declaredFor(rules, box, kind);
    const place = placeOf(box, kind.size, kind.margins);
    const content = declarations.get('content');
    if (!place || content === undefined) return [];
    const size = parsePx(declarations.get('font-size') ?? '', UNITS) ?? root.fontSize;
    const color = parseCssColor(declarations.get('color') ?? '') ?? null;
    const family = declarations.get('font-family');
    const weight = declarations.get('font-weight');
    const style: CharacterStyle = {
      ...PLAIN_STYLE,
      ...{ font: root.font, fontSize: size, fill: root.fill, lang: root.lang },
      ...(color && { fill: { kind: 'solid', color } }),
      font: {
        ...root.font,
        ...(family && { families: splitValue(family, ',').map((each) => each.replace(/^["']|["']$/g, '')) }),
        ...(weight && { weight: weight === 'bold' ? 700 : Number(weight) || 400 }),
      },
    };
    const spans = spansOf(content, style, lost);
    if (!spans) return [];
    const align = declarations.get('text-align');
    const down = { top: 'top', middle: 'middle', bottom: 'bottom' }[declarations.get('vertical-align') ?? ''] as
      | TextNode['verticalAlign']
      | undefined;
    return [
      {
        ...PLAIN_NODE,
        ...PLAIN_TEXT,
        ...{
          name: `@${box} ${index + 1}`,
          spans,
          strut: style,
          align: align && /^(left|right|center)$/.test(align) ? (align as 'left') : place.align,
        },
        verticalAlign: down ?? (place.down === 0 ? 'top' : place.down === 1 ? 'bottom' : 'middle'),
        placement: {
          ...PLAIN_NODE.placement,
          x: place.x,
          y: place.y,
          width: { kind: 'px', value: place.width },
          height: { kind: 'px', value: place.height },
        },
        fragmentation: { ...WHOLE, pages: pagesOf(kind, hasFirst), ...(page.named && { page: kind.name ?? '' }) },
      },
    ];
  });
}

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
