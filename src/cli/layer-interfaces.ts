// Generates a TypeScript type for each template, with a typed property for each layer.

import { conditionsOf } from '#core/resolve/condition.ts';
import type { AnyTemplate } from '#core/template/any-template.ts';
import { htmlLayerNames } from '#core/template/html-template.ts';
import type { FrameLayer, Layer, LayerType } from '#core/template/layer.ts';
import { LAYER_TRAITS } from '#core/template/layer-traits.ts';
import type { TemplateParameter } from '#core/template/parameter.ts';
import { rowsOf, type TableLayer } from '#core/template/table-layer.ts';

export interface NamedTemplate {
  /** `tpl_…` of a stored template; null for a file. */
  readonly id: string | null;
  readonly template: AnyTemplate;
}

/**
 * Generates a module whose types describe the allowed `modifications`. It imports only types of `@platen/client`, and
 * tells its methods what the stored templates take.
 */
export function layerInterfaces(templates: readonly NamedTemplate[]): string {
  const used = new Set<string>();
  const named = templates.map(({ id, template }) => ({
    id,
    template,
    name: uniqueName(pascalCase(template.name), used),
  }));
  const text = named.map(({ id, template, name }) => {
    const layers = template.engine === 'html' ? htmlLayers(template) : namedLayers(template);
    const constant = id === null ? '' : `\nexport const ${name}Id = ${JSON.stringify(id)};\n`;
    // A type alias, since an interface cannot be passed where an object of any names is expected.
    return `/** ${template.name.replaceAll('*/', '*\\/')} */\nexport type ${name} = {\n${layers.join('')}};\n${constant}`;
  });
  const kinds = [...new Set([...text.join('').matchAll(/Patch<(\w+)>/g)].map(([, kind]) => kind))].sort();
  const imported = kinds.length === 0 ? '' : `import type { ${kinds.join(', ')} } from '@platen/client';\n`;
  const stored = named.flatMap(({ id, name }) => (id === null ? [] : [`    ${JSON.stringify(id)}: ${name};\n`]));
  const parts = [imported, kinds.length === 0 ? '' : PATCH, ...text, stored.length === 0 ? '' : declared(stored)];
  return ['// Written by `platen types`. Do not edit.\n', ...parts.filter((part) => part !== '')].join('\n');
}

/** Tells the client's methods what the templates of these ids take. */
const declared = (entries: readonly string[]) =>
  `declare module '@platen/client' {\n  interface TemplateModifications {\n${entries.join('')}  }\n}\n`;

/** JSON Merge Patch: null restores the default; `name` and `type` cannot be changed. */
const PATCH = `type Patch<L> = { readonly [K in Exclude<keyof L, 'name' | 'type'>]?: L[K] | null };\n`;

const LAYER_TYPE = {
  text: 'TextLayer',
  image: 'ImageLayer',
  shape: 'ShapeLayer',
  frame: 'FrameLayer',
  table: 'TableLayer',
  chart: 'ChartLayer',
  qr: 'QrLayer',
  barcode: 'BarcodeLayer',
} as const satisfies Record<LayerType, string>;

function namedLayers(template: Extract<AnyTemplate, { readonly engine: 'layers' }>): readonly string[] {
  const { layers, names } = conditionsOf(template);
  const asked = [...names].filter((name) => !layers.has(name));
  return [
    ...[...layers.values()].map((layer) => {
      const parameter = template.parameters?.find((one) => one.layer === layer.name);
      return property(layer.name, layer.type, modificationType(layer, parameter), parameter);
    }),
    ...asked.map((name) => property(name, 'condition', CONDITION, undefined)),
  ];
}

const CONDITION = 'string | number | boolean';

function modificationType(layer: Layer, parameter?: TemplateParameter): string {
  if (layer.type === 'table') return `boolean | readonly { ${rowOf(layer)} }[] | Patch<TableLayer>`;
  const { primary } = LAYER_TRAITS[layer.type];
  const value = primary === null ? 'boolean' : `${valuesOf(parameter)} | boolean`;
  if (layer.type === 'chart') return `${value} | ChartLayer['data'] | Patch<ChartLayer>`;
  const list = layer.type === 'frame' && layer.repeat !== false ? ` | readonly { ${entryOf(layer)} }[]` : '';
  return `${value}${list} | Patch<${LAYER_TYPE[layer.type]}>`;
}

/** The properties of a row of a table: one for each of its named cells. */
const rowOf = ({ row }: TableLayer): string =>
  rowsOf(row)
    .flatMap(({ cells }) => cells)
    .flatMap((cell) => (typeof cell === 'object' && cell.name !== undefined ? [cell.name] : []))
    .map((name) => `readonly ${keyOf(name)}?: string | number | boolean | null;`)
    .join(' ');

/** The properties of an entry of a frame's list: one for each layer in the frame. */
function entryOf(frame: FrameLayer): string {
  const { layers, names } = conditionsOf({ layers: frame.children });
  const asked = [...names].filter((name) => !layers.has(name));
  return [
    ...[...layers.values()].map((layer) => `readonly ${keyOf(layer.name)}?: ${modificationType(layer)};`),
    ...asked.map((name) => `readonly ${keyOf(name)}?: ${CONDITION};`),
  ].join(' ');
}

const HTML_VALUE =
  'boolean | { text?: string; src?: string; href?: string; style?: Record<string, string>; hidden?: boolean }';

function htmlLayers({ html, parameters }: Extract<AnyTemplate, { readonly engine: 'html' }>): readonly string[] {
  return [...htmlLayerNames(html)].map((name) => {
    const parameter = parameters?.find((one) => one.layer === name);
    return property(name, 'element', `${valuesOf(parameter)} | ${HTML_VALUE}`, parameter);
  });
}

/** The plain values that a layer takes: those that its parameter allows, or any. */
const valuesOf = (parameter: TemplateParameter | undefined): string =>
  parameter?.choices?.map((choice) => JSON.stringify(choice)).join(' | ') ?? 'string | number';

function property(name: string, kind: string, type: string, parameter: TemplateParameter | undefined): string {
  const { label, help, required, maxLength } = parameter ?? {};
  const about = [
    label === undefined ? kind : `${label} (${kind})`,
    help,
    maxLength === undefined ? undefined : `At most ${maxLength} characters.`,
  ].filter((part) => part !== undefined);
  const comment = about.join('. ').replaceAll('..', '.').replaceAll('*/', '*\\/').replace(/\s+/g, ' ');
  return `  /** ${comment} */\n  readonly ${keyOf(name)}${required ? '' : '?'}: ${type};\n`;
}

const keyOf = (name: string) => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name));

/** Joins the words of a name in PascalCase; a name that does not begin with a letter gets the prefix `Template`. */
function pascalCase(name: string): string {
  const words =
    name
      .normalize('NFKD')
      .replace(/\p{M}/gu, '')
      .match(/[A-Za-z0-9]+/g) ?? [];
  const joined = words.map((word) => word[0]?.toUpperCase() + word.slice(1)).join('');
  return /^[A-Za-z]/.test(joined) ? joined : `Template${joined}`;
}

function uniqueName(name: string, used: Set<string>): string {
  let unique = name;
  for (let count = 2; used.has(unique); count += 1) unique = `${name}${count}`;
  used.add(unique);
  return unique;
}
