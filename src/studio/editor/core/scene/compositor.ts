// Turns a document and its data into what the canvas shows, with core's own layout and painting.
//
// Works synchronously if fonts and pictures are loaded; otherwise they are loaded first, and the last picture stays.

import type { Diagnostic } from '#core/diagnostics.ts';
import type { Layout, LayoutBox, LayoutMemory } from '#core/layout/box.ts';
import type { layOut } from '#core/layout/layout.ts';
import { isPlain, layOutWith } from '#core/layout/layout-pass.ts';
import { type LocatedBox, locateBoxes } from '#core/layout/located-boxes.ts';
import { type Kept, YogaTreeCache } from '#core/layout/yoga-tree-cache.ts';
import { LruCache } from '#core/lru-cache.ts';
import type { Pages } from '#core/pages/compose-pages.ts';
import type { DisplayList, PaintOp } from '#core/paint/display-list.ts';
import { type PaintedBefore, paint } from '#core/paint/paint.ts';
import type { Owners } from '#core/paint/view.ts';
import { type Modifications, NotLoaded } from '#core/resolve/apply-modifications.ts';
import type { EncodeSymbol } from '#core/resolve/encode-code.ts';
import { laterCode } from '#core/resolve/needs.ts';
import { type RarerLayers, resolveWith } from '#core/resolve/resolve-layers.ts';
import type { CodeModules, CodeNeed, Scene } from '#core/resolve/scene.ts';
import type { Resources } from '#core/resources.ts';
import { writeSvgOps } from '#core/svg/write-svg.ts';
import type { Template } from '#core/template/template.ts';
import type { FontSet } from '#core/text/font-set.ts';
import type { Hyphenate, Hyphenators } from '#core/text/hyphenation.ts';
import { patternsOf } from '#core/text/hyphenation-patterns.ts';
import type { Designs } from '../design/designs.ts';
import { type RawDocument, walk } from '../document/document.ts';
import { parseDocument } from '../document/parse-document.ts';
import type { SceneFonts } from './fonts.ts';
import type { SceneImages } from './images.ts';

export interface Picture {
  /** Without references and components. */
  readonly document: RawDocument;
  readonly template: Template;
  readonly scene: Scene;
  readonly list: DisplayList;
  /** One entry per operation of the list, as SVG. */
  readonly svg: readonly string[];
  /** Top-level boxes, back to front. */
  readonly layout: readonly LayoutBox[];
  /** In painting order. */
  readonly boxes: readonly LocatedBox[];
  readonly byName: ReadonlyMap<string, LocatedBox>;
  /** The top of each page of a document, px; empty for one picture. */
  readonly pages: readonly number[];
  /** Without lost content, which takes long to find. */
  readonly diagnostics: readonly Diagnostic[];
  readonly owners: Owners;
  /** Lists that are not shown to their end. */
  readonly cut: readonly CutList[];
  /** Addresses of the pictures that operations name by key. If they differ, an operation shows another picture. */
  readonly addresses: string;
  /** For measuring operations. */
  readonly fonts: FontSet;
  /** What the picture was made with. */
  readonly resources: Resources;
}

/** The names of layers whose picture is not shown: none is chosen, or it could not be loaded. */
export function pictureless({ diagnostics }: Picture): ReadonlySet<string> {
  return new Set(diagnostics.flatMap(({ code, layer }) => (code === 'image-left-out' && layer !== null ? layer : [])));
}

/** Between two pages of a document, px. */
export const PAGE_GAP = 40;

function pagesIn(height: number, all: number): readonly number[] {
  return Array.from({ length: Math.round((all + PAGE_GAP) / (height + PAGE_GAP)) }, (_, i) => i * (height + PAGE_GAP));
}

