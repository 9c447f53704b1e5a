// Generates src/core/text/unicode-data.generated.ts from Unicode's property data, small enough to ship.
//
// Run as `node scripts/generate/unicode.ts`. The output is deterministic, and a test compares it with the committed
// file.

import { writeFileSync } from 'node:fs';
import { BIDI_CLASS, LINE_BREAK_CLASS, TRAIT, VERTICAL_ORIENTATION } from '../../src/core/text/unicode-classes.ts';

/** The generated file. */
export const OUTPUT = new URL('../../src/core/text/unicode-data.generated.ts', import.meta.url);
const CODE_POINTS = 0x110000;

/** The content of the generated file. */
export async function generateUnicodeData(): Promise<string> {
  const bidi = await bidiClasses();
  const lineBreak = await lineBreakClasses();
  const { scripts, sets, setOf } = await scriptSets();
  const traits = await traitBits();
  const orientation = await column('Vertical_Orientation', Object.entries(VERTICAL_ORIENTATION));

  // Characters with equal properties share a record, and neighbours with the same record share a run. Frequent records
  // get small numbers.
  const runs: { length: number; key: string }[] = [];
  const uses = new Map<string, number>();
  for (let cp = 0; cp < CODE_POINTS; cp++) {
    const key = `${bidi[cp]},${lineBreak[cp]},${setOf[cp]},${traits[cp]},${orientation[cp]}`;
    const last = runs.at(-1);
    if (last?.key === key) {
      last.length++;
    } else {
      runs.push({ length: 1, key });
      uses.set(key, (uses.get(key) ?? 0) + 1);
    }
  }
  const records = [...uses].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).map(([key]) => key);
  const columns = [0, 1, 2, 3, 4].map((column) => records.map((key) => pack(Number(key.split(',')[column]))).join(''));
  // Numbers of one kind stand together, which compresses better than runs and records one after another. A record is counted from
  // the one that was used last, since neighbours alternate between few.
  const recent = [...records];
  const used = runs.map(({ key }) => {
    const place = recent.indexOf(key);
    recent.unshift(...recent.splice(place, 1));
    return pack(place);
  });

  return `// Unicode 15.0 character properties, packed by scripts/generate/unicode.ts; unicode-data.ts unpacks them.
//
// Made from the Unicode Character Database, © 1991-2022 Unicode, Inc., under the Unicode licence
// (https://www.unicode.org/license.txt), as @unicode/unicode-15.0.0 carries it. Not edited by hand.

/** ISO 15924 tags of all scripts. */
export const SCRIPT_TAGS = '${scripts.join(' ')}';

/** Distinct values of Script_Extensions, each as indices into SCRIPT_TAGS, the script to prefer first. */
export const SCRIPT_SETS = '${sets.join(' ')}';

/**
 * Distinct characters, in columns of equal length: Bidi_Class, Line_Break class, index into SCRIPT_SETS, trait bits,
 * Vertical_Orientation.
 */
export const RECORDS =
  '${columns.join('')}';

/** All code points in order, by runs of equal characters: their lengths, less one. */
export const LENGTHS =
  '${runs.map(({ length }) => pack(length - 1)).join('')}';

/** The record of each run, as its place among all records, which are in the order of their last use. */
export const RUNS =
  '${used.join('')}';

/** A digit of these holds five bits of a number, the lowest first; the sixth bit says that more follow. */
export const DIGITS = '${DIGITS}';

/** Opening bracket, its closing bracket, … (Bidi_Paired_Bracket). */
export const BRACKET_PAIRS = '${await bracketPairs()}';
`;
}

const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

function pack(value: number): string {
  return value < 32 ? DIGITS.charAt(value) : DIGITS.charAt(32 | (value & 31)) + pack(value >> 5);
}

interface Range {
  /** The first code point and the one after the last. */
  readonly begin: number;
  readonly end: number;
}

async function ranges(property: string, value: string): Promise<readonly Range[]> {
  const module: { default: readonly Range[] } = await import(`@unicode/unicode-15.0.0/${property}/${value}/ranges.mjs`);
  return module.default;
}

