// Generates random templates, modifications and outputs from the published JSON Schema, so that a new property of a
// layer is fuzzed from then on.
//
// Most values are within bounds or at them, some beyond; strings come from lists of difficult values by the property's
// name.

import fc from 'fast-check';
import { templateJsonSchema } from '#core/template/template.ts';
import { OUTPUTS } from '#draw/output/formats.ts';
import { CASES } from '../../golden/cases.ts';

export interface FuzzCase {
  readonly template: unknown;
  readonly modifications: Readonly<Record<string, unknown>>;
  readonly output: (typeof OUTPUTS)[number];
  readonly scale: number;
}

interface Schema {
  readonly $ref?: string;
  readonly $defs?: Readonly<Record<string, Schema>>;
  readonly type?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly default?: unknown;
  readonly additionalProperties?: Schema | boolean;
  readonly items?: Schema | boolean;
  readonly prefixItems?: readonly Schema[];
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly pattern?: string;
}

const root = templateJsonSchema() as Schema;

const words = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.constantFrom('Plate', 'wavy AV fi', 'one two three four five', '', ' ', '\n\n', '\t', 'a\u00adb'),
  },
  {
    weight: 4,
    arbitrary: fc.constantFrom(
      'سلام (a) 12',
      'क्षत्रिय',
      'สวัสดีครับ',
      'မြန်မာ',
      '漢字かな',
      'e\u0301\u0302\u0303',
      '👩🏽‍🚀😀',
      '\ud800',
      '\u202ea\u2066',
      '\u0000\ufeff',
      '**a *b* [c](https://e.com)',
    ),
  },
  { weight: 2, arbitrary: fc.string({ unit: 'binary', maxLength: 20 }) },
  {
    weight: 1,
    arbitrary: fc
      .tuple(fc.constantFrom('a', 'word ', '😀', 'ب', 'က', '\u0301', '('), fc.integer({ min: 1, max: 3_000 }))
      .map(([unit, n]) => unit.repeat(n)),
  },
);
const seldom = <T>(often: fc.Arbitrary<T>, ...others: fc.Arbitrary<T>[]) =>
  fc.oneof({ weight: 60, arbitrary: often }, ...others);
const color = seldom(
  fc.constantFrom('#ff0000', 'rgb(1 2 3 / 50%)', 'transparent', 'oklch(0.6 0.2 30)', 'hsl(1e9 0% 0%)'),
  fc.constant('none'),
);
const source = seldom(
  fc.constantFrom('photo.jpg', 'logo.png', 'drawing.svg', 'anim.gif'),
  fc.constantFrom('broken.png', 'missing', '', 'data:image/png;base64,AAAA'),
);
const size = seldom<unknown>(
  fc.integer({ min: 0, max: 400 }),
  fc.constantFrom('hug', 'fill', '50%', 1e5, 0.1),
  fc.constantFrom(-1, '1e3%', 1e6),
);
const link = seldom(fc.constantFrom('https://example.com/', 'mailto:a@b.c'), fc.constant('javascript:1'));
const distance = fc.oneof(
  { weight: 4, arbitrary: fc.integer({ min: -50, max: 250 }) },
  fc.constantFrom(-1e6, 1e6, 7_999, -8_191.5, 0.001),
);
/** Path data of any commands, with coordinates near and far. */
const outline = fc
  .array(fc.tuple(fc.constantFrom(...'MLHVCSQTmlhvcsqtZ'), fc.array(distance, { minLength: 6, maxLength: 6 })), {
    minLength: 1,
    maxLength: 12,
  })
  .map((commands) => {
    const count = (letter: string) => ({ c: 6, s: 4, q: 4, h: 1, v: 1, z: 0 })[letter.toLowerCase()] ?? 2;
    return `M0 0${commands.map(([letter, numbers]) => letter + numbers.slice(0, count(letter)).join(' ')).join('')}`;
  });
