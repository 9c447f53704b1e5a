// Writes the reference of every layer and property in docs/layers.md from the layer schemas, with the examples of
// docs/examples.

import { globSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { LAYER_SCHEMAS, Layer, type LayerType } from '../src/core/template/layer.ts';
import { LAYER_TRAITS } from '../src/core/template/layer-traits.ts';

interface JsonSchema {
  readonly $ref?: string;
  readonly type?: string;
  readonly pattern?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly items?: JsonSchema;
  readonly prefixItems?: readonly JsonSchema[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly additionalProperties?: boolean | JsonSchema;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly default?: unknown;
  readonly required?: readonly string[];
  readonly description?: string;
}

const SUMMARY: Readonly<Record<LayerType, string>> = {
  text: 'Words, shaped and broken into lines.',
  image:
    'A picture: PNG, JPEG, WebP, GIF (first frame), AVIF or SVG, and in PDFs a [page of a PDF](documents.md#letter-paper). Its colours are converted to sRGB, by its profile, or by `cICP`, `gAMA` and `cHRM` of a PNG and `nclx` of an AVIF; HDR (PQ, HLG) is mapped by Reinhard’s curve, with 1,000 cd/m² as white. An SVG is drawn as browsers draw it in `<img>`, with its style sheets, and alike in all outputs. What cannot be drawn, such as `<foreignObject>`, text along a path or fonts of its own, is left out, and a warning names it. In a PDF, an SVG stays vectors and its text stays text, unless it has filters, masks, blend modes, pictures, or texts that are turned letter by letter or filled with gradients: then it is pixels.',
  shape: 'A geometric outline, filled and stroked.',
  frame: 'A box for other layers, laid out by flexbox or grid, or placed by hand.',
  table: 'Rows of cells in columns; a list fills its body, and it goes on over the pages of a document.',
  chart: 'Bars, lines, areas, a pie, a sparkline, a progress or stars, drawn from values; vectors and text in a PDF.',
  qr: 'A QR code.',
  barcode: 'A one- or two-dimensional barcode.',
};

/** Types that several layers share, by their schema ids. */
const SHARED = [
  'Fill',
  'Gradient',
  'Dimension',
  'WidthLimit',
  'HeightLimit',
  'Inset',
  'Margin',
  'Padding',
  'Shadow',
  'Border',
  'Filters',
  'Mask',
  'FlexLayout',
  'GridLayout',
  'ContentsLayout',
  'Track',
  'Tracks',
  'GridLines',
  'Span',
  'CellSpan',
  'CellImage',
  'CellCode',
  'InlineImage',
  'RepeatOptions',
  'CellStyle',
  'ChartEntry',
  'NumberFormat',
  'CurrencyFormat',
  'PercentFormat',
  'UnitFormat',
  'DateFormat',
  'ListFormat',
  'PluralFormat',
];

const document = z.toJSONSchema(Layer, { io: 'input', target: 'draft-2020-12' }) as {
  readonly $defs: Readonly<Record<string, JsonSchema>>;
};

/** Omits bounds that only mean "no further than any canvas", which tell a reader nothing. */
const isTelling = (bound: number | undefined): bound is number => bound !== undefined && Math.abs(bound) < 36_000;

/** Schemas that are written where they stand. */
const INLINE = ['EdgeLengths', 'CornerRadii'];

/** Whether it is a number that may be a text with a unit. */
const isLength = ({ anyOf = [] }: JsonSchema): boolean =>
  anyOf.length === 2 && anyOf.some(({ pattern = '' }) => pattern.includes('mm|cm|in'));

function typeOf(schema: JsonSchema): string {
  if (schema.$ref) {
    const name = schema.$ref.split('/').at(-1) ?? '';
    const shared = document.$defs[name];
    if (shared && (isLength(shared) || INLINE.includes(name))) return typeOf(shared);
    return SHARED.includes(name) ? `[${name}](#${name.toLowerCase()})` : `\`${name}\``;
  }
  if (schema.const !== undefined) return `\`${JSON.stringify(schema.const)}\``;
  if (schema.enum) return schema.enum.map((value) => `\`${JSON.stringify(value)}\``).join(', ');
  if (isLength(schema)) return typeOf(schema.anyOf?.[0] ?? {}).replace('number', 'length');
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return [...new Set(choices.map(typeOf))].join(' or ');
  if (schema.type === 'array') {
    if (schema.prefixItems)
      return `\`[${schema.prefixItems.map(typeOf).join(', ')}]\``.replaceAll(/`(?=[^[\]]*`\])/g, '');
    return `list of ${typeOf(schema.items ?? {})}`;
  }
  if (schema.type === 'object') {
    if (schema.properties) {
      return `\`{${Object.entries(schema.properties)
        .map(
          ([name, value]) =>
            `${name}: ${typeOf(value)
              .replaceAll('`', '')
              .replaceAll(/\[(\w+)\]\(#\w+\)/g, '$1')}`,
        )
        .join(', ')}}\``;
    }
    return 'object';
  }
  if (schema.type === 'integer' || schema.type === 'number') {
    const low = isTelling(schema.minimum) ? schema.minimum : null;
    const high = isTelling(schema.maximum) ? schema.maximum : null;
    const word = schema.type === 'integer' ? 'whole number' : 'number';
    if (low !== null && high !== null) return `${word} ${low}–${high}`;
    return low === null ? word : `${word} ≥ ${low}`;
  }
  return schema.type ?? 'any';
}