/** A map of code point → number, from property values. Later entries win. */
async function column(property: string, values: readonly (readonly [string, number])[]): Promise<Uint8Array> {
  const result = new Uint8Array(CODE_POINTS);
  for (const [value, number] of values) {
    for (const { begin, end } of await ranges(property, value)) result.fill(number, begin, end);
  }
  return result;
}

async function forEach(property: string, value: string, visit: (codePoint: number) => void): Promise<void> {
  for (const { begin, end } of await ranges(property, value)) for (let cp = begin; cp < end; cp++) visit(cp);
}

const BIDI_NAMES: Readonly<Record<keyof typeof BIDI_CLASS, string>> = {
  L: 'Left_To_Right',
  R: 'Right_To_Left',
  AL: 'Arabic_Letter',
  EN: 'European_Number',
  ES: 'European_Separator',
  ET: 'European_Terminator',
  AN: 'Arabic_Number',
  CS: 'Common_Separator',
  NSM: 'Nonspacing_Mark',
  BN: 'Boundary_Neutral',
  B: 'Paragraph_Separator',
  S: 'Segment_Separator',
  WS: 'White_Space',
  ON: 'Other_Neutral',
  LRE: 'Left_To_Right_Embedding',
  LRO: 'Left_To_Right_Override',
  RLE: 'Right_To_Left_Embedding',
  RLO: 'Right_To_Left_Override',
  PDF: 'Pop_Directional_Format',
  LRI: 'Left_To_Right_Isolate',
  RLI: 'Right_To_Left_Isolate',
  FSI: 'First_Strong_Isolate',
  PDI: 'Pop_Directional_Isolate',
};

/** Bidi_Class of unassigned code points (DerivedBidiClass, @missing); the rest are L. First and last of each range. */
const BIDI_DEFAULTS: readonly (readonly [number, number, keyof typeof BIDI_CLASS])[] = [
  [0x0590, 0x05ff, 'R'],
  [0x0600, 0x07bf, 'AL'],
  [0x07c0, 0x085f, 'R'],
  [0x0860, 0x08ff, 'AL'],
  [0x20a0, 0x20cf, 'ET'],
  [0xfb1d, 0xfb4f, 'R'],
  [0xfb50, 0xfdcf, 'AL'],
  [0xfdf0, 0xfdff, 'AL'],
  [0xfe70, 0xfeff, 'AL'],
  [0x10800, 0x10cff, 'R'],
  [0x10d00, 0x10d3f, 'AL'],
  [0x10d40, 0x10ebf, 'R'],
  [0x10ec0, 0x10eff, 'AL'],
  [0x10f00, 0x10f2f, 'R'],
  [0x10f30, 0x10f6f, 'AL'],
  [0x10f70, 0x10fff, 'R'],
  [0x1e800, 0x1ec6f, 'R'],
  [0x1ec70, 0x1ecbf, 'AL'],
  [0x1ecc0, 0x1ecff, 'R'],
  [0x1ed00, 0x1ed4f, 'AL'],
  [0x1ed50, 0x1edff, 'R'],
  [0x1ee00, 0x1eeff, 'AL'],
  [0x1ef00, 0x1efff, 'R'],
];

async function bidiClasses(): Promise<Uint8Array> {
  const result = new Uint8Array(CODE_POINTS).fill(BIDI_CLASS.L);
  for (const [first, last, name] of BIDI_DEFAULTS) result.fill(BIDI_CLASS[name], first, last + 1);
  // Default-ignorable code points and noncharacters are BN, unless they are assigned and have a class of their own.
  for (const value of ['Default_Ignorable_Code_Point', 'Noncharacter_Code_Point']) {
    await forEach('Binary_Property', value, (cp) => {
      result[cp] = BIDI_CLASS.BN;
    });
  }
  for (const [short, long] of Object.entries(BIDI_NAMES)) {
    const number = BIDI_CLASS[short as keyof typeof BIDI_CLASS];
    for (const { begin, end } of await ranges('Bidi_Class', long)) result.fill(number, begin, end);
  }
  return result;
}

