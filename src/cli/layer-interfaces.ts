// Generates a TypeScript interface for each template, with a typed property for each layer.

import type { AnyTemplate } from '#core/template/any-template.ts';
import { htmlLayerNames } from '#core/template/html-template.ts';
import { type LayerType, PRIMARY_PROPERTY } from '#core/template/layer.ts';
import { walkLayers } from '#core/template/template.ts';

export interface NamedTemplate {
  /** `tpl_…` of a stored template; null for a file. */
  readonly id: string | null;
  readonly template: AnyTemplate;
}

/**
 * Generates a module whose interfaces describe the allowed `modifications`. It imports only types of `@platen/client`.
 */
export function layerInterfaces(templates: readonly NamedTemplate[]): string {
  const used = new Set<string>();
  const interfaces = templates.map(({ id, template }) => {
    const name = uniqueName(pascalCase(template.name), used);
    const layers = template.engine === 'html' ? htmlLayers(template.html) : namedLayers(template);
    const constant = id === null ? '' : `\nexport const ${name}Id = ${JSON.stringify(id)};\n`;
    return `/** ${template.name.replaceAll('*/', '*\\/')} */\nexport interface ${name} {\n${layers.join('')}}\n${constant}`;
  });
  const text = interfaces.join('\n');
  const kinds = [...new Set([...text.matchAll(/Patch<(\w+)>/g)].map(([, kind]) => kind))].sort();
  const imported = kinds.length === 0 ? '' : `import type { ${kinds.join(', ')} } from '@platen/client';\n\n`;
  return `// Written by \`platen types\`. Do not edit.\n\n${imported}${kinds.length === 0 ? '' : PATCH}${text}`;
}

/** JSON Merge Patch: null restores the default; `name` and `type` cannot be changed. */
const PATCH = `type Patch<L> = { readonly [K in Exclude<keyof L, 'name' | 'type'>]?: L[K] | null };\n\n`;

const LAYER_TYPE = {
  text: 'TextLayer',
  image: 'ImageLayer',
  shape: 'ShapeLayer',
  frame: 'FrameLayer',
  qr: 'QrLayer',
  barcode: 'BarcodeLayer',
} as const satisfies Record<LayerType, string>;

function namedLayers(template: Extract<AnyTemplate, { readonly engine: 'layers' }>): readonly string[] {
  return [...walkLayers(template.layers)].map(({ layer }) => {
    const primary = PRIMARY_PROPERTY[layer.type];
    const value = primary === null ? 'boolean' : 'string | number | boolean';
    return property(layer.name, layer.type, `${value} | Patch<${LAYER_TYPE[layer.type]}>`);
  });
}

const HTML_VALUE =
  'string | number | boolean | { text?: string; src?: string; href?: string; style?: Record<string, string>; hidden?: boolean }';

const htmlLayers = (html: string) => [...htmlLayerNames(html)].map((name) => property(name, 'element', HTML_VALUE));

function property(name: string, kind: string, type: string): string {
  const key = /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name);
  return `  /** ${kind} */\n  readonly ${key}?: ${type};\n`;
}

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
