// A parsed font file at one point of its design space, read and shaped through HarfBuzz.
//
// Immutable to its users: glyph outlines, metrics and shaped strings are cached, so a face is shared between renders.
// Everything is in font units, y up; sizes, spacing and lines are left to later steps.

import * as hb from 'harfbuzzjs';
import { LruCache } from '../lru-cache.ts';
import type { PathData, PathSegment } from '../path.ts';
import { type ColorGlyph, sizeOf } from './color-glyph.ts';
import { ColorGlyphBuilder } from './color-glyph-builder.ts';
import { ColorLines } from './color-glyph-stops.ts';
import { type FontTables, fontTable, readFontTables } from './font-tables.ts';
import { featureTags, GlyphContexts } from './glyph-contexts.ts';
import type { KernTable } from './kern-table.ts';
import { PAIR_BYTES, PAIRED_CHARACTERS, PairAdvances } from './pair-advances.ts';
import { PLAIN_CHARACTERS } from './plain-text.ts';
import type { ShapedGlyph, ShapeOptions } from './shaped-glyph.ts';
import { ShapedStrings } from './shaped-strings.ts';
import type { VerticalMetrics } from './vertical-metrics.ts';

/** A font file as the font library supplies it: sfnt bytes (TTF or OTF, never WOFF), already checked. */
export interface FontFile {
  /** Unique among all faces: the file's identity and, for a variable font, its axis values. */
  readonly key: string;
  readonly family: string;
  readonly weight: number;
  readonly style: 'normal' | 'italic';
  readonly bytes: Uint8Array;
  readonly variations: Readonly<Record<string, number>>;
}

/** Vertical metrics as fractions of the font size; all but `lineGap` and the positions are positive. */
export interface FontMetrics {
  readonly ascent: number;
  readonly descent: number;
  readonly lineGap: number;
  readonly xHeight: number;
  readonly capHeight: number;
  /** Centre of the line, positive above the baseline (OpenType `post`, `OS/2`). */
  readonly underlinePosition: number;
  readonly underlineThickness: number;
  readonly strikeoutPosition: number;
  readonly strikeoutThickness: number;
  /** Letter size of superscripts and subscripts, and their rise above the baseline. */
  readonly superscript: { readonly size: number; readonly rise: number };
  readonly subscript: { readonly size: number; readonly rise: number };
}

/** Limit of segments in one glyph's outline; HarfBuzz has its own limits on composite glyphs. */
const MAX_OUTLINE_SEGMENTS = 100_000;
/** Limit of stops in a gradient of a colour glyph; those of Noto Color Emoji have up to 13. */
const MAX_STOPS = 256;
/** Cache limits of one face: code points looked up, segments of outlines and of colour glyphs. */
const KEPT_CODE_POINTS = 50_000;
const KEPT_SEGMENTS = 200_000;
/** In how many ways pairs are kept: scripts, languages and features. */
const KEPT_PAIR_TABLES = 6;
/** How many texts have to be asked for before reading the face's lookups is worth it. */
const TEXTS_WORTH_PAIRS = 60;
/** Apple's layout tables, which HarfBuzz may prefer to OpenType's. */
const APPLE_TABLES = ['morx', 'mort', 'kerx', 'trak'];
/** Bytes of what a face caches, as measured with Node 24: a segment, a shaped character, a code point looked up. */
const SEGMENT_BYTES = 130;
const CHARACTER_BYTES = 130;
const CODE_POINT_BYTES = 48;
/** Bytes of a face without its file and caches: HarfBuzz's objects and its tables' accelerators. */
const FACE_BYTES = 24_000;

