// Finds the texts of a face in which glyphs and advances depend on no more than the character beside them, so that they
// can be shaped pair by pair.
//
// Reads the lookups of GSUB and GPOS (OpenType 1.9.1, chapter 2). A lookup that replaces or moves glyphs in a context can
// only match where all of the context stands: a context of two forbids the pair, a longer one is looked for where the pair
// in it stands of which there are the fewest. In a text without any, what is left are substitutions of single glyphs, and
// kerning of pairs. Files are untrusted: a broken table has no answer.

/** A glyph's class in GDEF, as HarfBuzz numbers them. */
const LIGATURE = 2;
const MARK = 3;

/** Lookup flags. */
const IGNORE_BASE_GLYPHS = 0x02;
const IGNORE_LIGATURES = 0x04;

/** Contexts that are read; a face with more is not worth it. */
const MOST_CONTEXTS = 20_000;
/** Long contexts that are looked for in a text. Of a face with more, one pair of each is forbidden. */
const MOST_LONG = 200;

/** Features that HarfBuzz applies to horizontal text from left to right without being asked. */
const ALWAYS: readonly string[] =
  'abvm blwm ccmp locl mark mkmk rlig calt clig curs dist kern liga rclt rvrn ltra ltrm rand'.split(' ');

export interface ShapedTables {
  readonly gsub: DataView | null;
  readonly gpos: DataView | null;
  /** The class of a glyph in GDEF. */
  readonly classOf: (glyph: number) => number;
}

/** Glyphs, each once. */
type GlyphSet = readonly number[];

/** Three or more characters beside each other. */
interface LongContext {
  /** Nonzero for the characters that may be in each place. */
  readonly sets: readonly Uint8Array[];
  /** The first of the two places that are looked for. */
  readonly rarest: number;
}

export class GlyphContexts {
  readonly #classOf: (glyph: number) => number;
  /** The glyphs that the characters can have, and which of them each is of. */
  readonly #characters: Map<number, Set<number>>;
  #glyphs: readonly number[] = [];
  /** Sets that were read, by the table that they are in and, of a class, its number. */
  readonly #sets = new Map<string, GlyphSet>();
  readonly #count: number;
  /** Nonzero for pairs of characters, left × count + right. */
  readonly #forbidden: Uint8Array;
  /** Nonzero for characters that are in no text that is shaped pair by pair. */
  readonly #forbiddenAlone: Uint8Array;
  /** Nonzero for pairs with which a long context may stand. */
  readonly #suspect: Uint8Array;
  readonly #long: (readonly GlyphSet[])[] = [];
  #longContexts: readonly LongContext[] = [];
  #contexts = 0;

  /** @param glyphs of the characters, as the `cmap` has them */
  private constructor(classOf: (glyph: number) => number, glyphs: readonly number[]) {
    this.#classOf = classOf;
    this.#count = glyphs.length;
    this.#forbidden = new Uint8Array(glyphs.length ** 2);
    this.#suspect = new Uint8Array(glyphs.length ** 2);
    this.#forbiddenAlone = new Uint8Array(glyphs.length);
    this.#characters = new Map();
    for (const [character, glyph] of glyphs.entries()) this.#reach(glyph, [character]);
  }