export class Compositor {
  readonly fonts: SceneFonts;
  readonly images: SceneImages;
  readonly designs: Designs;
  readonly #idPrefix: string;
  readonly #trees = new YogaTreeCache();
  /** Loaded when a document first has a grid, a table, a chart or pages. */
  #anyLayout: typeof layOut | null = null;
  /** The same, or what calculates and names values alone. */
  #rarer: Partial<RarerLayers> = {};
  /** Loaded when a document first has pages. */
  #pages: typeof Pages | null = null;
  /** Loaded when a document first has a chart. */
  #charts: Pick<Resources, 'drawChart'> | null = null;
  #memory: Memory | null = null;

  /** @param idPrefix of the ids of definitions: different for each picture in a page */
  constructor(fonts: SceneFonts, images: SceneImages, designs: Designs, idPrefix = 'op-') {
    this.fonts = fonts;
    this.images = images;
    this.designs = designs;
    this.#idPrefix = idPrefix;
  }

  /**
   * The picture, or a promise of the missing resources: call again when it resolves.
   *
   * @throws ValidationError naming the path, when the document or the data cannot be drawn
   */
  compose(edited: RawDocument, modifications: Modifications): Picture | Promise<void> {
    const document = this.designs.plain(edited);
    if (document instanceof Promise) return document;
    const template = parseDocument(document);
    const { values, cut } = firstRows(document, modifications);
    const resolved = this.#resolve(template, values);
    if (resolved instanceof NotLoaded) return resolved.part === 'values' ? this.#loadValues() : this.#loadRarer();
    const ready = this.#ready(resolved);
    if (!ready) return this.#load(resolved);
    const { resources, diagnostics } = ready;
    const { scene, boxes: laidOut, diagnostics: found } = this.#layOut(resolved, resources);
    const memory = this.#memoryFor(scene, resources);
    const list = paint(scene, laidOut, resources, memory.paint);
    const boxes = locateBoxes(laidOut);
    const pictureAddress = (key: string) => this.images.address(key);
    const svg = writeSvgOps(list, resources, { idPrefix: this.#idPrefix, pictureAddress }, memory.written);
    return {
      document,
      template,
      scene,
      list,
      svg,
      boxes,
      // A layer on several pages is known by the first, and a table by the whole of it, not by its cells.
      byName: new Map(boxes.toReversed().map((box) => [box.name, box])),
      pages: resolved.page ? pagesIn(resolved.height, scene.height) : [],
      layout: laidOut,
      diagnostics: [...scene.diagnostics, ...diagnostics, ...found],
      cut,
      owners: memory.paint.owners,
      addresses: memory.addresses,
      fonts: resources.fonts,
      resources,
    };
  }

  #resolve(template: Template, values: Modifications): Scene | NotLoaded {
    try {
      return resolveWith(this.#rarer, template, values);
    } catch (error) {
      if (error instanceof NotLoaded) return error;
      throw error;
    }
  }

  #boxesOf(scene: Scene, resources: Resources, kept?: Kept): Layout {
    return this.#anyLayout ? this.#anyLayout(scene, resources, kept) : layOutWith(null, scene, resources, kept);
  }

  /** The boxes of a scene; a document is shown as its pages, one below the other. */
  #layOut(scene: Scene, resources: Resources): ReturnType<Pages['stacked']> {
    if (scene.page && this.#pages) return new this.#pages(scene, scene.page, resources, this.#trees).stacked(PAGE_GAP);
    const kept = { memory: this.#memoryFor(scene, resources).layout, trees: this.#trees };
    return { scene, ...this.#boxesOf(scene, resources, kept) };
  }

  /** Where hidden layers would be if all of `names` were visible; empty while this cannot be computed. */
  locateHidden(document: RawDocument, modifications: Modifications, names: readonly string[]): readonly LocatedBox[] {
    const shown = Object.fromEntries(names.map((name) => [name, { ...asObject(modifications[name]), visible: true }]));
    try {
      const scene = this.#resolve(parseDocument(document), { ...modifications, ...shown });
      const ready = scene instanceof NotLoaded ? null : this.#ready(scene);
      if (scene instanceof NotLoaded || !ready) return [];
      return locateBoxes(this.#boxesOf(scene, ready.resources).boxes).filter(({ name }) => names.includes(name));
    } catch {
      return [];
    }
  }

  #ready(scene: Scene): { readonly resources: Resources; readonly diagnostics: readonly Diagnostic[] } | null {
    const { needs, page } = scene;
    const fonts = this.fonts.ready(needs.fonts);
    const pictures = this.images.ready(needs.images);
    const codes = readyCodes(needs.codes);
    const hyphenators = readyHyphenators(needs.hyphenation);
    const isLoaded = (!page || this.#pages) && (!needs.charts || this.#charts) && (this.#anyLayout || isPlain(scene));
    if (!fonts || !pictures || !codes || !hyphenators || !isLoaded) return null;
    const leftOut = pictures.failed.map(({ layer, message }): Diagnostic => {
      // As the server says it.
      const reason = message.charAt(0).toLowerCase() + message.slice(1);
      const sentence = `Image of layer ${JSON.stringify(layer)} could not be loaded: ${reason} It was left out.`;
      return { code: 'image-left-out', layer, message: sentence };
    });
    const papers = pictures.papers.map((layer): Diagnostic => {
      // As the server says it.
      const message = `Image of layer ${JSON.stringify(layer)}: letter paper is not in this preview; it is in the PDF. A \`fallback\` is shown in pictures.`;
      return { code: 'image-simplified', layer, message };
    });
    return {
      resources: { fonts: fonts.fonts, images: pictures.images, codes, hyphenators, ...this.#charts },
      diagnostics: [...fonts.diagnostics, ...leftOut, ...papers],
    };
  }

  async #load(scene: Scene): Promise<void> {
    const { needs, page } = scene;
    await Promise.all([
      page && this.#loadPages(),
      isPlain(scene) || this.#loadRarer(),
      needs.charts && this.#loadCharts(),
      loadCodes(needs.codes),
      this.fonts.load(needs.fonts),
      this.images.load(needs.images),
      loadHyphenators(needs.hyphenation),
    ]);
  }

  async #loadRarer(): Promise<void> {
    const [{ layOut }, { RARER_LAYERS }] = await Promise.all([
      import('#core/layout/layout.ts'),
      import('#core/resolve/resolve.ts'),
    ]);
    this.#anyLayout = layOut;
    this.#rarer = RARER_LAYERS;
  }

  async #loadValues(): Promise<void> {
    const { Completion } = await import('#core/resolve/calculate.ts');
    this.#rarer = { Completion, ...this.#rarer };
  }

  async #loadPages(): Promise<void> {
    this.#pages ??= (await import('#core/pages/compose-pages.ts')).Pages;
  }

  async #loadCharts(): Promise<void> {
    this.#charts ??= await import('#core/chart/draw-chart.ts');
  }

