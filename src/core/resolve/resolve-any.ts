// Resolves a template of either kind with modifications, to a scene or to an HTML page; or checks that it could.

import { type Diagnostic, ValidationError } from '../diagnostics.ts';
import type { AnyTemplate } from '../template/any-template.ts';
import { chartRows } from '../template/chart-rows.ts';
import { repeatOf } from '../template/check-repeat.ts';
import type { Layer } from '../template/layer.ts';
import type { TableLayer } from '../template/table-layer.ts';
import { type Template, walkLayers } from '../template/template.ts';
import type { TextLayer } from '../template/text-layer.ts';
import { formatPath } from '../template/validation.ts';
import { applyModifications, type Modifications } from './apply-modifications.ts';
import { checkCode } from './check-code.ts';
import { checkParameters, type Purpose } from './check-parameters.ts';
import { formattedText, type Locale } from './format-value.ts';
import { withLists } from './list-text.ts';
import { shownChildren } from './repeat.ts';
import { RARER_LAYERS, resolve } from './resolve.ts';
import { checkChart } from './resolve-chart.ts';
import { type HtmlPage, resolveHtml } from './resolve-html.ts';
import { checkOutline } from './resolve-outline.ts';
import { type Countable, checkCounters } from './resolve-pages.ts';
import { checkTable } from './resolve-table.ts';
import type { Scene } from './scene.ts';

export type Drawable = Scene | HtmlPage;

/** @throws ValidationError naming the path, when a modification does not fit */
export function resolveAny(template: AnyTemplate, modifications: Modifications): Drawable {
  return template.engine === 'html' ? resolveHtml(template, modifications) : resolve(template, modifications);
}

export const isHtmlPage = (drawable: Drawable): drawable is HtmlPage => 'kind' in drawable;

/** A template and modifications that fit it. */
export interface CheckedAny extends Checked {
  /** The page that a browser draws; null if the drawing thread resolves the template itself. */
  readonly page: HtmlPage | null;
  /** Whether `pdf` may say on what sheets it is, beside pages that a browser draws. */
  readonly hasSheets: boolean;
}

/**
 * Checks like `resolveAny` but without resolving: a few milliseconds whatever the template contains.
 *
 * @throws ValidationError naming the path, when a modification does not fit
 */
export function checkAny(template: AnyTemplate, modifications: Modifications, purpose: Purpose): CheckedAny {
  const values = template.engine === 'html' ? modifications : withLists(template, modifications);
  checkParameters(template, values, purpose);
  if (template.engine !== 'html') return { ...check(template, values), page: null, hasSheets: false };
  const page = resolveHtml(template, modifications);
  const { renderer } = template;
  return {
    page: renderer === 'chromium' ? page : null,
    hasSheets: renderer === 'platen',
    sources: [],
    diagnostics: page.diagnostics,
    time: 0,
  };
}

// Checks on the request thread whether a template with modifications can be drawn, without resolving it.
//
// Every layer is checked once: a stored one is the same object in each request (apply-modifications.ts), so only layers
// that a caller changed are checked again. Nothing is encoded, no text is parsed and no outline is made. The limits on
// sums are here, because no schema sees more than one layer.

/** Characters of text in all visible layers of a template. */
const MAX_TEXT_IN_ALL = 200_000;
/** Characters and modules in all visible codes of a template; modules are estimated. */
const MAX_CODE_CHARACTERS = 20_000;
const MAX_CODE_MODULES = 1_000_000;

interface Checked {
  /** The sources of all images in visible layers, with fallbacks but without data: URIs, which name no file. */
  readonly sources: readonly string[];
  readonly diagnostics: readonly Diagnostic[];
  /** Estimated time for which the drawing thread is blocked, ms: text and codes, not pixels. */
  readonly time: number;
  /** The layer that most of this time is for; null without layers. */
  readonly heaviest?: string | null;
}

/** The demand of one layer by itself, without its children. */
interface Demand {
  readonly text: number;
  readonly characters: number;
  readonly modules: number;
  readonly sources: readonly string[];
  readonly time: number;
}

/**
 * @throws ValidationError naming the path, when a modification does not fit its layer, a layer cannot be drawn, or all
 *   together are too much
 */