  /**
   * @param glyphs of the characters, as the `cmap` has them
   * @param features that are asked for; those that are on by default are taken to be on
   * @returns null for a face that has more than such contexts
   */
  static read(tables: ShapedTables, glyphs: readonly number[], features: readonly string[]): GlyphContexts | null {
    const { gsub, gpos, classOf } = tables;
    const contexts = new GlyphContexts(classOf, glyphs);
    try {
      const on = new Set([...ALWAYS, ...features]);
      const substitutions = gsub ? lookupsOf(gsub, on) : [];
      const positions = gpos ? lookupsOf(gpos, on) : [];
      if (!substitutions || !positions) return null;
      contexts.#followSingle(substitutions);
      contexts.#forbidClasses([...substitutions, ...positions]);
      const isDone =
        substitutions.every((each) => contexts.#substitute(each)) &&
        positions.every((each) => contexts.#position(each));
      if (!isDone || contexts.#isFull) return null;
      contexts.#watchLong();
      return contexts;
    } catch (error) {
      if (error instanceof RangeError) return null;
      throw error;
    }
  }

  /** Whether a character may be in a text that is shaped pair by pair. @param character its place in the list */
  allows(character: number): boolean {
    return this.#forbiddenAlone[character] === 0;
  }

  /** Whether one may stand beside another in it. @param left @param right allowed ones */
  allowsPair(left: number, right: number): boolean {
    return this.#forbidden[left * this.#count + right] === 0;
  }

  /** Whether that depends on what stands around them: see `allowsAround`. */
  isSuspect(left: number, right: number): boolean {
    return this.#suspect[left * this.#count + right] !== 0;
  }

  /**
   * Whether a pair may stand where it does.
   *
   * @param placeOf the place in the list of a character of the text
   * @param at the offset of the first of the pair
   * @param start @param end offsets between which the text is shaped
   */
  allowsAround(text: string, placeOf: (code: number) => number, at: number, start: number, end: number): boolean {
    for (const { sets, rarest } of this.#longContexts) {
      const first = at - rarest;
      if (first < start || first + sets.length > end) continue;
      let matched = 0;
      while (matched < sets.length && sets[matched]?.[placeOf(text.charCodeAt(first + matched))] === 1) matched += 1;
      if (matched === sets.length) return false;
    }
    return true;
  }

  get #isFull(): boolean {
    return this.#contexts > MOST_CONTEXTS;
  }

  #reach(glyph: number, characters: Iterable<number>): boolean {
    let known = this.#characters.get(glyph);
    if (!known) {
      known = new Set();
      this.#characters.set(glyph, known);
    }
    const before = known.size;
    for (const character of characters) known.add(character);
    return known.size > before;
  }

  /** Adds the glyphs that substitutions of single glyphs lead to. */
  #followSingle(lookups: readonly Lookup[]): void {
    for (let grows = true; grows; ) {
      grows = false;
      for (const { kind, table } of subtablesOf(lookups)) {
        if (kind !== 1) continue;
        for (const [glyph, characters] of [...this.#characters]) {
          const index = coverageIndex(table, glyph);
          if (index === null) continue;
          if (this.#reach(substituteOf(table, glyph, index), characters)) grows = true;
        }
      }
    }
    this.#glyphs = [...this.#characters.keys()];
  }

  /** Forbids what lookups may skip, or place by itself. */
  #forbidClasses(lookups: readonly Lookup[]): void {
    const flags = lookups.reduce((all, { flag }) => all | flag, 0);
    for (const glyph of this.#glyphs) {
      const kind = this.#classOf(glyph);
      const isSkipped = (kind === LIGATURE && flags & IGNORE_LIGATURES) || flags & IGNORE_BASE_GLYPHS;
      if (kind === MARK || isSkipped) this.#forbidAlone(glyph);
    }
  }

  #substitute(lookup: Lookup): boolean {
    for (const { kind, table } of subtablesOf([lookup])) {
      if (kind === 1) continue;
      // Several glyphs for one, or one of several: not worth more.
      if (kind === 2 || kind === 3) this.#forbidCovered(table);
      else if (kind === 4) this.#ligatures(table);
      else if (kind === 5) this.#contextsOf(table);
      else if (kind === 6) this.#chained(table);
      else if (kind === 8) this.#reversed(table);
      else return false;
      if (this.#isFull) return false;
    }
    return true;
  }

  #position(lookup: Lookup): boolean {
    for (const { kind, table } of subtablesOf([lookup], 9)) {
      if (kind === 1) continue;
      // Where a pair moves its second glyph too, the pair after it is left out.
      if (kind === 2) {
        if (table.getUint16(6) !== 0) this.#forbidCovered(table);
      } else if (kind >= 3 && kind <= 6) this.#forbidCovered(table);
      else if (kind === 7) this.#contextsOf(table);
      else if (kind === 8) this.#chained(table);
      else return false;
      if (this.#isFull) return false;
    }
    return true;
  }

  #ligatures(table: DataView): void {
    for (const glyph of this.#coveredBy(table)) {
      const set = at(table, table.getUint16(6 + 2 * (coverageIndex(table, glyph) ?? 0)));
      for (let i = 0; i < set.getUint16(0); i += 1) {
        const ligature = at(set, set.getUint16(2 + 2 * i));
        const others = uint16s(ligature, 4, Math.max(0, ligature.getUint16(2) - 1));
        this.#forbid([this.#only(glyph), ...others.map((each) => this.#only(each))]);
      }
    }
  }

