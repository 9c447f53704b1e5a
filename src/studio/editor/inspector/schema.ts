// Reads a property's schema: which control sets it, its default, and whether a value is valid.

import type { z } from 'zod';
import { LAYER_SCHEMAS, type LayerType } from '#core/template/layer.ts';
import {
  ColorString,
  CornerRadii,
  Dimension,
  EdgeLengths,
  Fill,
  LENGTHS,
  Margin,
  Padding,
} from '#core/template/style.ts';
import { validationError } from '#core/template/validation.ts';
import { labelOf, texts } from '../../texts/editor.ts';
import type { RawLayer } from '../core/document/document.ts';

export { humanized, labelOf } from '../../texts/editor.ts';

/** How a value is set. For composed values, also the schemas of their parts. */
type Control =
  | { readonly kind: 'number'; readonly min: number | null; readonly max: number | null; readonly isInt: boolean }
  | { readonly kind: 'boolean' }
  | { readonly kind: 'text' }
  | { readonly kind: 'choice'; readonly options: readonly string[] }
  /** One of the options, or a list of several. */
  | { readonly kind: 'choices'; readonly options: readonly string[] }
  | { readonly kind: 'constant'; readonly value: unknown }
  | { readonly kind: 'fill' }
  | { readonly kind: 'color' }
  | { readonly kind: 'dimension' }
  /** A number, or a text such as `50%` or `auto`. */
  | { readonly kind: 'length' }
  | { readonly kind: 'edges' }
  | { readonly kind: 'corners' }
  | { readonly kind: 'object'; readonly properties: Readonly<Record<string, z.ZodType>> }
  | { readonly kind: 'list'; readonly item: z.ZodType }
  | { readonly kind: 'record'; readonly key: z.ZodType; readonly value: z.ZodType }
  | { readonly kind: 'tuple'; readonly items: readonly z.ZodType[] }
  /** A text, a number, true or false. */
  | { readonly kind: 'plain' }
  /** A plain value or an object of such values. */
  | { readonly kind: 'any' }
  /** One of several shapes. A union of an object and a list of such objects counts as `list`. */
  | { readonly kind: 'union'; readonly options: readonly z.ZodType[] };

export interface Property {
  readonly schema: z.ZodType;
  readonly control: Control;
  readonly isNullable: boolean;
  readonly isOptional: boolean;
  /** The default; undefined = there is none. */
  readonly initial: unknown;
  readonly description: string | undefined;
}

interface Def {
  readonly type: string;
  readonly innerType?: z.ZodType;
  readonly defaultValue?: unknown;
  readonly element?: z.ZodType;
  readonly options?: readonly z.ZodType[];
  readonly items?: readonly z.ZodType[];
  readonly entries?: Readonly<Record<string, string>>;
  readonly values?: readonly unknown[];
  readonly shape?: Readonly<Record<string, z.ZodType>>;
  readonly keyType?: z.ZodType;
  readonly valueType?: z.ZodType;
}

const defOf = (schema: z.ZodType): Def => schema.def as unknown as Def;
const known = new WeakMap<z.ZodType, Property>();

export function propertyOf(schema: z.ZodType): Property {
  let property = known.get(schema);
  if (!property) {
    property = read(schema);
    known.set(schema, property);
  }
  return property;
}

function read(schema: z.ZodType): Property {
  let inner = schema;
  let [isNullable, isOptional] = [false, false];
  let initial: unknown;
  let description: string | undefined;
  for (;;) {
    const def = defOf(inner);
    description ??= inner.meta()?.description;
    if (def.type === 'default') initial = def.defaultValue;
    else if (def.type === 'nullable') isNullable = true;
    else if (def.type === 'optional') isOptional = true;
    else break;
    inner = def.innerType as z.ZodType;
  }
  return { schema, control: controlOf(inner), isNullable, isOptional, initial, description };
}