const gridLines = seldom(
  fc.constantFrom('1', '2 / 4', 'span 2', '1 / -1', 'main'),
  fc.constantFrom('0', 'span -1', ''),
);
const BY_NAME: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  text: words,
  src: source,
  fallback: source,
  color,
  textDecorationColor: color,
  d: seldom(
    outline,
    fc.constantFrom('M0 0L10 10', 'm1e6-1e6a1 1 0 01 9 9', 'M0 0', 'M5 5H5V5Z'),
    fc.constantFrom('', 'x'),
  ),
  value: fc.oneof(
    words,
    fc.constantFrom('4006381333931', '96385074', '(01)04012345123456', 'HELLO 1', '0'.repeat(900)),
  ),
  href: link,
  link,
  lang: fc.constantFrom('en', 'de', 'ar', 'ja', 'tr', 'xx-Yyyy'),
  fontFamily: fc.constantFrom('Inter', 'Playfair Display', 'Noto Sans Arabic', 'Unknown'),
  width: size,
  height: size,
  currency: fc.constantFrom('EUR', 'JPY'),
  gridColumn: gridLines,
  gridRow: gridLines,
};

/** Seldom present, as they need values and layers that fit: most templates must get past the checks. */
const UNIONS: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  repeat: seldom<unknown>(fc.constant(false), fc.constantFrom(true, { max: 2, alternate: {} })),
  when: seldom<unknown>(fc.constant(null), fc.constantFrom('set', 'empty', 'odd', { a: 'b', c: { is: 'set' } })),
  format: seldom<unknown>(
    fc.constant(null),
    fc.constantFrom('list', 'number', { type: 'date', timeZone: 'Asia/Tokyo' }),
  ),
  calculate: seldom<unknown>(fc.constant(null), fc.constantFrom({ count: 'a' }, { sum: 'a.b' })),
};

const LISTS: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  viewBox: fc.tuple(
    fc.constantFrom(0, 5, -1e5),
    fc.constantFrom(0, 5, 1e5),
    fc.constantFrom(100, 1, 0.001, 1e-9, 1e5, 0),
    fc.constantFrom(100, 1, 0.001, 1e-9, 1e5),
  ),
  strokeDash: fc.array(fc.constantFrom(0, 0.001, 0.11, 1, 5, 40, 1e5), { maxLength: 4 }),
};

function numberOf({ type, minimum, maximum, exclusiveMinimum }: Schema): fc.Arbitrary<unknown> {
  const min = Math.max(minimum ?? exclusiveMinimum ?? -1e6, -1e5);
  const max = Math.min(maximum ?? 1e5, 1e5);
  const modest = fc.integer({ min: Math.ceil(Math.max(min, -50)), max: Math.floor(Math.max(min, Math.min(max, 200))) });
  const exact = fc.constantFrom(min, max, 0, 1);
  if (type === 'integer') return seldom(modest, exact);
  return seldom<unknown>(modest, exact, fc.double({ min, max, noNaN: true }), fc.constantFrom(1e-9, min - 1));
}

/** @param name the name of the property whose value it is */
function arbitraryOf(schema: Schema, name: string, depth: number): fc.Arbitrary<unknown> {
  if (schema.$ref) return arbitraryOf(root.$defs?.[schema.$ref.split('/').at(-1) ?? ''] ?? {}, name, depth);
  if ('const' in schema) return fc.constant(schema.const);
  if (schema.enum) return fc.constantFrom(...schema.enum);
  const branches = schema.anyOf ?? schema.oneOf;
  if (branches) return UNIONS[name] ?? fc.oneof(...branches.map((branch) => arbitraryOf(branch, name, depth)));
  if (schema.allOf) return arbitraryOf(Object.assign({}, ...schema.allOf), name, depth);
  switch (schema.type) {
    case 'string': {
      const fitting = schema.pattern === undefined ? color : fc.stringMatching(new RegExp(schema.pattern));
      return BY_NAME[name] ?? seldom<unknown>(fitting, fc.constantFrom('1fr', '50%', 'hug', 'x', 'img_a'));
    }
    case 'number':
    case 'integer':
      return name === 'width' || name === 'height' ? (BY_NAME[name] ?? numberOf(schema)) : numberOf(schema);
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    case 'array': {
      const list = LISTS[name];
      if (list) return list;
      if (schema.prefixItems) return fc.tuple(...schema.prefixItems.map((item) => arbitraryOf(item, name, depth)));
      const least = schema.minItems ?? 0;
      const items = typeof schema.items === 'object' ? schema.items : {};
      if (name === 'children' && depth > 3) return fc.constant([]);
      return fc.array(fc.memo(() => arbitraryOf(items, name, depth + 1))(), {
        minLength: least,
        maxLength: Math.min(schema.maxItems ?? 4, least + 4),
      });
    }
    case 'object':
      return objectOf(schema, depth);
    default:
      return fc.jsonValue({ maxDepth: 2 });
  }
}