const LINE_BREAK_NAMES: Readonly<Record<string, keyof typeof LINE_BREAK_CLASS>> = {
  Alphabetic: 'AL',
  Ambiguous: 'AL',
  Surrogate: 'AL',
  Unknown: 'AL',
  Break_After: 'BA',
  Break_Before: 'BB',
  Break_Both: 'B2',
  Break_Symbols: 'SY',
  Carriage_Return: 'CR',
  Close_Parenthesis: 'CP',
  Close_Punctuation: 'CL',
  Combining_Mark: 'CM',
  Complex_Context: 'SA',
  Conditional_Japanese_Starter: 'CJ',
  Contingent_Break: 'CB',
  E_Base: 'EB',
  E_Modifier: 'EM',
  Exclamation: 'EX',
  Glue: 'GL',
  H2: 'H2',
  H3: 'H3',
  Hebrew_Letter: 'HL',
  Hyphen: 'HY',
  Ideographic: 'ID',
  Infix_Numeric: 'IS',
  Inseparable: 'IN',
  JL: 'JL',
  JT: 'JT',
  JV: 'JV',
  Line_Feed: 'LF',
  Mandatory_Break: 'BK',
  Next_Line: 'NL',
  Nonstarter: 'NS',
  Numeric: 'NU',
  Open_Punctuation: 'OP',
  Postfix_Numeric: 'PO',
  Prefix_Numeric: 'PR',
  Quotation: 'QU',
  Regional_Indicator: 'RI',
  Space: 'SP',
  Word_Joiner: 'WJ',
  ZWJ: 'ZWJ',
  ZWSpace: 'ZW',
};

/**
 * Of the opening punctuation, exactly the characters in these ranges have East_Asian_Width F, W or H. First and last.
 */
const WIDE_OPENERS: readonly (readonly [number, number])[] = [
  [0x2329, 0x2329],
  [0x3000, 0x303f],
  [0xfe10, 0xfe6f],
  [0xff00, 0xffef],
];

async function lineBreakClasses(): Promise<Uint8Array> {
  const names = Object.entries(LINE_BREAK_NAMES);
  const result = await column(
    'Line_Break',
    names.map(([long, short]) => [long, LINE_BREAK_CLASS[short]]),
  );
  for (const [first, last] of WIDE_OPENERS) {
    for (let cp = first; cp <= last; cp++)
      if (result[cp] === LINE_BREAK_CLASS.OP) result[cp] = LINE_BREAK_CLASS.OP_WIDE;
  }
  const SPLITS = [
    ['Nonspacing_Mark', LINE_BREAK_CLASS.SA, LINE_BREAK_CLASS.SA_MARK],
    ['Spacing_Mark', LINE_BREAK_CLASS.SA, LINE_BREAK_CLASS.SA_MARK],
    ['Initial_Punctuation', LINE_BREAK_CLASS.QU, LINE_BREAK_CLASS.QU_INITIAL],
    ['Final_Punctuation', LINE_BREAK_CLASS.QU, LINE_BREAK_CLASS.QU_FINAL],
  ] as const;
  for (const [category, whole, part] of SPLITS) {
    await forEach('General_Category', category, (cp) => {
      if (result[cp] === whole) result[cp] = part;
    });
  }
  const unassigned = await column('General_Category', [['Unassigned', 1]]);
  await forEach('Binary_Property', 'Extended_Pictographic', (cp) => {
    if (!unassigned[cp]) return;
    if (result[cp] !== LINE_BREAK_CLASS.ID) throw new Error(`U+${cp.toString(16)} is reserved for emoji but not ID.`);
    result[cp] = LINE_BREAK_CLASS.ID_RESERVED;
  });
  return result;
}