function controlOf(schema: z.ZodType): Control {
  if (schema === Fill) return { kind: 'fill' };
  if (schema === ColorString) return { kind: 'color' };
  if (schema === Dimension) return { kind: 'dimension' };
  if (schema === EdgeLengths || schema === Margin || schema === Padding) return { kind: 'edges' };
  if (schema === CornerRadii) return { kind: 'corners' };
  const length = LENGTHS.get(schema);
  if (length?.scale === 'px') return { kind: 'number', min: length.min, max: length.max, isInt: false };
  const def = defOf(schema);
  switch (def.type) {
    case 'number': {
      const { minValue, maxValue, format } = schema as unknown as {
        minValue: number | null;
        maxValue: number | null;
        format: string | null;
      };
      const bound = (value: number | null) =>
        value === null || Math.abs(value) >= Number.MAX_SAFE_INTEGER ? null : value;
      return { kind: 'number', min: bound(minValue), max: bound(maxValue), isInt: format === 'safeint' };
    }
    case 'boolean':
      return { kind: 'boolean' };
    case 'enum':
      return { kind: 'choice', options: Object.values(def.entries ?? {}) };
    case 'literal':
      return { kind: 'constant', value: def.values?.[0] };
    case 'object':
      return { kind: 'object', properties: (schema as z.ZodObject).shape as Readonly<Record<string, z.ZodType>> };
    case 'array':
      return { kind: 'list', item: def.element as z.ZodType };
    case 'record':
      return { kind: 'record', key: def.keyType as z.ZodType, value: def.valueType as z.ZodType };
    case 'tuple':
      return { kind: 'tuple', items: def.items ?? [] };
    case 'null':
      return { kind: 'constant', value: null };
    case 'unknown':
      return { kind: 'any' };
    case 'union':
      if (isLength(def.options ?? [])) return { kind: 'length' };
      if ((def.options ?? []).every(isPlain)) return { kind: 'plain' };
      if (isOneOrSeveral(def.options ?? [])) return { kind: 'choices', options: wordsOf(def.options?.[0]) };
      return { kind: 'union', options: def.options ?? [] };
    default:
      return { kind: 'text' };
  }
}

/** Whether values are numbers or texts only: px, percentages, keywords. */
function isLength(options: readonly z.ZodType[]): boolean {
  const types = options.map((option) => (LENGTHS.get(option)?.scale === 'px' ? 'number' : defOf(option).type));
  return types.includes('number') && types.every((type) => ['number', 'string', 'enum', 'literal'].includes(type));
}

const PLAIN = ['string', 'number', 'boolean', 'null'];
const isPlain = (schema: z.ZodType): boolean => PLAIN.includes(defOf(schema).type);

/** The schema of what a list of a union has, if it may also stand alone. */
export function severalOf(
  options: readonly z.ZodType[],
): { readonly list: z.ZodType; readonly item: z.ZodType } | null {
  for (const list of options) {
    const { control } = propertyOf(list);
    if (control.kind === 'list' && options.includes(control.item)) return { list, item: control.item };
  }
  return null;
}

/** One of the forms that a value may have: a word, or what its schema describes. */
interface Form {
  readonly key: string;
  readonly label: string;
  /** null: it is a word, whose value stands beside. */
  readonly schema: z.ZodType | null;
  readonly value?: unknown;
}

/**
 * The forms of a union: words one by one, objects by what tells them apart. A word that stands for an object with all
 * defaults is no form beside it: it is the `value` of that one.
 */
export function formsOf(options: readonly z.ZodType[]): readonly Form[] {
  const all = everyForm(options);
  const whole = (label: string) => all.find((one) => one.schema !== null && one.label === label);
  return all
    .filter((one) => one.schema !== null || !whole(one.label))
    .map((one) =>
      one.schema ? { ...one, value: all.find(({ schema, label }) => !schema && label === one.label)?.value } : one,
    );
}

function everyForm(options: readonly z.ZodType[]): readonly Form[] {
  const several = severalOf(options);
  const objects = options.filter((option) => propertyOf(option).control.kind === 'object').length;
  return options.flatMap((option, i): readonly Form[] => {
    const { control } = propertyOf(option);
    const { forms } = texts.value;
    const word = (of: string, label: string, value: unknown = of) => ({
      key: `${i} ${of}`,
      label,
      schema: null,
      value,
    });
    const form = (label: string): readonly Form[] => [{ key: String(i), label, schema: option }];
    switch (control.kind) {
      case 'choice':
        return control.options.map((value) => word(value, labelOf(value)));
      case 'constant':
        return [word(String(control.value), labelOf(String(control.value)), control.value)];
      case 'boolean':
        return [word('on', forms.on, true), word('off', forms.off, false)];
      case 'union':
        return everyForm(control.options).map((one) => ({ ...one, key: `${i} ${one.key}` }));
      case 'object': {
        const controls = Object.entries(control.properties).map(
          ([key, each]) => [key, propertyOf(each).control] as const,
        );
        const constant = controls.find(([, { kind }]) => kind === 'constant')?.[1];
        if (constant?.kind === 'constant') return form(labelOf(String(constant.value)));
        const [[name, only] = ['', null]] = controls;
        if (controls.length === 1 && only?.kind === 'choice')
          return only.options.map((value) => word(value, labelOf(value), { [name]: value }));
        return form(objects === 1 ? forms.options : labelOf(name));
      }
      case 'list':
        if (several?.list === option) return form(forms.values);
        return form(isOfLists(control.item) ? forms.rows : forms.cells);
      case 'record':
        return form(forms.byName);
      case 'number':
      case 'length':
        return form(forms.number);
      case 'fill':
      case 'color':
        return form(forms.color);
      default:
        // It is the list with one entry.
        return several?.item === option ? [] : form(forms.text);
    }
  });
}

