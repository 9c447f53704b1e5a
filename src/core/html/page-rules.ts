// Reads what `@page` says of the sheets of a document (CSS Paged Media 3): sizes, margins, and what stands in the margins.

import { parseCssColor } from '../css/css-color.ts';
import { readRules, withoutImportant } from '../css/css-text.ts';
import type { Size } from '../geometry.ts';
import { PLAIN_NODE } from '../resolve/plain-node.ts';
import { PLAIN_STYLE, PLAIN_TEXT } from '../resolve/plain-text.ts';
import { WHOLE } from '../resolve/resolve-pages.ts';
import type { CharacterStyle, Fragmentation, TextNode, TextSpan, WhichPages } from '../resolve/scene.ts';
import { type Page, pageMargins, SHEETS, sheetSize } from '../template/page.ts';
import { parsePx, type Units } from './lengths.ts';
import { expandShorthand, splitValue } from './shorthands.ts';

/** Declarations of `@page` and of one of its margin boxes, by which pages they are for. */
interface PageRule {
  /** '' = all of them. */
  readonly selector: string;
  /** `top-center` and the like; null = the sheet itself. */
  readonly box: string | null;
  readonly declarations: ReadonlyMap<string, string>;
}

export interface PageRules {
  readonly rules: readonly PageRule[];
  /** What is not supported. */
  readonly lost: readonly (readonly [property: string, value: string])[];
}

/** The name of sheets. */
const NAME = /^[a-z_-][\w-]{0,99}$/i;

export function readPageRules(sheets: readonly string[]): PageRules {
  const lost: [string, string][] = [];
  const rules = sheets.flatMap((sheet) => {
    if (!/@page\b/i.test(sheet)) return [];
    return readRules(sheet).flatMap(({ atRules, declarations }): PageRule[] => {
      const at = atRules.findIndex((rule) => /^@page\b/i.test(rule));
      if (at < 0) return [];
      const selector = (atRules[at] ?? '').replace(/^@page\s*/i, '').trim();
      const box = atRules[at + 1]?.replace(/^@/, '').trim().toLowerCase() ?? null;
      const found = new Map<string, string>();
      for (const { property, value } of declarations)
        for (const [name, text] of expandShorthand(property, withoutImportant(value))) found.set(name, text);
      const isNamed = NAME.test(selector) && box === null;
      if (!isNamed && !/^(|:first|:left|:right|:blank)$/i.test(selector)) {
        lost.push(['@page', selector]);
        return [];
      }
      return [{ selector: isNamed ? selector : selector.toLowerCase(), box, declarations: found }];
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
export function pageOf({ rules }: PageRules, initial: Page): Page {
  let page = initial;
  for (const selector of ['', ':left', ':right', ':first']) {
    for (const { declarations } of rules.filter((rule) => rule.box === null && rule.selector === selector)) {
      const size = declarations.get('size');
      if (size && selector === '') page = { ...page, ...sizeOf(size) };
      const margin = pageMargins(page, 1);
      const found = marginsIn(declarations, sheetSize(page));
      if (Object.keys(found).length === 0) continue;
      if (selector === '') page = { ...page, margin: { ...margin, ...found } };
      else if (selector === ':first')
        page = {
          ...page,
          first: {
            ...(found.top !== undefined && { top: found.top }),
            ...(found.bottom !== undefined && { bottom: found.bottom }),
          },
        };
      else if (selector === ':right') page = { ...page, margin: { ...margin, ...found }, mirrored: true };
      else
        page = {
          ...page,
          margin: {
            ...margin,
            ...(found.left !== undefined && { right: found.left }),
            ...(found.right !== undefined && { left: found.right }),
          },
          mirrored: true,
        };
    }
  }
  const named = rules.filter(({ selector, box }) => box === null && NAME.test(selector));
  if (named.length === 0) return page;
  const own = named.map(({ selector, declarations }) => {
    const sized = { ...page, ...sizeOf(declarations.get('size') ?? '') };
    const margin = { ...pageMargins(page, 1), ...marginsIn(declarations, sheetSize(sized)) };
    return [selector, { size: sized.size, landscape: sized.landscape, margin }] as const;
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
  page: Page,
): { x: number; y: number; width: number; height: number; align: TextNode['align']; down: number } | null {
  const sheet = sheetSize(page);
  const { top, right, bottom, left } = pageMargins(page, 2);
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
    if (!/^(none|normal)$/i.test(part)) lost('content', part);
    return [];
  });
  return spans.length > 0 ? spans : null;
}

const pagesFor = (selector: string, hasFirst: boolean): Fragmentation['pages'] => {
  const which: Readonly<Record<string, WhichPages>> = { ':first': 'first', ':left': 'even', ':right': 'odd' };
  return which[selector] ?? (hasFirst ? 'not-first' : 'all');
};

/** The texts in the margins of the pages. @param root the style of the page's words */
export function marginBoxes(
  { rules }: PageRules,
  page: Page,
  root: CharacterStyle,
  lost: (property: string, value: string) => void,
): readonly TextNode[] {
  const boxes = rules.filter((rule) => rule.box !== null);
  return boxes.flatMap(({ selector, box, declarations }, index): readonly TextNode[] => {
    const place = placeOf(box ?? '', page);
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
    const hasFirst = selector === '' && boxes.some((other) => other.selector === ':first' && other.box === box);
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
        fragmentation: { ...WHOLE, pages: pagesFor(selector, hasFirst) },
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