export class FontFace {
  readonly key: string;
  readonly file: FontFile;
  readonly unitsPerEm: number;
  readonly glyphCount: number;
  readonly metrics: FontMetrics;
  /** True when glyphs carry their own colours (COLR). */
  readonly isColor: boolean;
  readonly #face: hb.Face;
  readonly #font: hb.Font;
  readonly #vertical: VerticalMetrics | null;
  readonly #kern: KernTable | null;
  /** By script, whether GPOS kerns it. */
  readonly #kernedScripts = new Map<string, boolean>();
  #hasPlainText: boolean | null = null;
  #colorLines: ColorLines | null = null;
  readonly #glyphs = new Map<number, number>();
  readonly #outlines = new LruCache<number, PathData>(KEPT_SEGMENTS);
  readonly #colorGlyphs = new LruCache<number, ColorGlyph>(KEPT_SEGMENTS);
  readonly #shaped = new ShapedStrings();
  readonly #pairs = new LruCache<string, PairAdvances | null>(KEPT_PAIR_TABLES);
  /** Texts for which pairs were asked for, until it is worth it. */
  #askedForPairs = 0;

  /** @throws Error with a public sentence when the bytes are not one TrueType or OpenType font with glyphs. */
  constructor(file: FontFile) {
    const tables = readFontTables(file.bytes);
    this.key = file.key;
    this.file = file;
    this.unitsPerEm = tables.unitsPerEm;
    this.glyphCount = tables.glyphCount;
    this.#face = new hb.Face(new hb.Blob(file.bytes));
    this.#font = new hb.Font(this.#face);
    const variations = Object.entries(file.variations).map(([axis, value]) => new hb.Variation(axis, value));
    if (variations.length > 0) this.#font.setVariations(variations);
    this.isColor = this.#face.hasColorPaint() || this.#face.hasColorLayers();

    this.#vertical = tables.vertical;
    this.#kern = tables.kern;
    this.metrics = this.#metrics(tables, variations.length > 0);
  }

  /**
   * Approximate memory that the face takes, bytes: the file twice, as HarfBuzz has a copy in WebAssembly memory, and
   * what is cached. Grows while the face is used.
   */
  get memory(): number {
    const segments = this.#outlines.weight + this.#colorGlyphs.weight;
    const caches =
      segments * SEGMENT_BYTES + this.#shaped.characters * CHARACTER_BYTES + this.#glyphs.size * CODE_POINT_BYTES;
    return FACE_BYTES + 2 * this.file.bytes.length + caches + this.#pairs.weight * PAIR_BYTES;
  }

  /** Whether the face maps this code point to a glyph (its `cmap`). */
  has(codePoint: number): boolean {
    return this.glyph(codePoint) !== 0;
  }

  /** Whether it replaces letters by a feature, in any script and language (its `GSUB`). */
  hasFeature(tag: string): boolean {
    this.#features ??= featureTags(fontTable(this.file.bytes)('GSUB'));
    return this.#features.has(tag);
  }

  #features: ReadonlySet<string> | null = null;

  /** Whether it maps every character of plain text. */
  get hasPlainText(): boolean {
    this.#hasPlainText ??= PLAIN_CHARACTERS.every((codePoint) => this.has(codePoint));
    return this.#hasPlainText;
  }