  #contextsOf(table: DataView): void {
    const format = table.getUint16(0);
    if (format === 3) {
      const [count, start] = [table.getUint16(2), 6];
      this.#forbid(uint16s(table, start, count).map((offset) => this.#covered(at(table, offset))));
      return;
    }
    const input = format === 2 ? at(table, table.getUint16(4)) : null;
    this.#ruleSets(table, format === 2 ? 6 : 4, input, (rule, first) => {
      const others = uint16s(rule, 4, Math.max(0, rule.getUint16(0) - 1));
      this.#forbid([first, ...others.map((each) => this.#setOf(each, input))]);
    });
  }

  #chained(table: DataView): void {
    const format = table.getUint16(0);
    if (format === 3) {
      let place = 2;
      const next = () => {
        const offsets = uint16s(table, place + 2, table.getUint16(place));
        place += 2 + 2 * offsets.length;
        return offsets.map((offset) => this.#covered(at(table, offset)));
      };
      const [before, input, after] = [next(), next(), next()];
      this.#forbid([...before.reverse(), ...input, ...after]);
      return;
    }
    const [before, input, after] =
      format === 2 ? [4, 6, 8].map((offset) => at(table, table.getUint16(offset))) : [null, null, null];
    this.#ruleSets(table, format === 2 ? 10 : 4, input ?? null, (rule, first) => {
      let place = 0;
      const next = (less: number, classes: DataView | null | undefined) => {
        const values = uint16s(rule, place + 2, Math.max(0, rule.getUint16(place) - less));
        place += 2 + 2 * values.length;
        return values.map((each) => this.#setOf(each, classes ?? null));
      };
      const [back, rest, ahead] = [next(0, before), next(1, input), next(0, after)];
      this.#forbid([...back.reverse(), first, ...rest, ...ahead]);
    });
  }

  /** Visits the rules of formats 1 and 2: of each covered glyph, or of each class. */
  #ruleSets(
    table: DataView,
    start: number,
    classes: DataView | null,
    visit: (rule: DataView, first: GlyphSet) => void,
  ): void {
    const covered = this.#coveredBy(table);
    const visitSet = (index: number, first: GlyphSet) => {
      if (index >= table.getUint16(start) || first.length === 0) return;
      const offset = table.getUint16(start + 2 + 2 * index);
      if (offset === 0) return;
      const set = at(table, offset);
      for (let i = 0; i < set.getUint16(0) && !this.#isFull; i += 1) visit(at(set, set.getUint16(2 + 2 * i)), first);
    };
    if (classes) {
      for (let i = 0; i < table.getUint16(start); i += 1) {
        visitSet(
          i,
          covered.filter((glyph) => classIn(classes, glyph) === i),
        );
      }
    } else {
      for (const glyph of covered) visitSet(coverageIndex(table, glyph) ?? 0, [glyph]);
    }
  }

  #reversed(table: DataView): void {
    const before = uint16s(table, 6, table.getUint16(4));
    const place = 6 + 2 * before.length;
    const after = uint16s(table, place + 2, table.getUint16(place));
    const sets = [...before.reverse(), table.getUint16(2), ...after];
    this.#forbid(sets.map((offset) => this.#covered(at(table, offset))));
  }

  /** Forbids a context; nothing if it can never match. */
  #forbid(context: readonly GlyphSet[]): void {
    this.#contexts += 1;
    if (context.some((set) => set.length === 0)) return;
    const [only] = context;
    if (context.length === 1 && only) {
      for (const glyph of only) this.#forbidAlone(glyph);
      return;
    }
    if (context.length === 2) this.#mark(this.#forbidden, context, 0);
    else this.#long.push(context);
  }

  /** Marks the pairs of characters that may stand at a place of a context and after it. */
  #mark(pairs: Uint8Array, context: readonly GlyphSet[], place: number): void {
    const rights = this.#charactersOf(context[place + 1]);
    for (const left of this.#charactersOf(context[place])) {
      for (const right of rights) pairs[left * this.#count + right] = 1;
    }
  }

  /** Notes the long contexts without a pair that is always forbidden. */
  #watchLong(): void {
    const isAlwaysForbidden = (lefts: readonly number[], rights: readonly number[]) =>
      lefts.every((left) => rights.every((right) => this.#forbidden[left * this.#count + right] !== 0));
    const characters = new Map<GlyphSet, readonly number[]>();
    const charactersOf = (set: GlyphSet) => {
      const known = characters.get(set) ?? this.#charactersOf(set);
      characters.set(set, known);
      return known;
    };
    const long = this.#long.filter((context) => {
      const places = context.map(charactersOf);
      return !places.slice(1).some((rights, i) => isAlwaysForbidden(places[i] ?? [], rights));
    });
    const pairs = long.length > MOST_LONG ? this.#forbidden : this.#suspect;
    const watched = long.map((context): LongContext => {
      const counts = context.slice(1).map((set, i) => set.length * (context[i]?.length ?? 0));
      const rarest = counts.indexOf(Math.min(...counts));
      this.#mark(pairs, context, rarest);
      if (pairs === this.#forbidden) return { sets: [], rarest };
      const sets = context.map((set) => {
        const has = new Uint8Array(this.#count);
        for (const character of charactersOf(set)) has[character] = 1;
        return has;
      });
      return { sets, rarest };
    });
    if (pairs === this.#suspect) this.#longContexts = watched;
  }

  #forbidCovered(table: DataView): void {
    for (const glyph of this.#coveredBy(table)) this.#forbidAlone(glyph);
  }

  #forbidAlone(glyph: number): void {
    for (const character of this.#characters.get(glyph) ?? []) this.#forbiddenAlone[character] = 1;
  }

  #charactersOf(set: GlyphSet = []): readonly number[] {
    return set.flatMap((glyph) => [...(this.#characters.get(glyph) ?? [])]);
  }

  #only(glyph: number): GlyphSet {
    return this.#characters.has(glyph) ? [glyph] : [];
  }

  #coveredBy(table: DataView): GlyphSet {
    return this.#covered(at(table, table.getUint16(2)));
  }

  #covered(coverage: DataView): GlyphSet {
    return this.#known(coverage, '', (glyph) => indexIn(coverage, glyph) !== null);
  }

  /** @param classes null = the value is a glyph */
  #setOf(value: number, classes: DataView | null): GlyphSet {
    return classes ? this.#known(classes, value, (glyph) => classIn(classes, glyph) === value) : this.#only(value);
  }

  #known({ byteOffset }: DataView, value: number | '', has: (glyph: number) => boolean): GlyphSet {
    const key = `${byteOffset} ${value}`;
    let set = this.#sets.get(key);
    if (!set) {
      set = this.#glyphs.filter(has);
      this.#sets.set(key, set);
    }
    return set;
  }
}