/** Unicode's script names and their ISO 15924 tags (PropertyValueAliases). */
const SCRIPT_NAMES = `
  Adlam Adlm, Ahom Ahom, Anatolian_Hieroglyphs Hluw, Arabic Arab, Armenian Armn, Avestan Avst, Balinese Bali, Bamum Bamu,
  Bassa_Vah Bass, Batak Batk, Bengali Beng, Bhaiksuki Bhks, Bopomofo Bopo, Brahmi Brah, Braille Brai, Buginese Bugi,
  Buhid Buhd, Canadian_Aboriginal Cans, Carian Cari, Caucasian_Albanian Aghb, Chakma Cakm, Cham Cham, Cherokee Cher,
  Chorasmian Chrs, Common Zyyy, Coptic Copt, Cuneiform Xsux, Cypriot Cprt, Cypro_Minoan Cpmn, Cyrillic Cyrl,
  Deseret Dsrt, Devanagari Deva, Dives_Akuru Diak, Dogra Dogr, Duployan Dupl, Egyptian_Hieroglyphs Egyp, Elbasan Elba,
  Elymaic Elym, Ethiopic Ethi, Georgian Geor, Glagolitic Glag, Gothic Goth, Grantha Gran, Greek Grek, Gujarati Gujr,
  Gunjala_Gondi Gong, Gurmukhi Guru, Han Hani, Hangul Hang, Hanifi_Rohingya Rohg, Hanunoo Hano, Hatran Hatr,
  Hebrew Hebr, Hiragana Hira, Imperial_Aramaic Armi, Inherited Zinh, Inscriptional_Pahlavi Phli,
  Inscriptional_Parthian Prti, Javanese Java, Kaithi Kthi, Kannada Knda, Katakana Kana, Kawi Kawi, Kayah_Li Kali,
  Kharoshthi Khar, Khitan_Small_Script Kits, Khmer Khmr, Khojki Khoj, Khudawadi Sind, Lao Laoo, Latin Latn, Lepcha Lepc,
  Limbu Limb, Linear_A Lina, Linear_B Linb, Lisu Lisu, Lycian Lyci, Lydian Lydi, Mahajani Mahj, Makasar Maka,
  Malayalam Mlym, Mandaic Mand, Manichaean Mani, Marchen Marc, Masaram_Gondi Gonm, Medefaidrin Medf, Meetei_Mayek Mtei,
  Mende_Kikakui Mend, Meroitic_Cursive Merc, Meroitic_Hieroglyphs Mero, Miao Plrd, Modi Modi, Mongolian Mong, Mro Mroo,
  Multani Mult, Myanmar Mymr, Nabataean Nbat, Nag_Mundari Nagm, Nandinagari Nand, New_Tai_Lue Talu, Newa Newa, Nko Nkoo,
  Nushu Nshu, Nyiakeng_Puachue_Hmong Hmnp, Ogham Ogam, Ol_Chiki Olck, Old_Hungarian Hung, Old_Italic Ital,
  Old_North_Arabian Narb, Old_Permic Perm, Old_Persian Xpeo, Old_Sogdian Sogo, Old_South_Arabian Sarb, Old_Turkic Orkh,
  Old_Uyghur Ougr, Oriya Orya, Osage Osge, Osmanya Osma, Pahawh_Hmong Hmng, Palmyrene Palm, Pau_Cin_Hau Pauc,
  Phags_Pa Phag, Phoenician Phnx, Psalter_Pahlavi Phlp, Rejang Rjng, Runic Runr, Samaritan Samr, Saurashtra Saur,
  Sharada Shrd, Shavian Shaw, Siddham Sidd, SignWriting Sgnw, Sinhala Sinh, Sogdian Sogd, Sora_Sompeng Sora,
  Soyombo Soyo, Sundanese Sund, Syloti_Nagri Sylo, Syriac Syrc, Tagalog Tglg, Tagbanwa Tagb, Tai_Le Tale, Tai_Tham Lana,
  Tai_Viet Tavt, Takri Takr, Tamil Taml, Tangsa Tnsa, Tangut Tang, Telugu Telu, Thaana Thaa, Thai Thai, Tibetan Tibt,
  Tifinagh Tfng, Tirhuta Tirh, Toto Toto, Ugaritic Ugar, Unknown Zzzz, Vai Vaii, Vithkuqi Vith, Wancho Wcho,
  Warang_Citi Wara, Yezidi Yezi, Yi Yiii, Zanabazar_Square Zanb`;