  /** The glyph that the `cmap` gives a code point, before shaping; 0 (.notdef) where it has none. */
  glyph(codePoint: number): number {
    let glyph = this.#glyphs.get(codePoint);
    if (glyph === undefined) {
      if (this.#glyphs.size >= KEPT_CODE_POINTS) this.#glyphs.clear();
      glyph = this.#font.nominalGlyph(codePoint) ?? 0;
      this.#glyphs.set(codePoint, glyph);
    }
    return glyph;
  }

  /** Horizontal advance of a glyph in font units, without kerning. */
  advance(glyph: number): number {
    return this.#font.glyphHAdvance(glyph);
  }

  /** Outline in font units, y up; empty for spaces. Cached. */
  outline(glyph: number): PathData {
    let outline = this.#outlines.get(glyph);
    if (!outline) {
      outline = this.outlineOnce(glyph);
      this.#outlines.set(glyph, outline, 1 + outline.length);
    }
    return outline;
  }

  /** The same, not cached: for who keeps what it makes of an outline. Thousands that are cached grow old in memory. */
  outlineOnce(glyph: number): PathData {
    const drawn: PathSegment[] = [];
    this.#font.drawGlyph(glyph, OUTLINE, drawn);
    return drawn;
  }

  /**
   * The colour layers of a glyph of a colour face; null if the glyph has only an outline, or a gradient of more stops
   * than anybody draws. Cached.
   */
  colorGlyph(glyph: number): ColorGlyph | null {
    if (!this.isColor) return null;
    let painted = this.#colorGlyphs.get(glyph);
    if (!painted) {
      this.#colorLines ??= new ColorLines(this.file.bytes);
      const builder = new ColorGlyphBuilder();
      const isPaintable = this.#colorLines.longest(glyph) <= MAX_STOPS;
      const found =
        isPaintable && this.#font.paintGlyphOrFail(glyph, PAINT, { builder, face: this } satisfies Painting);
      painted = found ? builder.finish() : [];
      // Weighed as it is kept, not as it was read: a glyph that takes long to read and shows little must stay.
      this.#colorGlyphs.set(glyph, painted, 1 + sizeOf(painted));
    }
    return painted.length > 0 ? painted : null;
  }

  /** Whether `vert` gives a character a different glyph than in horizontal lines. */
  hasVerticalForm(codePoint: number, script: string): boolean {
    const options = { direction: 'ttb', script, language: null, features: {} } as const;
    return this.shape(String.fromCodePoint(codePoint), options)[0]?.id !== this.glyph(codePoint);
  }

  /**
   * Glyphs in drawing order: left to right also for `rtl`, and down also for `btt`. Short strings are cached. Tabs are
   * spaces, and control characters draw nothing.
   */
  shape(text: string, options: ShapeOptions): readonly ShapedGlyph[] {
    return text === '' ? [] : this.#shaped.get(text, options, this.#shape);
  }

  /** `shape`, of a text that hardly recurs: it is not cached. */
  shapeOnce(text: string, options: ShapeOptions): readonly ShapedGlyph[] {
    return this.#shape(text, options);
  }

  /**
   * Shapes texts from left to right by pairs of characters, which gives the same as `shape` in less time. null = the face
   * needs more than that; undefined = it was asked for too few texts yet.
   */
  pairAdvances(options: Pick<ShapeOptions, 'script' | 'language' | 'features'>): PairAdvances | null | undefined {
    this.#askedForPairs += 1;
    if (this.#askedForPairs < TEXTS_WORTH_PAIRS) return undefined;
    const { script, language, features } = options;
    const key = `${script} ${languageOf(language)} ${Object.entries(features)}`;
    let pairs = this.#pairs.get(key);
    if (pairs === undefined) {
      const table = fontTable(this.file.bytes);
      const isOpenType = !this.#kern && APPLE_TABLES.every((name) => table(name) === null);
      const tables = {
        gsub: table('GSUB'),
        gpos: table('GPOS'),
        classOf: (glyph: number) => this.#face.getGlyphClass(glyph),
      };
      const glyphs = PAIRED_CHARACTERS.map((code) => this.glyph(code));
      const contexts = isOpenType ? GlyphContexts.read(tables, glyphs, Object.keys(features)) : null;
      const shape = (text: string) => this.#shape(text, { direction: 'ltr', script, language, features });
      pairs = contexts && new PairAdvances(contexts, this.unitsPerEm, shape);
      this.#pairs.set(key, pairs);
    }
    return pairs;
  }

  readonly #shape = (text: string, options: ShapeOptions): readonly ShapedGlyph[] => {
    const { before = '', after = '' } = options;
    BUFFER.reset();
    BUFFER.addText(printable(before + text + after), before.length, text.length);
    BUFFER.setDirection(DIRECTION[options.direction]);
    BUFFER.setScript(options.script);
    const language = languageOf(options.language);
    if (language) BUFFER.setLanguage(language);
    hb.shape(this.#font, BUFFER, featuresOf(options.features));
    const infos = BUFFER.getGlyphInfos();
    const positions = BUFFER.getGlyphPositions();
    const isUpright = options.direction === 'ttb' || options.direction === 'btt';
    const glyphs: ShapedGlyph[] = [];
    for (let i = 0; i < infos.length; i++) {
      const info = infos[i];
      const position = positions[i];
      if (!info || !position) break;
      const correction = isUpright ? this.#verticalCorrection(info.codepoint) : NO_CORRECTION;
      glyphs.push({
        id: info.codepoint,
        cluster: info.cluster - before.length,
        xAdvance: position.xAdvance,
        yAdvance: position.yAdvance + correction.advance,
        xOffset: position.xOffset,
        yOffset: position.yOffset + correction.offset,
        unsafeToBreak: (info.flags & hb.GlyphFlag.UNSAFE_TO_BREAK) !== 0,
      });
    }
    return isUpright ? glyphs : this.#kerned(text, glyphs, options);
  };

  /** Applies the `kern` table to glyphs in horizontal lines, unless GPOS kerns the script. */
  #kerned(text: string, glyphs: readonly ShapedGlyph[], { script, features }: ShapeOptions): readonly ShapedGlyph[] {
    if (!this.#kern || features.kern === 0) return glyphs;
    let isKerned = this.#kernedScripts.get(script);
    if (isKerned === undefined) {
      isKerned = this.#isPositioned(script);
      this.#kernedScripts.set(script, isKerned);
    }
    if (isKerned) return glyphs;
    const marks = new Set(text.match(/\p{Mn}/gu)?.map((mark) => this.glyph(mark.codePointAt(0) ?? 0)));
    const isPassedOver = ({ id, xAdvance }: ShapedGlyph) => {
      const glyphClass = this.#face.getGlyphClass(id);
      if (glyphClass === hb.GlyphClass.MARK || (glyphClass === hb.GlyphClass.UNCLASSIFIED && marks.has(id)))
        return true;
      // HarfBuzz replaces joiners and other invisible characters with spaces without an advance.
      return xAdvance === 0 && id === this.glyph(0x20);
    };
    return this.#kern.apply(glyphs, isPassedOver);
  }

  /** Whether GPOS has the feature `kern` for a script, as HarfBuzz looks it up, in any of its languages. */
  #isPositioned(script: string): boolean {
    const scripts = this.#face.getTableScriptTags('GPOS');
    const { scriptTags } = hb.otTagsFromScriptAndLanguage(script, 'en');
    const tag = [...scriptTags, 'DFLT', 'dflt', 'latn'].find((each) => scripts.includes(each));
    if (tag === undefined) return false;
    const index = scripts.indexOf(tag);
    const languages = this.#face.getScriptLanguageTags('GPOS', index).map((_, i) => i);
    return [DEFAULT_LANGUAGE, ...languages].some((language) =>
      this.#face.getLanguageFeatureTags('GPOS', index, language).includes('kern'),
    );
  }

  /** The correction of HarfBuzz's vertical positions of a glyph, which ignore the face's own vertical metrics. */
  #verticalCorrection(glyph: number): { readonly advance: number; readonly offset: number } {
    const { ascent, descent } = this.metrics;
    const { unitsPerEm } = this;
    const advance = this.#vertical?.advance(glyph) ?? Math.round((ascent + descent) * unitsPerEm);
    return {
      advance: -advance - this.#font.glyphVAdvance(glyph),
      // HarfBuzz puts the vertical origin of every glyph at the ascender.
      offset: this.#font.hExtents().ascender - this.#verticalOrigin(glyph, advance),
    };
  }