export function check(template: Template, modifications: Modifications): Checked {
  checkAlternates(template);
  const modified = applyModifications(template, modifications, RARER_LAYERS);
  // Made lazily, as it is only for messages and few templates are refused.
  let paths: ReadonlyMap<string, readonly PropertyKey[]> | null = null;
  const stored = () => {
    paths ??= new Map([...walkLayers(modified.template.layers)].map(({ layer, path }) => [layer.name, path]));
    return paths;
  };
  const pathOf = (layer: Layer) =>
    modified.changes.get(layer)?.path ?? formatPath('', stored().get(layer.name) ?? ['layers', layer.name]);
  const sources: string[] = [];
  let [text, characters, modules, time] = [0, 0, 0, 0];
  let heaviest = { time: 0, name: null as string | null };
  const visit = (layers: readonly Layer[], countable: Countable) => {
    for (const layer of layers) {
      if (!layer.visible) continue;
      if (layer.type === 'text') checkCounters(layer, countable, () => pathOf(layer));
      if (layer.type === 'table' && layer.contents !== null && !template.page) {
        throw new ValidationError(
          `${pathOf(layer)}.contents`,
          'is for templates with `page`, which have pages to list',
        );
      }
      const demand = demandOf(layer, template, pathOf);
      text += demand.text;
      characters += demand.characters;
      modules += demand.modules;
      time += demand.time;
      if (demand.time > heaviest.time) heaviest = { time: demand.time, name: layer.name };
      for (const source of demand.sources) if (!isDataUri(source)) sources.push(source);
      if (text > MAX_TEXT_IN_ALL)
        throw tooMuch(`${pathOf(layer)}.text`, `texts have more than ${MAX_TEXT_IN_ALL} characters`);
      if (characters > MAX_CODE_CHARACTERS) {
        throw tooMuch(`${pathOf(layer)}.value`, `codes have more than ${MAX_CODE_CHARACTERS} characters`);
      }
      if (modules > MAX_CODE_MODULES)
        throw tooMuch(`${pathOf(layer)}.value`, `codes have more than ${MAX_CODE_MODULES} modules`);
      if (layer.type === 'frame') visit(shownChildren(layer), layer.flow && countable === 'all' ? 'places' : countable);
    }
  };
  visit(modified.template.layers, template.page ? 'all' : 'rows');
  return { sources, diagnostics: modified.diagnostics, time, heaviest: heaviest.name };
}

const checkedAlternates = new WeakSet<readonly Layer[]>();

/** Applies the looks of second entries (`repeat.alternate`), which no request may need for long: once a template. */
function checkAlternates(template: Template): void {
  const { layers } = template;
  if (checkedAlternates.has(layers)) return;
  const lists = twoEntries(layers);
  if (Object.keys(lists).length > 0) applyModifications(template, lists, RARER_LAYERS);
  checkedAlternates.add(layers);
}

/** Two entries for each list with an alternate look, and for the lists in it. */
function twoEntries(layers: readonly Layer[]): Modifications {
  const lists: Record<string, unknown> = Object.create(null);
  for (const layer of layers) {
    if (layer.type !== 'frame') continue;
    const inner = twoEntries(layer.children);
    const isAlternate = Object.keys(inner).length > 0 || Boolean(repeatOf(layer)?.alternate);
    if (layer.repeat === false) Object.assign(lists, inner);
    else if (isAlternate) lists[layer.name] = [inner, inner];
  }
  return lists;
}

const tooMuch = (path: string, what: string) =>
  new ValidationError(path, `with this layer the template's ${what}; shorten it or leave layers out`);

const isDataUri = (source: string) => /^data:/i.test(source);

const demands = new WeakMap<Layer, Demand>();

function demandOf(layer: Layer, locale: Locale, pathOf: (layer: Layer) => string): Demand {
  let demand = demands.get(layer);
  if (!demand) {
    demand = checkLayer(layer, locale, pathOf);
    demands.set(layer, demand);
  }
  return demand;
}

const NOTHING: Demand = { text: 0, characters: 0, modules: 0, sources: [], time: 0 };

// ---- ms of the drawing thread, measured on one core of a 2020s server