interface Lookup {
  readonly kind: number;
  readonly flag: number;
  readonly subtables: readonly DataView[];
}

/** The tags of a table's features. */
export function featureTags(table: DataView | null): ReadonlySet<string> {
  const found = new Set<string>();
  try {
    const features = table && at(table, table.getUint16(6));
    for (let i = 0; features && i < features.getUint16(0); i += 1) found.add(tagAt(features, 2 + 6 * i));
  } catch (error) {
    // A table that ends early has those before its end.
    if (!(error instanceof RangeError)) throw error;
  }
  return found;
}

const tagAt = (table: DataView, offset: number): string =>
  String.fromCharCode(...Array.from({ length: 4 }, (_, byte) => table.getUint8(offset + byte)));

/** The lookups of features, in any script and language; null where they vary over the design space. */
function lookupsOf(table: DataView, on: ReadonlySet<string>): readonly Lookup[] | null {
  if (table.getUint16(2) > 0 && table.getUint32(10) !== 0) return null;
  const features = at(table, table.getUint16(6));
  const required = requiredFeatures(at(table, table.getUint16(4)));
  const indexes = new Set<number>();
  for (let i = 0; i < features.getUint16(0); i += 1) {
    const record = 2 + 6 * i;
    const tag = tagAt(features, record);
    if (!on.has(tag) && !required.has(i)) continue;
    const feature = at(features, features.getUint16(record + 4));
    for (const index of uint16s(feature, 4, feature.getUint16(2))) indexes.add(index);
  }
  const lookups = at(table, table.getUint16(8));
  return [...indexes]
    .sort((a, b) => a - b)
    .map((index) => {
      const lookup = at(lookups, lookups.getUint16(2 + 2 * index));
      const subtables = uint16s(lookup, 6, lookup.getUint16(4)).map((offset) => at(lookup, offset));
      return { kind: lookup.getUint16(0), flag: lookup.getUint16(2), subtables };
    });
}