  /** Height above the baseline of a glyph's vertical origin, which lies at the pen of a vertical line. */
  #verticalOrigin(glyph: number, advance: number): number {
    const { ascent, descent } = this.metrics;
    const stated = this.#vertical?.originY(glyph) ?? null;
    if (stated !== null) return stated;
    const extents = this.#vertical ? this.#font.glyphExtents(glyph) : undefined;
    if (this.#vertical && extents && !this.isColor) {
      return extents.yBearing + this.#vertical.topBearing(glyph);
    }
    // Faces without such metrics, and colour glyphs: the middle of the line is in the middle of the advance.
    return Math.round(((ascent - descent) * this.unitsPerEm + advance) / 2);
  }

  /** The tables' metrics at this point of the design space; missing ones are measured or estimated as Skia does. */
  #metrics(tables: FontTables, varies: boolean): FontMetrics {
    const { unitsPerEm } = tables;
    // By name: a copy of the table would keep all of HarfBuzz in pages.
    const MetricsTag = hb.MetricsTag;
    const em = (value: number, metric: hb.MetricsTag) =>
      (value + (varies ? this.#font.getMetricYVariation(metric) : 0)) / unitsPerEm;
    const underlineThickness = em(tables.underlineThickness ?? unitsPerEm / 20, MetricsTag.UNDERLINE_SIZE);
    const strikeoutThickness = em(tables.strikeoutThickness ?? unitsPerEm / 20, MetricsTag.STRIKEOUT_SIZE);
    const underlineTop = em(tables.underlinePosition ?? -unitsPerEm / 10, MetricsTag.UNDERLINE_OFFSET);
    const xHeight = em(tables.xHeight ?? this.#heightOf('x') ?? unitsPerEm / 2, MetricsTag.X_HEIGHT);
    const strikeoutTop =
      tables.strikeoutPosition === null
        ? (xHeight + strikeoutThickness) / 2
        : em(tables.strikeoutPosition, MetricsTag.STRIKEOUT_OFFSET);
    return {
      ascent: em(tables.ascender, MetricsTag.HORIZONTAL_ASCENDER),
      descent: -em(tables.descender, MetricsTag.HORIZONTAL_DESCENDER),
      lineGap: em(tables.lineGap, MetricsTag.HORIZONTAL_LINE_GAP),
      xHeight,
      capHeight: em(tables.capHeight ?? this.#heightOf('H') ?? 0.7 * unitsPerEm, MetricsTag.CAP_HEIGHT),
      underlinePosition: underlineTop - underlineThickness / 2,
      underlineThickness,
      strikeoutPosition: strikeoutTop - strikeoutThickness / 2,
      strikeoutThickness,
      superscript: {
        size: sane(em(tables.superscriptSize ?? 0.6 * unitsPerEm, MetricsTag.SUPERSCRIPT_EM_Y_SIZE)),
        rise: sane(em(tables.superscriptOffset ?? 0.35 * unitsPerEm, MetricsTag.SUPERSCRIPT_EM_Y_OFFSET)),
      },
      subscript: {
        size: sane(em(tables.subscriptSize ?? 0.6 * unitsPerEm, MetricsTag.SUBSCRIPT_EM_Y_SIZE)),
        rise: -sane(em(tables.subscriptOffset ?? 0.075 * unitsPerEm, MetricsTag.SUBSCRIPT_EM_Y_OFFSET)),
      },
    };
  }

  /** The height of a letter's outline above the baseline, as Skia measures it where OS/2 does not state it. */
  #heightOf(letter: string): number | null {
    const glyph = this.glyph(letter.codePointAt(0) ?? 0);
    const extents = glyph === 0 ? undefined : this.#font.glyphExtents(glyph);
    return extents && extents.yBearing > 0 ? extents.yBearing : null;
  }
}

/** Clamps a fraction of the em that a file states to 0.01..1. */
function sane(value: number): number {
  return Math.min(1, Math.max(0.01, value));
}

type Features = ShapeOptions['features'];

/** Replaces tabs by spaces and control characters by zero-width spaces, one to one, so that offsets stay valid. */
function printable(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it replaces
  return text.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/g, (control) => (control === '\t' ? ' ' : '\u200b'));
}