const LAYER = 0.02;
const TEXT_LAYER = 0.15;
/** Per cell of a table, on each page that it is on. */
const CELL = 0.05;
/** Per value of a chart: its number, its label and its mark. */
const CHART_VALUE = 0.1;
/** Per character: bidi, shaping, line breaking and writing, for the slower scripts. */
const CHARACTER = 0.012;
/** Per surrogate pair, which is most often a colour glyph of hundreds of segments. */
const COLOR_GLYPH = 0.3;
/** Factor per character for `autoFit`, which breaks lines again at each size that it tries. */
const FITTING = 2;
/** Factor per character for a hyphenated or balanced text. */
const WRAPPING = 2;
/** Per character of an Aztec code, the slowest; and per painted module. */
const CODE_CHARACTER = 0.2;
const MODULE = 0.001;

function checkLayer(layer: Layer, locale: Locale, pathOf: (layer: Layer) => string): Demand {
  const own = ownDemand(layer, locale, pathOf);
  if (layer.mask === null) return own;
  checkOutline(layer.mask, `${pathOf(layer)}.mask`);
  return layer.mask.src === null ? own : { ...own, sources: [...own.sources, layer.mask.src] };
}

function ownDemand(layer: Layer, locale: Locale, pathOf: (layer: Layer) => string): Demand {
  switch (layer.type) {
    case 'frame':
      return { ...NOTHING, time: LAYER };
    case 'image': {
      const sources = layer.fallback === null ? [layer.src] : [layer.src, layer.fallback];
      return { ...NOTHING, sources, time: LAYER };
    }
    case 'shape':
      checkOutline(layer, pathOf(layer));
      return { ...NOTHING, time: LAYER };
    case 'table': {
      const { cells, sources, characters, modules } = checkTable(layer, locale, pathOf);
      const text = longTextIn(layer);
      // Its codes are made page by page, and are in no sum.
      const codes = characters * CODE_CHARACTER + modules * MODULE;
      return { ...NOTHING, text, sources, time: LAYER + cells * CELL + text * CHARACTER + codes };
    }
    case 'chart': {
      checkChart(layer, locale, pathOf);
      const rows = chartRows(layer.data);
      const values = rows.reduce((sum, row) => sum + row.values.length, 0);
      const text =
        rows.reduce((sum, row) => sum + row.label.length, 0) + [...layer.series, ...layer.labels].join('').length;
      return { ...NOTHING, text, time: LAYER + values * CHART_VALUE + text * CHARACTER };
    }
    case 'text':
      if (layer.format !== null) formattedText(layer, locale, (text, property) => `${pathOf(text)}.${property}`);
      return textDemand(layer);
    case 'qr':
    case 'barcode': {
      const size = checkCode(layer, `${pathOf(layer)}.value`);
      return { ...NOTHING, ...size, time: LAYER + size.characters * CODE_CHARACTER + size.modules * MODULE };
    }
  }
}

/** Longer values of a table are texts like those of layers, which wrap; shorter ones are a cell's usual work. */
const LONG_VALUE = 200;

/** Characters of a table's long values. */
function longTextIn({ rows }: TableLayer): number {
  let characters = 0;
  for (const row of rows) {
    for (const value of Object.values(row)) {
      if (typeof value === 'string' && value.length > LONG_VALUE) characters += value.length;
    }
  }
  return characters;
}

function textDemand({ text, spans, autoFit, hyphens, textWrap }: TextLayer): Demand {
  const shown = spans?.length ? spans : [{ text, image: undefined }];
  const length = shown.reduce((sum, span) => sum + (span.image ? 0 : span.text.length), 0);
  const sources = shown.flatMap(({ image }) =>
    image ? [image.src, ...(image.fallback === null ? [] : [image.fallback])] : [],
  );
  const effort = (autoFit ? FITTING : 1) * (hyphens === 'auto' || textWrap !== 'wrap' ? WRAPPING : 1);
  const pairs = shown.reduce((sum, span) => sum + surrogatePairs(span.text), 0);
  const time = TEXT_LAYER * shown.length + length * CHARACTER * effort + pairs * COLOR_GLYPH;
  return { ...NOTHING, text: length, sources, time };
}

function surrogatePairs(text: string): number {
  let count = 0;
  for (let i = 0; i < text.length; i += 1) if ((text.charCodeAt(i) & 0xfc00) === 0xd800) count += 1;
  return count;
}