/** The share of optional properties that are present, percent. */
const PRESENT = 12;

function objectOf(schema: Schema, depth: number): fc.Arbitrary<unknown> {
  const { properties, required = [], additionalProperties } = schema;
  if (!properties) {
    const value = typeof additionalProperties === 'object' ? additionalProperties : {};
    return fc.dictionary(fc.constantFrom('liga', 'tnum', 'wght', 'opsz', 'x'), arbitraryOf(value, '', depth), {
      maxKeys: 3,
    });
  }
  const own = Object.entries(properties).map(([key, value]) => {
    const made = deferred(() => arbitraryOf(value, key, depth));
    const isKey =
      required.includes(key) || ['type', 'shape', 'format', 'text', 'children', 'value', 'src'].includes(key);
    const absent = isKey ? 0 : 100 - PRESENT;
    return fc.oneof(
      { weight: absent, arbitrary: fc.constant([]) },
      { weight: 100 - absent, arbitrary: made.map((one) => [[key, one]]) },
    );
  });
  return fc.tuple(...own).map((entries) => Object.fromEntries(entries.flat() as [string, unknown][]));
}

/** Creates the arbitrary only when it is needed, as frames contain layers recursively. */
const deferred = <T>(make: () => fc.Arbitrary<T>): fc.Arbitrary<T> => fc.constant(null).chain(make);

/** Gives layers unique names, whatever was generated. */
function named(layers: unknown, prefix = 'l'): unknown {
  if (!Array.isArray(layers)) return layers;
  return layers.map((layer: Record<string, unknown>, i) => {
    const inner = layer.children === undefined ? {} : { children: named(layer.children, `${prefix}${i}_`) };
    return { ...layer, name: `${prefix}${i}`, ...inner };
  });
}

const layer = deferred(() => arbitraryOf({ $ref: '#/$defs/Layer' }, 'layer', 0));
const made = fc.record({
  name: fc.constant('Fuzz'),
  width: fc.integer({ min: 1, max: 300 }),
  height: fc.integer({ min: 1, max: 300 }),
  background: fc.option(color),
  layers: fc.array(layer, { minLength: 1, maxLength: 5 }).map((layers) => named(layers)),
});
const fixture = fc.constantFrom(...CASES.map(({ template }) => template));

const template = fc.oneof({ weight: 4, arbitrary: made }, { weight: 1, arbitrary: fixture });

function namesIn(layers: unknown): string[] {
  if (!Array.isArray(layers)) return [];
  return layers.flatMap(({ name, children }) => [String(name), ...namesIn(children)]);
}

const patch = fc.oneof(
  words,
  fc.boolean(),
  fc.integer(),
  layer.map((whole) => {
    const { type: _type, name: _name, ...rest } = whole as Record<string, unknown>;
    return rest;
  }),
);

export const anyCase: fc.Arbitrary<FuzzCase> = template.chain((document) => {
  const names = namesIn((document as { layers?: unknown }).layers);
  return fc.record({
    template: fc.constant(document),
    modifications: fc.dictionary(fc.constantFrom('nobody', '__proto__', ...names), patch, { maxKeys: 3 }),
    output: fc.constantFrom(...OUTPUTS),
    scale: fc.constantFrom(1, 1, 1, 0.1, 0.37, 2, 3),
  });
});