/** A fast check: most text has no features. */
function isEmpty(features: Features): boolean {
  for (const _ in features) return false;
  return true;
}

function featuresOf(features: Features): hb.Feature[] {
  return isEmpty(features) ? NO_FEATURES : Object.entries(features).map(([tag, value]) => new hb.Feature(tag, value));
}

const NO_FEATURES: hb.Feature[] = [];

/** The shaping buffer. Core is synchronous, so one is enough. */
const BUFFER = new hb.Buffer();

/**
 * The part of a language tag that OpenType distinguishes. HarfBuzz never forgets a tag that it was given, so regions
 * and variants that a caller makes up must not reach it.
 */
function languageOf(tag: string | null): string | null {
  if (tag === null) return null;
  const [primary = '', ...subtags] = tag.toLowerCase().split('-');
  if (!/^[a-z]{2,3}$/.test(primary)) return null;
  if (primary !== 'zh') return primary;
  const told = subtags.find((subtag) => /^(hans|hant|hk|mo|tw|sg|cn)$/.test(subtag));
  return told ? `zh-${told}` : 'zh';
}

/** The index of a script's default language system in OpenType, for languages without features of their own. */
const DEFAULT_LANGUAGE = 0xffff;

const NO_CORRECTION = { advance: 0, offset: 0 };
const DIRECTION = { ltr: hb.Direction.LTR, rtl: hb.Direction.RTL, ttb: hb.Direction.TTB, btt: hb.Direction.BTT };