  /** The cache of the last pictures; reset if anything that it depends on differs. */
  #memoryFor({ width, height }: Scene, { fonts, images }: Resources): Memory {
    const addresses = [...images.keys()].map((key) => `${key} ${this.images.address(key)}`).join('\n');
    const last = this.#memory;
    const isSame = last?.fonts === fonts && last.addresses === addresses && last.canvas === `${width} ${height}`;
    if (last && isSame) return last;
    this.#memory = {
      fonts,
      addresses,
      canvas: `${width} ${height}`,
      layout: new WeakMap(),
      paint: { boxes: new WeakMap(), owners: new WeakMap() },
      written: new WeakMap(),
    };
    return this.#memory;
  }
}

/** Results of each stage for layers that no edit has changed, and the resources they were laid out and painted with. */
interface Memory {
  readonly fonts: FontSet;
  readonly addresses: string;
  readonly canvas: string;
  readonly layout: LayoutMemory;
  readonly paint: PaintedBefore;
  readonly written: WeakMap<PaintOp, string>;
}

const asObject = (value: unknown): object => (typeof value === 'object' && value !== null ? value : {});

// Hyphenation patterns in the page: one file per language, loaded when a text needs it.

/** By the name of the patterns; null if there are none. */
const loaded = new Map<string, Hyphenate | null>();

