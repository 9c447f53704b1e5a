// Makes a scene of a page of html: its styles, its boxes, and what it needs.

import { parseColor } from '../color.ts';
import { Cascade, type CascadeOptions, type CompiledSheets } from '../css/cascade.ts';
import { readRules } from '../css/css-text.ts';
import type { CssElement } from '../css/selectors.ts';
import { allElements, isElement } from '../css/selectors.ts';
import { type Diagnostic, ValidationError } from '../diagnostics.ts';

import type { Size } from '../geometry.ts';
import { LruCache } from '../lru-cache.ts';

import { PLAIN_FRAME, PLAIN_NODE } from '../resolve/plain-node.ts';
import { flowing, WHOLE } from '../resolve/resolve-pages.ts';
import type { Fill, Scene, SceneNode } from '../resolve/scene.ts';
import type { DocumentProperties } from '../template/document-properties.ts';
import { namedPage, type Page, pageMargins, sheetSize } from '../template/page.ts';
import { PageBuilder } from './build-page.ts';
import { type FontFaceRule, readFontFaces } from './font-faces.ts';
import { inMargins, unsignedPx } from './margin-boxes.ts';
import { pageOf, readPageRules, sheetBoxes } from './page-rules.ts';
import { expandFromRight, expandShorthand, splitValue, supports } from './shorthands.ts';
import { Losses, StyleKinds } from './style.ts';
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

/** How many properties a page is warned of by name. */
const MOST_NAMED = 12;

/**
 * @param tracesInlines for tests: elements in lines have boxes, too
 * @param oversize how many times larger the sheets are than those that it is printed on, but for what is in their margins
 */