const OUTLINE = new hb.DrawFuncs();
const append = (drawn: unknown, segment: PathSegment) => {
  const path = drawn as PathSegment[];
  if (path.length < MAX_OUTLINE_SEGMENTS) path.push(segment);
};
OUTLINE.setMoveToFunc((x, y, drawn) => append(drawn, ['M', x, y]));
OUTLINE.setLineToFunc((x, y, drawn) => append(drawn, ['L', x, y]));
// Without a callback for quadratic curves, HarfBuzz converts them to cubics.
OUTLINE.setCubicToFunc((x1, y1, x2, y2, x, y, drawn) => append(drawn, ['C', x1, y1, x2, y2, x, y]));
OUTLINE.setClosePathFunc((drawn) => append(drawn, ['Z']));

interface Painting {
  readonly builder: ColorGlyphBuilder;
  readonly face: FontFace;
}

const PAINT = new hb.PaintFuncs();
const into = (painting: unknown) => (painting as Painting).builder;
PAINT.setPushTransformFunc((xx, yx, xy, yy, dx, dy, data) => into(data).pushTransform([xx, yx, xy, yy, dx, dy]));
PAINT.setPopTransformFunc((data) => into(data).popTransform());
PAINT.setPushClipGlyphFunc((glyph, _font, data) => {
  const { builder, face } = data as Painting;
  // HarfBuzz cannot be stopped, and one letter may have 65,535 layers of outlines that take 9 ms each.
  builder.pushClip(builder.isFull ? [] : face.outline(glyph));
});
PAINT.setPushClipRectangleFunc((left, bottom, right, top, data) =>
  into(data).pushClip([['M', left, bottom], ['L', right, bottom], ['L', right, top], ['L', left, top], ['Z']]),
);
PAINT.setPopClipFunc((data) => into(data).popClip());
PAINT.setPushGroupFunc((data) => into(data).pushGroup());
PAINT.setPopGroupFunc((mode, data) => into(data).popGroup(mode));
PAINT.setColorFunc((isForeground, color, data) => into(data).solid(isForeground, color));
PAINT.setLinearGradientFunc((line, x0, y0, x1, y1, x2, y2, data) =>
  into(data).linear(line, { x: x0, y: y0 }, { x: x1, y: y1 }, { x: x2, y: y2 }),
);
PAINT.setRadialGradientFunc((line, x0, y0, r0, x1, y1, r1, data) =>
  into(data).radial(line, { x: x0, y: y0 }, r0, { x: x1, y: y1 }, r1),
);
PAINT.setSweepGradientFunc((line, x, y, startAngle, endAngle, data) =>
  into(data).sweep(line, { x, y }, startAngle, endAngle),
);