/** The hyphenators for these languages; null if patterns must be loaded first. */
function readyHyphenators(languages: readonly string[]): Hyphenators | null {
  const hyphenators = new Map<string, Hyphenate>();
  for (const language of languages) {
    const patterns = patternsOf(language);
    if (patterns === null) continue;
    const hyphenate = loaded.get(patterns);
    if (hyphenate === undefined) return null;
    if (hyphenate) hyphenators.set(language, hyphenate);
  }
  return hyphenators;
}

async function loadHyphenators(languages: readonly string[]): Promise<void> {
  const wanted = languages
    .flatMap((language) => patternsOf(language) ?? [])
    .filter((patterns) => !loaded.has(patterns));
  if (wanted.length === 0) return;
  const { openHyphenator } = await import('./hyphenation-files.ts');
  await Promise.all(wanted.map(async (patterns) => loaded.set(patterns, await openHyphenator(patterns))));
}

// Cuts long lists to the rows that the canvas shows: laying out fifty thousand rows would stop the page for seconds after
// each key. Rendered files have all rows.

/** Rows of a list that the canvas shows. */
const SHOWN = 500;

/** A list of which the canvas shows the first rows only. */
interface CutList {
  readonly layer: string;
  readonly shown: number;
  readonly all: number;
}

/** The same rows for the same list, which what is kept of the last picture depends on. */
const kept = new WeakMap<readonly unknown[], Modifications[string]>();

/** The values with the first rows of long lists, of tables and of frames that repeat. */
function firstRows(document: RawDocument, values: Modifications) {
  const cut: CutList[] = [];
  let next = values;
  for (const { layer } of walk(document.layers)) {
    const rows = values[layer.name] ?? layer.rows;
    if (!/^(table|frame)$/.test(layer.type) || !Array.isArray(rows) || rows.length <= SHOWN) continue;
    const first = kept.get(rows) ?? rows.slice(0, SHOWN);
    kept.set(rows, first);
    next = { ...next, [layer.name]: first };
    cut.push({ layer: layer.name, shown: SHOWN, all: rows.length });
  }
  return { values: next, cut };
}

// Encodes QR codes and barcodes. The encoders are loaded when a template first needs them. Only this file imports bwip-js
// in the studio.

type EncodeCode = (need: CodeNeed) => CodeModules;

/** Codes that were encoded before, which a template draws again and again; limited by modules of 8 bytes. */
const known = new LruCache<string, CodeModules>(1_000_000);
const encoders: { qr: EncodeCode | null; barcode: EncodeCode | null } = { qr: null, barcode: null };
const kindOf = ({ format }: CodeNeed) => (format === 'qr' ? 'qr' : 'barcode');

/**
 * The modules of codes, by their keys; null if an encoder must be loaded first.
 *
 * @throws ValidationError when a format cannot hold its value
 */
function readyCodes(needs: readonly CodeNeed[]): Resources['codes'] | null {
  const codes = new Map<string, CodeModules>();
  const encoded = (need: CodeNeed): CodeModules | undefined => {
    const modules = known.get(need.key) ?? encoders[kindOf(need)]?.(need);
    if (modules) known.set(need.key, modules, modules.dark.length);
    return modules;
  };
  for (const need of needs) {
    const modules = encoded(need);
    if (!modules) return null;
    codes.set(need.key, modules);
  }
  // Those of a table's cells.
  const later = (key: string) => {
    const need = laterCode(key);
    return need ? encoded(need) : undefined;
  };
  return { get: (key) => codes.get(key) ?? later(key) };
}

/** Loads the encoders of these codes. */
async function loadCodes(needs: readonly CodeNeed[]): Promise<void> {
  const kinds = new Set(needs.map(kindOf));
  if (kinds.size === 0) return;
  const [{ encodeCode }, bwip] = await Promise.all([
    import('#core/resolve/encode-code.ts'),
    kinds.has('barcode') ? import('bwip-js/generic') : null,
  ]);
  encoders.qr ??= (need) => encodeCode(need, () => []);
  if (bwip) encoders.barcode ??= (need) => encodeCode(need, bwip.default.raw as EncodeSymbol);
}