/**
 * Script and Script_Extensions as one number per code point: an index into `sets`. The first script of a set is the
 * character's own (Script) if that is a real one, otherwise the script with the most characters.
 */
async function scriptSets(): Promise<{ scripts: string[]; sets: string[]; setOf: Uint8Array }> {
  const names = SCRIPT_NAMES.split(',').map((pair) => pair.trim().split(' ') as [string, string]);
  const scripts = names.map(([, tag]) => tag);
  const own = await column(
    'Script',
    names.map(([name], index) => [name, index]),
  );
  const sizes = new Uint32Array(scripts.length);
  for (const script of own) sizes[script] = (sizes[script] ?? 0) + 1;

  const extensions = new Map<number, number[]>();
  for (const [index, [name, tag]] of names.entries()) {
    // Checks each tag against the JavaScript engine, which knows them too; not for code points without a script.
    const sample = String.fromCodePoint(own.indexOf(index));
    if (tag !== 'Zzzz' && !new RegExp(`\\p{sc=${tag}}`, 'u').test(sample)) throw new Error(`${name} is not ${tag}.`);
    await forEach('Script_Extensions', name, (cp) => {
      const set = extensions.get(cp);
      if (set) set.push(index);
      else extensions.set(cp, [index]);
    });
  }

  const sets: string[] = [];
  const setOf = new Uint8Array(CODE_POINTS);
  const indexOf = new Map<string, number>();
  for (let cp = 0; cp < CODE_POINTS; cp++) {
    const script = own[cp] ?? 0;
    const first = (index: number) => (index === script ? Number.POSITIVE_INFINITY : (sizes[index] ?? 0));
    const set = (extensions.get(cp) ?? [script]).sort((a, b) => first(b) - first(a)).join();
    const index = indexOf.get(set) ?? sets.push(set) - 1;
    indexOf.set(set, index);
    setOf[cp] = index;
  }
  if (sets.length > 256) throw new Error(`${sets.length} sets of scripts do not fit a byte.`);
  return { scripts, sets, setOf };
}

async function traitBits(): Promise<Uint8Array> {
  const result = new Uint8Array(CODE_POINTS);
  const mark = (bit: number) => (cp: number) => {
    result[cp] = (result[cp] ?? 0) | bit;
  };
  await forEach('Binary_Property', 'Emoji', mark(TRAIT.EMOJI));
  await forEach('Binary_Property', 'Emoji_Presentation', mark(TRAIT.EMOJI_PRESENTATION));
  await forEach('Binary_Property', 'Emoji_Modifier', mark(TRAIT.EMOJI_MODIFIER));
  await forEach('Binary_Property', 'Emoji_Modifier_Base', mark(TRAIT.EMOJI_MODIFIER_BASE));
  await forEach('Binary_Property', 'Grapheme_Extend', mark(TRAIT.EXTENDS));
  await forEach('General_Category', 'Spacing_Mark', mark(TRAIT.EXTENDS));
  const unassigned = await column('General_Category', [['Unassigned', 1]]);
  await forEach('Binary_Property', 'Extended_Pictographic', (cp) => {
    if (unassigned[cp]) mark(TRAIT.EMOJI | TRAIT.EMOJI_PRESENTATION)(cp);
  });
  return result;
}

async function bracketPairs(): Promise<string> {
  const { default: mirror }: { default: ReadonlyMap<number, string> } = await import(
    '@unicode/unicode-15.0.0/Bidi_Mirroring_Glyph/index.mjs'
  );
  let pairs = '';
  await forEach('Bidi_Paired_Bracket_Type', 'Open', (cp) => {
    // For every bracket of Unicode 15.0, the paired bracket is the mirrored one (BidiBrackets).
    pairs += String.fromCodePoint(cp) + (mirror.get(cp) ?? '');
  });
  return pairs;
}

if (import.meta.main) writeFileSync(OUTPUT, await generateUnicodeData());
