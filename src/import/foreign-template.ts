// Converts the layers of another tool's template by a table of rules, and reports for every layer what was lost.

import { AppError } from '#base/errors.ts';
import { parseTemplate } from '#core/template/template.ts';

export type ForeignFields = Readonly<Record<string, unknown>>;
type LayerKind = 'text' | 'image' | 'shape' | 'qr' | 'barcode';

/** Converts a property for a layer of a kind; null where the value cannot be read. */
export type Rule = (value: unknown, kind: LayerKind) => ForeignFields | null;

export interface ForeignFormat {
  /** The tool's name in messages. */
  readonly tool: string;
  /** The kind of a layer, or a description of a layer without a counterpart here. */
  readonly kindOf: (layer: ForeignFields) => LayerKind | { readonly unknown: string };
  readonly rules: Readonly<Record<string, Rule>>;
  /** Properties that do not affect the image. */
  readonly ignored: readonly string[];
}

export interface ForeignTemplate {
  readonly name: string;
  readonly width: number;
  readonly height: number;
  readonly background: string | null;
  readonly layers: readonly ForeignFields[];
}

export interface Imported {
  /** The document, ready to be stored. */
  readonly template: ForeignFields;
  /** What could not be translated, by layer. */
  readonly warnings: readonly string[];
}

const MARGIN = 24;
/** Default sizes of layers whose file gives none, px. */
const SIZES: Readonly<Record<LayerKind, readonly [number, number]>> = {
  text: [480, 48],
  image: [240, 160],
  shape: [240, 80],
  qr: [120, 120],
  barcode: [240, 80],
};

/**
 * @throws ValidationError when the translated part is no valid template
 */
export function importTemplate(foreign: ForeignTemplate, format: ForeignFormat): Imported {
  const warnings: string[] = [];
  const names = new Set<string>();
  const layers: ForeignFields[] = [];
  let column = MARGIN;
  for (const [index, layer] of foreign.layers.entries()) {
    const name = uniqueName(layer.name, index, names);
    const warn = (problem: string) => warnings.push(`Layer ${JSON.stringify(name)}: ${problem}`);
    if (name !== layer.name)
      warn(`it had ${layer.name === undefined ? 'no name' : 'a name that cannot be kept'}; this is its new one.`);
    const kind = format.kindOf(layer);
    if (typeof kind === 'object') {
      warn(`${kind.unknown} has no counterpart; the layer was left out.`);
      continue;
    }
    const fields = { ...translate(layer, kind, format, warn) };
    const missing = ['x', 'y', 'width', 'height'].filter((key) => fields[key] === undefined);
    if (missing.length > 0) {
      warn(`${listOf(missing)} ${missing.length === 1 ? 'is' : 'are'} not in the file; arrange it in the studio.`);
      const [width, height] = SIZES[kind];
      fields.x ??= MARGIN;
      fields.y ??= column;
      fields.width ??= Math.min(width, foreign.width);
      fields.height ??= Math.min(height, foreign.height);
      column = Math.min(column + Number(fields.height) + MARGIN, Math.max(0, foreign.height - MARGIN));
    }
    layers.push({ name, type: kind, ...fields });
  }
  const { name, width, height, background } = foreign;
  const template = { name, width, height, ...(background === null ? {} : { background }), layers };
  parseTemplate(template);
  return { template, warnings };
}

function translate(
  layer: ForeignFields,
  kind: LayerKind,
  format: ForeignFormat,
  warn: (problem: string) => void,
): ForeignFields {
  const fields: Record<string, unknown> = {};
  for (const [property, value] of Object.entries(layer)) {
    if (value === null || value === undefined || value === '' || format.ignored.includes(property)) continue;
    const rule = Object.hasOwn(format.rules, property) ? format.rules[property] : undefined;
    const translated = rule?.(value, kind);
    if (translated) Object.assign(fields, translated);
    else if (translated === null) warn(`${property} has a value that cannot be translated: ${shown(value)}.`);
    else warn(`${property} has no counterpart and was left out.`);
  }
  return fields;
}

function uniqueName(given: unknown, index: number, names: Set<string>): string {
  const wanted = typeof given === 'string' && given.trim() !== '' ? given.trim().slice(0, 90) : `layer-${index + 1}`;
  let name = wanted;
  for (let count = 2; names.has(name); count += 1) name = `${wanted}-${count}`;
  names.add(name);
  return name;
}

const listOf = (words: readonly string[]) =>
  words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;

function shown(value: unknown): string {
  const text = JSON.stringify(value);
  return text.length > 80 ? `${text.slice(0, 80)}…` : text;
}

/** Parses px from a number or `"12px"`; null for relative lengths. */
export function pixels(value: unknown): number | null {
  const text = typeof value === 'number' ? String(value) : value;
  if (typeof text !== 'string' || !/^-?\d{1,6}(\.\d{1,6})?(px)?$/.test(text)) return null;
  return Number.parseFloat(text);
}

/** A rule for a length in px. */
export const length =
  (property: string): Rule =>
  (value) => {
    const px = pixels(value);
    return px === null ? null : { [property]: px };
  };

/** A rule for a text that is copied unchanged. */
export const text =
  (property: string): Rule =>
  (value) =>
    typeof value === 'string' ? { [property]: value } : null;

/** A rule for a CSS colour. */
export const color =
  (property: string): Rule =>
  (value) =>
    typeof value === 'string' && /^(#[0-9a-f]{3,8}|(rgb|hsl)a?\([\d\s.,%/]+\)|[a-z]+)$/i.test(value)
      ? { [property]: value }
      : null;

export const isFields = (value: unknown): value is ForeignFields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * @throws AppError `invalid_request` where the value is no list, or contains anything but objects
 */
export function layerList(value: unknown, where: string): readonly ForeignFields[] {
  if (Array.isArray(value) && value.every(isFields)) return value;
  throw new AppError('invalid_request', `${where} must be a list of layers.`);
}

/** A side of the canvas, px. @throws AppError `invalid_request` saying which option sets it */
export function side(value: unknown, name: 'width' | 'height'): number {
  if (typeof value === 'number' && Number.isInteger(value) && value > 0) return value;
  throw new AppError('invalid_request', `The file has no ${name}; give it with --${name}.`);
}