const isOfLists = (schema: z.ZodType): boolean => {
  const { control } = propertyOf(schema);
  return control.kind === 'list' || (control.kind === 'union' && control.options.some(isOfLists));
};

/** Whether the values of a record are properties of layers. */
export const arePatches = (schema: z.ZodType): boolean => LENGTHS.get(bare(schema))?.scale === 'patches';

const wordsOf = (schema: z.ZodType | undefined) => Object.values((schema && defOf(schema).entries) ?? {});

/** Whether values are words, or lists of the same words. */
function isOneOrSeveral([one, several, ...others]: readonly z.ZodType[]): boolean {
  if (!one || !several || others.length > 0 || defOf(several).type !== 'array') return false;
  const words = wordsOf(one);
  return words.length > 0 && words.join() === wordsOf(defOf(several).element).join();
}

/** The properties of a type of layer, without its type and its children. */
export function layerProperties(type: LayerType): Readonly<Record<string, z.ZodType>> {
  const { type: _type, children: _children, ...properties } = LAYER_SCHEMAS[type].shape as Record<string, z.ZodType>;
  return properties;
}

/** A sentence if the value is not valid, in the server's words; null if it is. */
export function misfit(schema: z.ZodType, value: unknown): string | null {
  const result = schema.safeParse(value, { reportInput: true });
  return result.success ? null : validationError('', result.error.issues, { schema, input: value }).message;
}

/** The schema without its default and nullability. */
export function bare(schema: z.ZodType): z.ZodType {
  let inner = schema;
  for (;;) {
    const def = inner.def as unknown as { readonly type: string; readonly innerType?: z.ZodType };
    if (!def.innerType || !/^(default|nullable|optional)$/.test(def.type)) return inner;
    inner = def.innerType;
  }
}

/** The initial value when something is added: its default, or the least valid value. */
export function startOf(schema: z.ZodType): unknown {
  const { initial, control, isOptional, isNullable } = propertyOf(schema);
  if (initial !== undefined && initial !== null) return initial;
  switch (control.kind) {
    case 'number':
      return Math.max(control.min ?? 0, 0);
    case 'boolean':
      return false;
    case 'choice':
      return control.options[0];
    case 'constant':
      return control.value;
    case 'fill':
    case 'color':
      return '#161616';
    case 'dimension':
      return 100;
    case 'edges':
    case 'corners':
    case 'length':
      return 0;
    case 'list':
      return [];
    case 'record':
      return {};
    case 'tuple':
      return control.items.map(startOf);
    case 'union':
      return control.options[0] ? startOf(control.options[0]) : null;
    case 'object': {
      const entries = Object.entries(control.properties).filter(([, property]) => {
        const { isOptional: optional, initial: has } = propertyOf(property);
        return !optional && has === undefined;
      });
      return Object.fromEntries(entries.map(([name, property]) => [name, startOf(property)]));
    }
    default:
      return isOptional || isNullable ? undefined : '';
  }
}

/** Which shapes and charts some properties are of. */
const ONLY_OF: Readonly<Record<string, readonly string[]>> = {
  ...{ points: ['star', 'polygon', 'line'], d: ['path'], viewBox: ['path'] },
  ...{ smooth: ['line', 'area', 'sparkline'], dots: ['line', 'area'], stacked: ['bar', 'area'] },
  ...{ horizontal: ['bar'], gap: ['bar'], legendValues: ['pie'] },
};
const INNER: Readonly<Record<string, readonly string[]>> = { shape: ['star'], chart: ['pie', 'progress'] };

/** Whether a property does nothing for a layer as it is: its field is shown only where it is set. */
export function isIdle(name: string, layer: RawLayer): boolean {
  if (layer[name] !== undefined || (layer.type !== 'shape' && layer.type !== 'chart')) return false;
  const kind = String(layer[layer.type] ?? (layer.type === 'shape' ? 'rect' : 'bar'));
  if (name === 'borderRadius') return layer.type === 'shape' && kind !== 'rect';
  const only = name === 'innerRadius' ? INNER[layer.type] : ONLY_OF[name];
  return only !== undefined && !only.includes(kind);
}