function rows({ properties = {}, required = [] }: JsonSchema, leaveOut: ReadonlySet<string>): string {
  return Object.entries(properties)
    .filter(([name]) => !leaveOut.has(name))
    .map(([name, schema]) => {
      const without = required.includes(name) ? '*required*' : '';
      const initial = schema.default === undefined ? without : `\`${JSON.stringify(schema.default)}\``;
      return `| \`${name}\` | ${typeOf(schema).replaceAll('|', '\\|')} | ${initial} | ${schema.description ?? ''} |`;
    })
    .join('\n');
}

const table = (body: string) => `| property | value | default | |\n|---|---|---|---|\n${body}\n`;

/** How many properties the head of each layer has. */
const MOST_USED = 12;

/** How often each property of each type of layer is set in the samples and the starters. */
async function countUses(): Promise<ReadonlyMap<string, ReadonlyMap<string, number>>> {
  const uses = new Map<string, Map<string, number>>();
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    const { type, name } = value as { readonly type?: unknown; readonly name?: unknown };
    if (typeof type === 'string' && typeof name === 'string' && Object.hasOwn(LAYER_SCHEMAS, type)) {
      const counts = uses.get(type) ?? new Map<string, number>();
      uses.set(type, counts);
      for (const property of Object.keys(value)) counts.set(property, (counts.get(property) ?? 0) + 1);
    }
    for (const inner of Object.values(value)) visit(inner);
  };
  for (const file of globSync([
    'samples/*.json',
    'samples/specimen/*.json',
    'samples/documents/*.json',
    'starters/*.json',
  ]))
    visit(JSON.parse(await readFile(file, 'utf8')));
  return uses;
}

/** A template that is shown with its picture; empty if there is none. */
async function example(name: string): Promise<string> {
  const file = `docs/examples/${name.toLowerCase()}.json`;
  const text = await readFile(file, 'utf8').catch(() => null);
  return text === null ? '' : `\`\`\`json live\n${text.trim()}\n\`\`\`\n\n`;
}

/** The reference: properties of every layer, then of each type, then the shared types. */
export async function layerReference(): Promise<string> {
  const schemaOf = (type: LayerType) => {
    const id = LAYER_SCHEMAS[type].meta()?.id ?? '';
    return document.$defs[id] ?? {};
  };
  const types = Object.keys(LAYER_SCHEMAS) as LayerType[];
  const uses = await countUses();
  const common = Object.entries(schemaOf('text').properties ?? {}).filter(
    ([name, schema]) =>
      name !== 'type' &&
      types.every((type) => JSON.stringify(schemaOf(type).properties?.[name]) === JSON.stringify(schema)),
  );
  const commonNames = new Set(['type', ...common.map(([name]) => name)]);

  const sections = [
    `## Every layer\n\n${table(rows({ ...schemaOf('text'), properties: Object.fromEntries(common) }, new Set()))}`,
  ];
  for (const type of types) {
    const { primary } = LAYER_TRAITS[type];
    const note = primary === null ? '' : ` A string modification sets \`${primary}\`.`;
    const schema = schemaOf(type);
    const counts = uses.get(type) ?? new Map<string, number>();
    const used = Object.keys(schema.properties ?? {})
      .filter((property) => property !== 'name' && property !== 'type' && counts.has(property))
      .sort((a, b) => (counts.get(b) ?? 0) - (counts.get(a) ?? 0))
      .slice(0, MOST_USED);
    const head = {
      ...schema,
      properties: Object.fromEntries(used.map((name) => [name, schema.properties?.[name] ?? {}])),
    };
    const others = rows(schema, new Set([...commonNames, ...used]));
    const body =
      `${await example(type)}Most used:\n\n${table(rows(head, new Set()))}` +
      `\nAll others, beside those of [every layer](#every-layer):\n\n${table(others)}`;
    sections.push(`## ${type}\n\n${SUMMARY[type]}${note}\n\n${body}`);
  }
  sections.push('## Shared values\n\nObjects that several layers take.\n');
  for (const name of SHARED) {
    const schema = document.$defs[name];
    if (!schema) throw new Error(`The schemas have no "${name}".`);
    const description = schema.description ? `${schema.description}\n\n` : '';
    const variants = (schema.oneOf ?? []).filter((variant) => variant.properties);
    const body = schema.properties
      ? table(rows(schema, new Set()))
      : variants.length > 0
        ? variants.map((variant) => table(rows(variant, new Set()))).join('\n')
        : `${typeOf(schema)}\n`;
    sections.push(`### ${name}\n\n${description}${await example(name)}${body}`);
  }
  return sections.join('\n');
}