export function sceneOfPage(source: PageSource, tracesInlines = false, oversize = 1): StyledScene {
  const { html, sheets, isQuirky = false, isOld = false } = source;
  const all = allElements([html]);
  const texts = atTheirEnd([...sheets, ...sheetsIn(all)]);
  const losses = new Losses();
  const name = (property: string, value: string) => losses.add(property, value);
  const pageRules = source.page ? readPageRules(texts) : null;
  const paper = source.page && pageRules && pageOf(pageRules, source.page, name);
  const page = paper && (oversize === 1 ? paper : largerPage(paper, oversize));
  const edges = page && pageMargins(page, 1);
  const sheet = page && sheetSize(page);
  const { width, height } = sheet ?? source;
  const area = edges
    ? { width: width - edges.left - edges.right, height: height - edges.top - edges.bottom }
    : { width, height };
  const viewport = { width: Math.max(1, area.width), height };
  const around = (element: CssElement, names: RegExp, attribute?: string) => {
    for (let each = cascade.parentOf(element); each; each = cascade.parentOf(each)) {
      if (names.test(each.name) && (!attribute || each.attributes.has(attribute))) return each;
    }
    return null;
  };
  const isPrinted = source.isPrinted ?? page !== null;
  const known = knownSheets(texts, viewport, source, isPrinted);
  const hints = (element: CssElement) => defaultsOf(element, around, isQuirky);
  const made = (options: Partial<CascadeOptions>, sheets = texts) => {
    const read = { ...READING, isPrinted, ...options };
    const own = sheets === texts ? null : sheets;
    const key = JSON.stringify([read.part, read.expand === expandShorthand, own]);
    const one = new Cascade([html], sheets, viewport, { ...read, compiled: known.compiled.get(key) });
    known.compiled.set(key, one.compiled);
    return one;
  };
  const cascade = made({ hints, isProperty: source.isProperty });
  for (const rule of cascade.compiled.leftOut)
    losses.all.set(rule.split(/[\s(]/)[0] ?? '', rule.replace(/^\S+\s*/, ''));
  const fromRight = new Map<Cascade<CssElement>, Cascade<CssElement>>();
  const isMirrored = all.some(
    ({ attributes }) =>
      attributes.size > 0 &&
      (/^(rtl|auto)$/i.test(attributes.get('dir') ?? '') || /\brtl\b/i.test(attributes.get('style') ?? '')),
  );
  const hasMirrored = isMirrored || texts.some((text) => /\brtl\b/i.test(text));
  const twin = hasMirrored ? made({ hints, expand: expandFromRight }) : null;
  if (twin) fromRight.set(cascade, twin);
  const part = (name: string, sheets = texts) => {
    const one = made({ part: name, elements: cascade }, sheets);
    if (twin) fromRight.set(one, made({ part: name, elements: twin, expand: expandFromRight }, sheets));
    return one;
  };
  // Few pages have these.
  const rarePart = (name: string) => part(name, texts.some((text) => text.toLowerCase().includes(name)) ? texts : []);
  const builder = new PageBuilder(
    { cascade, fromRight, kinds: known.kinds, losses },
    {
      ...{ before: part('before'), after: part('after'), marker: part('marker') },
      ...{
        firstLetter: rarePart('first-letter'),
        firstLine: rarePart('first-line'),
        placeholder: rarePart('placeholder'),
      },
    },
    {
      ...{ tracesInlines, fillsCanvas: isQuirky && page === null, ignoresStrut: isOld },
      longTable: tracesInlines ? Number.POSITIVE_INFINITY : (source.longTable ?? LONG_TABLE),
      targets: page ? targetsIn(all) : new Map(),
      sourceOf: source.sourceOf,
    },
  );
  const { root, background: own, canvas, initial, fixed } = builder.build(html, page !== null);
  for (const [property, value] of pageRules?.lost ?? []) name(property, value);
  let sheetCount = 0;
  const styled = (css: string) => {
    const name = `sheet-${sheetCount++}`;
    return part(name, [`:root::${name}{${css}}`]);
  };
  const onPaper = (paper && pageRules ? sheetBoxes(pageRules, paper, name) : []).map(
    ({ kind, css, boxes, fragmentation }) => {
      const sheet = builder.sheetBox(html, kind.size, styled(css));
      const made = boxes.flatMap(([name, css]) => {
        const frame = builder.marginBox(`@${name}`, html, styled(css));
        return frame ? [[name, frame] as const] : [];
      });
      const placed = (node: SceneNode) => enlarged(node, fragmentation, oversize);
      return { below: sheet ? [placed(sheet)] : [], above: inMargins(kind, new Map(made)).map(placed) };
    },
  );
  const sheetNames = page ? [null, ...Object.keys(page.named ?? {})] : [];
  const onAll = (isBelow: boolean) => {
    const own = ({ placement: { layer } }: SceneNode) => (typeof layer === 'object' && layer.level < 0) === isBelow;
    if (!page) return [];
    return [
      ...onSheets(page, 'first', initial.filter(own)),
      ...sheetNames.flatMap((name) => onSheets(page, 'all', fixed.filter(own), name)),
    ];
  };
  const nodes = page
    ? [
        ...onPaper.flatMap(({ below }) => below),
        ...(canvas ? sheetNames.flatMap((name) => onSheets(page, 'all', [canvas], name)) : []),
        ...onAll(true),
        ...flowing(
          {
            ...root,
            placement: { ...root.placement, containingHeight: area.height },
            children: byNames(root.children),
            fragmentation: { ...WHOLE, isFlow: true },
          },
          page,
        ),
        ...onAll(false),
        ...onPaper.flatMap(({ above }) => above),
      ]
    : [root];
  const color = source.background ? parseColor(source.background) : null;
  const background: Fill | null = own ?? (color && { kind: 'solid', color });
  const lost = [...losses.all].map(([property, value]) => `${property}: ${value.slice(0, 60)}`);
  const unknown = [...cascade.unknown].map((property) => property.slice(0, 60));
  const count = unknown.length === 1 ? '1 property is' : `${unknown.length} properties are`;
  const scene: Scene = {
    // On paper, lines that are not alike far apart would be seen.
    ...{ width, height, background, snaps: page ? 'boxes' : 'all', nodes, page },
    ...(oversize > 1 && { oversize }),
    ...(page && oversize === 1 && { onLarger: largerScene(source) }),
    needs: builder.needs.needs(),
    document: source.document,
    diagnostics: [
      ...warning('these are not drawn as written', lost, '; '),
      // CSS Syntax 3, 2.2.
      ...warning(`${count} unknown or of one browser, and skipped`, unknown, ', '),
    ],
  };
  keepSheets(known);
  return { scene, faces: readFontFaces(texts), boxes: builder.boxes };
}

/** Apart, so that a scene keeps its page's elements alive, but neither their styles nor what built it. */
const largerScene = (source: PageSource) => (times: number) => sceneOfPage(source, false, times).scene;

const READING = {
  expand: expandShorthand,
  refusal: (what: string) => new ValidationError('css', `has ${what}`),
  supports,
} as const;

/** About the bytes of all that is known of sheets in a thread. */
const KEPT_BYTES = 12_000_000;
/** What is known of style sheets and of the styles of pages that have them, by all on which it depends. */
const kept = new LruCache<string, KnownSheets>(KEPT_BYTES);

interface KnownSheets {
  readonly key: string;
  readonly isProperty: PageSource['isProperty'];
  readonly kinds: StyleKinds;
  /** By the options of their cascade. */
  readonly compiled: Map<string, CompiledSheets>;
}

function knownSheets(texts: readonly string[], viewport: Size, { isProperty }: PageSource, isPrinted: boolean) {
  const key = JSON.stringify([viewport.width, viewport.height, isPrinted, ...texts]);
  const known = kept.get(key);
  if (known?.isProperty === isProperty && known) return known;
  return { key, isProperty, kinds: new StyleKinds(viewport), compiled: new Map<string, CompiledSheets>() };
}

/** For pages to come, unless it has become too large. */
function keepSheets(known: KnownSheets): void {
  // Rules are larger than their text.
  const rules = [...known.compiled.values()].reduce((sum, { weight }) => sum + weight, 6 * known.key.length);
  const bytes = rules + known.kinds.weight;
  kept.set(known.key, known, bytes <= KEPT_BYTES / 4 ? bytes : KEPT_BYTES + 1);
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

/** The names of boxes that links in the page are to. */
function targetsIn(all: readonly CssElement[]): ReadonlyMap<string, string> {
  const wanted = new Set(all.flatMap(({ attributes }) => attributes.get('href')?.match(/^#.+/)?.[0] ?? []));
  return new Map(
    all.flatMap(({ attributes }) => {
      const href = `#${attributes.get('id')}`;
      return wanted.has(href) ? [[href, attributes.get('data-layer') ?? href] as const] : [];
    }),
  );
}

/** A document on sheets that are so many times larger, with their margins. */
function largerPage(page: Page, times: number): Page {
  const larger = <T>(value: T): T => {
    if (typeof value === 'number') return (value * times) as T;
    if (typeof value !== 'object' || value === null) return value;
    if (Array.isArray(value)) return value.map(larger) as T;
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, larger(each)])) as T;
  };
  const { width, height } = sheetSize(page);
  const alone = (name: string) => ({ ...namedPage(page, name), first: undefined, named: undefined });
  const named = Object.keys(page.named ?? {}).map((name) => [name, largerPage(alone(name), times)] as const);
  return {
    ...{ ...page, size: larger([width, height]), landscape: false, first: larger(page.first) },
    ...{ margin: larger(pageMargins({ ...page, first: undefined }, 1)) },
    ...(page.named && { named: Object.fromEntries(named) }),
  };
}

/** What is as large on paper as it says, on sheets that are so many times larger. */
function enlarged(node: SceneNode, fragmentation: SceneNode['fragmentation'], times: number): SceneNode {
  if (times === 1) return { ...node, fragmentation };
  const steps = [{ matrix: [times, 0, 0, times, 0, 0] }] as const;
  const origin = { x: { kind: 'px', value: 0 }, y: { kind: 'px', value: 0 } } as const;
  return {
    ...{ ...PLAIN_FRAME, name: node.name, fragmentation, children: [node] },
    css: { transform: { steps, origin }, outline: null, clip: null, dropShadows: [] },
  };
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
  const area = { x: left, y: top, width: unsignedPx(width - left - right), height: unsignedPx(height - top - bottom) };
  const placement = { ...PLAIN_NODE.placement, ...area };
  const fragmentation = { ...WHOLE, pages, ...(pages === 'all' && document.named && { page: sheet ?? '' }) };
  return [{ ...PLAIN_FRAME, name: `on ${pages} sheets`, placement, children, fragmentation }];
}

/** The texts of `<style>`, and of the sheets that `<link>` is for. */
function sheetsIn(all: readonly CssElement[]): readonly string[] {
  return all.flatMap((element) => {
    if (element.name !== 'style' && element.name !== 'link') return [];
    const text = element.children
      .filter((child) => !isElement(child))
      .join('')
      .replace(/<!--|-->/g, ' ');
    const media = element.attributes.get('media');
    return [media ? `@media ${media}{${text}}` : text];
  });
}

/** Characters of all last frames together, which animations may repeat, and animations of an element. */
const MOST_OF_ENDS = 1_000_000;
const MOST_ANIMATIONS = 20;

/** The sheets with animations that keep their end as that, which a picture shows: what their last frame declares. */
function atTheirEnd(texts: readonly string[]): readonly string[] {
  const ends = new Map<string, string[]>();
  for (const text of texts) {
    if (!/@(-webkit-)?keyframes\b/i.test(text)) continue;
    for (const { atRules, selectors, declarations } of readRules(text)) {
      const [, name] = /^@(?:-webkit-)?keyframes\s+["']?([\w-]+)/i.exec(atRules.at(-1) ?? '') ?? [];
      if (!name) continue;
      const isEnd = (selectors.at(-1) ?? '').split(',').some((each) => /^(to|100%)$/i.test(each.trim()));
      const known = ends.get(name) ?? [];
      ends.set(name, known);
      if (isEnd) for (const { property, value } of declarations) known.push(`${property}:${value}`);
    }
  }
  if (ends.size === 0) return texts;
  const joined = new Map([...ends].map(([name, end]) => [name, end.join(';')]));
  let left = MOST_OF_ENDS;
  return texts.map((text) =>
    text.replace(/\banimation\s*:([^;{}]*)/gi, (whole, value: string) => {
      const end = left < 0 ? null : endOf(value, joined);
      left -= end?.length ?? 0;
      return end === null || left < 0 ? whole : end;
    }),
  );
}

/** null = not all of them keep one that is known. */
function endOf(value: string, ends: ReadonlyMap<string, string>): string | null {
  const all = splitValue(value, ',');
  if (all.length > MOST_ANIMATIONS) return null;
  const found = all.map((each) => {
    const words = splitValue(each);
    const keepsIt = words.some((word) => /^(forwards|both)$/i.test(word)) && !words.includes('infinite');
    const name = words.find((word) => ends.has(word));
    return keepsIt && name ? (ends.get(name) ?? null) : null;
  });
  return found.includes(null) ? null : found.join(';');
}

/** Names the first of what is not drawn, and counts the rest. */
function warning(what: string, names: readonly string[], between: string): readonly Diagnostic[] {
  if (names.length === 0) return [];
  const rest = names.length > MOST_NAMED ? ` and ${names.length - MOST_NAMED} more` : '';
  const message = `css: ${what}: ${names.slice(0, MOST_NAMED).join(between)}${rest}.`;
  return [{ code: 'unknown-property', layer: null, message }];
}