/** The features that scripts and languages require, whatever their tags. */
function requiredFeatures(scripts: DataView): ReadonlySet<number> {
  const required = new Set<number>();
  for (let i = 0; i < scripts.getUint16(0); i += 1) {
    const script = at(scripts, scripts.getUint16(2 + 6 * i + 4));
    const languages = Array.from({ length: script.getUint16(2) }, (_, j) => script.getUint16(4 + 6 * j + 4));
    for (const offset of [script.getUint16(0), ...languages]) {
      if (offset !== 0) required.add(at(script, offset).getUint16(2));
    }
  }
  return required;
}

/** @param extension the kind whose subtables are elsewhere: 7 in GSUB, 9 in GPOS */
function subtablesOf(lookups: readonly Lookup[], extension = 7): readonly { kind: number; table: DataView }[] {
  return lookups.flatMap(({ kind, subtables }) =>
    subtables.map((table) =>
      kind === extension ? { kind: table.getUint16(2), table: at(table, table.getUint32(4)) } : { kind, table },
    ),
  );
}

function substituteOf(table: DataView, glyph: number, index: number): number {
  return table.getUint16(0) === 1 ? (glyph + table.getInt16(4)) & 0xffff : table.getUint16(6 + 2 * index);
}

const at = (table: DataView, offset: number): DataView =>
  new DataView(table.buffer, table.byteOffset + offset, table.byteLength - offset);

const uint16s = (table: DataView, start: number, count: number): number[] =>
  Array.from({ length: count }, (_, i) => table.getUint16(start + 2 * i));

/** The place of a glyph in a subtable's coverage; null = it has none. */
const coverageIndex = (table: DataView, glyph: number) => indexIn(at(table, table.getUint16(2)), glyph);

function indexIn(coverage: DataView, glyph: number): number | null {
  const isList = coverage.getUint16(0) === 1;
  const size = isList ? 2 : 6;
  const found = lastNotAbove(coverage, 4, size, coverage.getUint16(2), glyph);
  if (found === null) return null;
  const record = 4 + size * found;
  const start = coverage.getUint16(record);
  if (isList) return start === glyph ? found : null;
  return glyph <= coverage.getUint16(record + 2) ? coverage.getUint16(record + 4) + glyph - start : null;
}

function classIn(classes: DataView, glyph: number): number {
  if (classes.getUint16(0) === 1) {
    const index = glyph - classes.getUint16(2);
    return index >= 0 && index < classes.getUint16(4) ? classes.getUint16(6 + 2 * index) : 0;
  }
  const found = lastNotAbove(classes, 4, 6, classes.getUint16(2), glyph);
  if (found === null) return 0;
  const record = 4 + 6 * found;
  return glyph <= classes.getUint16(record + 2) ? classes.getUint16(record + 4) : 0;
}

/** The last of records in ascending order whose first number is not above `value`. */
function lastNotAbove(table: DataView, start: number, size: number, count: number, value: number): number | null {
  let low = 0;
  let high = count - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    if (table.getUint16(start + size * middle) <= value) low = middle + 1;
    else high = middle - 1;
  }
  return high >= 0 ? high : null;
}
