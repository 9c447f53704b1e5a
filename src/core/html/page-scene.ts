// Makes a scene of a page of html: its styles, its boxes, and what it needs.

import { parseColor } from '../color.ts';
import { Cascade } from '../css/cascade.ts';
import { readRules } from '../css/css-text.ts';
import type { CssElement } from '../css/selectors.ts';
import { elementsOf, isElement } from '../css/selectors.ts';
import { type Diagnostic, ValidationError } from '../diagnostics.ts';
import type { Size } from '../geometry.ts';
import { PLAIN_FRAME, PLAIN_NODE } from '../resolve/plain-node.ts';
import { flowing, WHOLE } from '../resolve/resolve-pages.ts';
import type { Fill, Scene, SceneNode, TextSpan } from '../resolve/scene.ts';
import type { DocumentProperties } from '../template/document-properties.ts';
import { namedPage, type Page, pageMargins, sheetSize } from '../template/page.ts';
import { PageBuilder } from './build-page.ts';
import { type FontFaceRule, readFontFaces } from './font-faces.ts';
import { marginBoxes, pageOf, readPageRules } from './page-rules.ts';
import { expandFromRight, expandShorthand, type Longhands, splitValue, supports } from './shorthands.ts';
import { LONG_TABLE } from './table-model.ts';
import { defaultsOf } from './user-agent.ts';

export interface PageSource extends Size {
  /** `<html>`. */
  readonly html: CssElement;
  /** In quirks mode (https://quirks.spec.whatwg.org), its body is as high as the canvas, and tables begin anew. */
  readonly isQuirky?: boolean;
  /** Its lines without letters are no higher than what is in them. */
  readonly isOld?: boolean;
  /** Style sheets in the order of the cascade, without those that are in the page. */
  readonly sheets: readonly string[];
  /** Of a document, before what `@page` says; null = it is one picture. */
  readonly page: Page | null;
  /** Which of `@media` it takes; absent = that of paper where it is on sheets. */
  readonly isPrinted?: boolean;
  /** CSS, of the canvas below what the page says; null = nothing. */
  readonly background?: string | null;
  readonly document?: DocumentProperties;
  /** The address of what an element shows; null = nothing that is drawn. */
  readonly sourceOf: (element: CssElement) => string | null;
  /** Whether browsers know a property; absent = all are. */
  readonly isProperty?: (name: string) => boolean;
  /** From how many rows on a table's are packed; absent = `LONG_TABLE`. */
  readonly longTable?: number;
}

export interface StyledScene {
  readonly scene: Scene;
  /** The fonts that the page brings along. */
  readonly faces: readonly FontFaceRule[];
  /** The node of each element that has one. */
  readonly boxes: ReadonlyMap<CssElement, SceneNode>;
}

/** What Chromium declares for the words of an empty field. */
const GREY = [['color', '#757575']] as const;

/** How many properties a page is warned of by name. */
const MOST_NAMED = 12;

/** @param tracesInlines for tests: elements in lines have boxes, too */
export function sceneOfPage(source: PageSource, tracesInlines = false): StyledScene {
  const { html, sheets, isQuirky = false, isOld = false } = source;
  const texts = [...sheets, ...sheetsIn(html)];
  const lost = new Map<string, string>();
  const name = (property: string, value: string) => lost.set(property, lost.get(property) ?? value);
  const pageRules = source.page ? readPageRules(texts) : null;
  const page = source.page && pageRules && pageOf(pageRules, source.page, name);
  const margins = page && pageMargins(page, 1);
  const sheet = page && sheetSize(page);
  const { width, height } = sheet ?? source;
  const viewport = { width: Math.max(1, width - (margins ? margins.left + margins.right : 0)), height };
  const around = (element: CssElement, names: RegExp, attribute?: string) => {
    for (let each = cascade.parentOf(element); each; each = cascade.parentOf(each)) {
      if (names.test(each.name) && (!attribute || each.attributes.has(attribute))) return each;
    }
    return null;
  };
  const skipped = new Set<string>();
  const ends = endsIn(texts);
  const options = {
    expand: (property: string, value: string) => {
      if (source.isProperty?.(property) === false) skipped.add(property);
      return (property === 'animation' && endOf(value, ends)) || expandShorthand(property, value);
    },
    unread: 'ignore',
    isPrinted: source.isPrinted ?? page !== null,
    refusal: (what: string) => new ValidationError('css', `has ${what}`),
    supports,
  } as const;
  const leftOut = (rule: string) => lost.set(rule.split(/[\s(]/)[0] ?? '', rule.replace(/^\S+\s*/, ''));
  const hints = (element: CssElement) => defaultsOf(element, around, isQuirky);
  const cascade = new Cascade([html], texts, viewport, { ...options, leftOut, hints });
  const fromRight = new Map<Cascade<CssElement>, Cascade<CssElement>>();
  const mirrored = { ...options, expand: expandFromRight };
  const isMirrored = [...elementsOf([html])].some(
    ({ attributes }) =>
      /^(rtl|auto)$/i.test(attributes.get('dir') ?? '') || /\brtl\b/i.test(attributes.get('style') ?? ''),
  );
  const hasMirrored = isMirrored || texts.some((text) => /\brtl\b/i.test(text));
  const twin = hasMirrored ? new Cascade([html], texts, viewport, { ...mirrored, hints }) : null;
  if (twin) fromRight.set(cascade, twin);
  const part = (name: string, sheets = texts) => {
    const own = { ...options, part: name, elements: cascade, ...(name === 'placeholder' && { hints: () => GREY }) };
    const made = new Cascade([html], sheets, viewport, own);
    if (twin) fromRight.set(made, new Cascade([html], sheets, viewport, { ...mirrored, part: name, elements: twin }));
    return made;
  };
  // Few pages have these.
  const rarePart = (name: string) => part(name, texts.join('').toLowerCase().includes(name) ? texts : []);
  const builder = new PageBuilder(
    {
      cascade,
      fromRight,
      viewport,
      alike: new Map(),
      lost: (property, value) => lost.set(property, lost.get(property) ?? value),
    },
    {
      ...{ before: part('before'), after: part('after'), marker: part('marker') },
      ...{
        firstLetter: rarePart('first-letter'),
        firstLine: rarePart('first-line'),
        placeholder: rarePart('placeholder'),
      },
    },
    { sourceOf: source.sourceOf, parentOf: (element) => cascade.parentOf(element) },
    {
      ...{ tracesInlines, fillsCanvas: isQuirky && page === null, ignoresStrut: isOld },
      longTable: tracesInlines ? Number.POSITIVE_INFINITY : (source.longTable ?? LONG_TABLE),
      targets: page ? targetsIn(html) : new Map(),
    },
  );
  const { root, background: own, words, initial, fixed } = builder.build(html, page !== null);
  for (const [property, value] of pageRules?.lost ?? []) name(property, value);
  const boxes = page && pageRules ? marginBoxes(pageRules, page, words, name) : [];
  for (const { name: layer, spans } of boxes)
    for (const span of spans) builder.needs.addText(layer, { ...span, text: lettersOf(span, builder.strings) });
  const onAll = (isBelow: boolean) => {
    const own = ({ placement: { layer } }: SceneNode) => (typeof layer === 'object' && layer.level < 0) === isBelow;
    if (!page) return [];
    return [
      ...onSheets(page, 'first', initial.filter(own)),
      ...[null, ...Object.keys(page.named ?? {})].flatMap((name) => onSheets(page, 'all', fixed.filter(own), name)),
    ];
  };
  const nodes = page
    ? [
        ...onAll(true),
        ...flowing({ ...root, children: byNames(root.children), fragmentation: { ...WHOLE, isFlow: true } }, page),
        ...onAll(false),
        ...boxes,
      ]
    : [root];
  const color = source.background ? parseColor(source.background) : null;
  const background: Fill | null = own ?? (color && { kind: 'solid', color });
  const scene: Scene = {
    // On paper, lines that are not alike far apart would be seen.
    ...{ width, height, background, snaps: page ? 'boxes' : 'all', nodes, page },
    needs: builder.needs.needs(),
    document: source.document,
    diagnostics: [...lostProperties(lost), ...skippedProperties(skipped)],
  };
  return { scene, faces: readFontFaces(texts), boxes: builder.boxes };
}

/** The root and the body once for each run of what stands on sheets of one name, so that these can be divided. */
function byNames(nodes: readonly SceneNode[], depth = 0): readonly SceneNode[] {
  const nameOf = ({ fragmentation }: SceneNode) => fragmentation?.page ?? null;
  return nodes.flatMap((node): readonly SceneNode[] => {
    if (node.type !== 'frame' || depth > 1) return [node];
    const runs: SceneNode[][] = [];
    for (const child of byNames(node.children, depth + 1)) {
      const last = runs.at(-1);
      if (last?.[0] && nameOf(last[0]) === nameOf(child)) last.push(child);
      else runs.push([child]);
    }
    if (runs.length < 2 && runs.flat().every((child) => nameOf(child) === null)) return [node];
    return runs.map((children): SceneNode => {
      const [first] = children;
      const fragmentation = { ...(node.fragmentation ?? WHOLE), page: first ? nameOf(first) : null };
      return { ...node, children, fragmentation };
    });
  });
}

/** All letters that a span may show. @param strings what named strings say */
function lettersOf({ text, counter }: TextSpan, strings: readonly string[]): string {
  if (counter === null) return text;
  return typeof counter === 'object' && 'stringOf' in counter ? strings.join('') : '0123456789';
}

/** The names of boxes that links in the page are to. */
function targetsIn(html: CssElement): ReadonlyMap<string, string> {
  const all = [...elementsOf([html])];
  const wanted = new Set(all.flatMap(({ attributes }) => attributes.get('href')?.match(/^#.+/)?.[0] ?? []));
  return new Map(
    all.flatMap(({ attributes }) => {
      const href = `#${attributes.get('id')}`;
      return wanted.has(href) ? [[href, attributes.get('data-layer') ?? href] as const] : [];
    }),
  );
}

/** A frame over the area of a sheet within its margins, for what is placed in it (CSS Page 3, 3.1). */
function onSheets(
  document: Page,
  pages: 'first' | 'all',
  children: readonly SceneNode[],
  sheet: string | null = null,
): readonly SceneNode[] {
  if (children.length === 0) return [];
  const page = namedPage(document, sheet);
  const { width, height } = sheetSize(page);
  const { top, right, bottom, left } = pageMargins(page, 1);
  const px = (value: number) => ({ kind: 'px', value: Math.max(0, value) }) as const;
  const area = { x: left, y: top, width: px(width - left - right), height: px(height - top - bottom) };
  const placement = { ...PLAIN_NODE.placement, ...area };
  const fragmentation = { ...WHOLE, pages, ...(pages === 'all' && document.named && { page: sheet ?? '' }) };
  return [{ ...PLAIN_FRAME, name: `on ${pages} sheets`, placement, children, fragmentation }];
}

/** The texts of `<style>`, and of the sheets that `<link>` is for. */
function sheetsIn(html: CssElement): readonly string[] {
  return [...elementsOf([html])].flatMap((element) => {
    if (element.name !== 'style' && element.name !== 'link') return [];
    const text = element.children
      .filter((child) => !isElement(child))
      .join('')
      .replace(/<!--|-->/g, ' ');
    const media = element.attributes.get('media');
    return [media ? `@media ${media}{${text}}` : text];
  });
}

/** By the names of `@keyframes`, what their last one declares. */
function endsIn(texts: readonly string[]): ReadonlyMap<string, Longhands> {
  const found = new Map<string, Longhands>();
  for (const text of texts) {
    if (!/@(-webkit-)?keyframes\b/i.test(text)) continue;
    for (const { atRules, selectors, declarations } of readRules(text)) {
      const [, name] = /^@(?:-webkit-)?keyframes\s+["']?([\w-]+)/i.exec(atRules.at(-1) ?? '') ?? [];
      if (!name) continue;
      const isEnd = (selectors.at(-1) ?? '').split(',').some((each) => /^(to|100%)$/i.test(each.trim()));
      const own = isEnd ? declarations.flatMap(({ property, value }) => expandShorthand(property, value)) : [];
      found.set(name, [...(found.get(name) ?? []), ...own]);
    }
  }
  return found;
}

/** What animations that keep their end (`forwards`) leave, as a picture shows it; null = not all of them do. */
function endOf(value: string, ends: ReadonlyMap<string, Longhands>): Longhands | null {
  const found = splitValue(value, ',').map((each) => {
    const words = splitValue(each);
    const name = words.find((word) => ends.has(word));
    return name && words.some((word) => /^(forwards|both)$/i.test(word)) && !words.includes('infinite')
      ? (ends.get(name) ?? null)
      : null;
  });
  return found.includes(null) ? null : found.flatMap((each) => each ?? []);
}

/** CSS Syntax 3, 2.2: what is not known is skipped. */
function skippedProperties(skipped: ReadonlySet<string>): readonly Diagnostic[] {
  if (skipped.size === 0) return [];
  const named = [...skipped].slice(0, MOST_NAMED).map((property) => property.slice(0, 60));
  const rest = skipped.size > named.length ? ` and ${skipped.size - named.length} more` : '';
  const count = skipped.size === 1 ? '1 property is' : `${skipped.size} properties are`;
  const message = `css: ${count} unknown or of one browser, and skipped: ${named.join(', ')}${rest}.`;
  return [{ code: 'unknown-property', layer: null, message }];
}

function lostProperties(lost: ReadonlyMap<string, string>): readonly Diagnostic[] {
  if (lost.size === 0) return [];
  const named = [...lost].slice(0, MOST_NAMED).map(([property, value]) => `${property}: ${value.slice(0, 60)}`);
  const rest = lost.size > named.length ? ` and ${lost.size - named.length} more` : '';
  const message = `css: these are not drawn as written: ${named.join('; ')}${rest}.`;
  return [{ code: 'unknown-property', layer: null, message }];
}
