// Scales a layer: every length of it, and of what lies in it, by one factor. The schemas say which values are lengths.

import type { z } from 'zod';
import { ComponentLayer } from '#core/template/component-layer.ts';
import { LAYER_SCHEMAS, type Layer } from '#core/template/layer.ts';
import { inPixels, isLength, pixels } from '#core/template/page-setup.ts';
import { LENGTHS } from '#core/template/style.ts';

type Values = Readonly<Record<string, unknown>>;

/** Scales a value. `owner`: the object that it is a property of; `layer`: the layer around it. */
type Scale = (value: unknown, by: number, owner: Values, layer: Values) => unknown;
/** What a schema scales of its values. `fits` tells which of several schemas a value is of. */
interface Scaling {
  readonly fits: (value: unknown) => boolean;
  readonly scale: Scale;
}

export const tidy = (length: number): number => Math.round(length * 100) / 100 + 0;

const isObject = (value: unknown): value is Values =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isNumber = (value: unknown) => typeof value === 'number';
const isAny = () => true;

/** A width with a unit becomes one of px; percentages, shares and words stay. */
const column: Scale = (value, by) => {
  if (by === 1) return value;
  const width = typeof value === 'string' && isLength(value) ? pixels(value) : value;
  return typeof width === 'number' ? tidy(width * by) : value;
};

/** Lengths in px in the texts of tracks, such as `minmax(120px, 1fr)`. */
const tracks: Scale = (value, by) => {
  if (by === 1) return inPixels(value);
  if (typeof value !== 'string') return column(value, by, {}, {});
  return value.replace(/(\d+(?:\.\d+)?)(px)?/g, (all, number, px) => (px ? `${tidy(Number(number) * by)}px` : all));
};

/** Path data in px is stretched over the box that it was drawn for. */
const viewBox: Scale = (value, _, { d }, { width, height }) => {
  const isOwn = value === null && typeof d === 'string' && typeof width === 'number' && typeof height === 'number';
  return isOwn ? [0, 0, width, height] : value;
};

/** Modifications by the names of layers, whose types are not known: as the first type that has such a length. */
const patches: Scale = (values, by) => {
  if (!isObject(values)) return values;
  const patched = (patch: Values) =>
    mapped(patch, (value, name) => {
      const found = Object.values(LAYER_SCHEMAS)
        .map(({ shape }) => (Object.hasOwn(shape, name) ? scalingOf((shape as Shape)[name] as z.core.$ZodType) : null))
        .find((scaling) => scaling?.fits(value));
      return found ? found.scale(value, by, patch, patch) : value;
    });
  return mapped(values, (patch) => (isObject(patch) ? patched(patch) : patch));
};

type Shape = Readonly<Record<string, z.core.$ZodType>>;
const mapped = (values: Values, map: (value: unknown, name: string) => unknown): Values =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, map(value, name)]));

/** By schema; null = there is no length in it. */
const scalings = new WeakMap<z.core.$ZodType, Scaling | null>();

/** What is scaled of the values of a schema; null = nothing. */
function scalingOf(schema: z.core.$ZodType): Scaling | null {
  const known = scalings.get(schema);
  if (known !== undefined) return known;
  // Layers lie in layers: while one is looked at, this stands for it.
  let made: Scaling | null = null;
  scalings.set(schema, {
    fits: (value) => made?.fits(value) ?? false,
    scale: (value, ...rest) => made?.scale(value, ...rest) ?? value,
  });
  made = newScaling(schema);
  scalings.set(schema, made);
  return made;
}

function newScaling(schema: z.core.$ZodType): Scaling | null {
  const length = LENGTHS.get(schema as z.ZodType);
  switch (length?.scale) {
    case 'px':
      return {
        fits: (value) => isNumber(inPixels(value)),
        scale: (value, by) => {
          const px = inPixels(value) as number;
          return by === 1 ? px : Math.max(length.min, tidy(px * by));
        },
      };
    case 'column':
      return { fits: (value) => !isObject(value), scale: column };
    case 'tracks':
      return { fits: isAny, scale: tracks };
    case 'viewBox':
      return { fits: isAny, scale: viewBox };
    case 'patches':
      return { fits: isObject, scale: patches };
  }
  const { def } = (schema as z.core.$ZodTypes)._zod;
  switch (def.type) {
    case 'default':
    case 'optional':
    case 'nullable':
    case 'readonly':
      return scalingOf(def.innerType);
    case 'object':
      return ofObject(def.shape);
    case 'array':
      return ofList(() => def.element);
    case 'tuple':
      return ofList((i) => def.items[i]);
    case 'record':
      return ofRecord(def.valueType);
    case 'union':
      return ofUnion(def.options);
    default:
      return null;
  }
}

function ofObject(shape: Shape): Scaling | null {
  const scales = new Map<string, Scaling>();
  for (const [name, schema] of Object.entries(shape)) {
    const scaling = scalingOf(schema);
    if (scaling) scales.set(name, scaling);
  }
  if (scales.size === 0) return null;
  const types = typesOf(shape.type);
  const isLayer = Object.hasOwn(shape, 'visible');
  return {
    fits: (value) => {
      if (!isObject(value)) return false;
      return value.type !== undefined && types
        ? types.includes(value.type)
        : Object.keys(value).every((name) => Object.hasOwn(shape, name));
    },
    scale: (value, by, _, layer) => {
      const owner = value as Values;
      return mapped(owner, (one, name) => {
        const scaling = scales.get(name);
        return scaling?.fits(one) ? scaling.scale(one, by, owner, isLayer ? owner : layer) : one;
      });
    },
  };
}

/** The words of a property that tells types apart. */
function typesOf(schema: z.core.$ZodType | undefined): readonly unknown[] | null {
  const def = schema && (schema as z.core.$ZodTypes)._zod.def;
  if (def?.type === 'default') return typesOf(def.innerType);
  return def?.type === 'literal' ? def.values : null;
}

function ofList(element: (index: number) => z.core.$ZodType | undefined): Scaling | null {
  const of = (index: number) => {
    const schema = element(index);
    return schema ? scalingOf(schema) : null;
  };
  if (of(0) === null) return null;
  return {
    fits: (value) => Array.isArray(value) && value.some((one, i) => of(i)?.fits(one)),
    scale: (value, by, owner, layer) =>
      (value as readonly unknown[]).map((one, i) => (of(i)?.fits(one) ? of(i)?.scale(one, by, owner, layer) : one)),
  };
}

function ofRecord(schema: z.core.$ZodType): Scaling | null {
  const scaling = scalingOf(schema);
  if (!scaling) return null;
  return {
    fits: isObject,
    scale: (value, by, _, layer) =>
      mapped(value as Values, (one) => (scaling.fits(one) ? scaling.scale(one, by, value as Values, layer) : one)),
  };
}

function ofUnion(options: readonly z.core.$ZodType[]): Scaling | null {
  const scalings = options.map(scalingOf).filter((one) => one !== null);
  if (scalings.length === 0) return null;
  const forValue = (value: unknown) => scalings.find(({ fits }) => fits(value));
  return {
    fits: (value) => forValue(value) !== undefined,
    scale: (value, ...rest) => forValue(value)?.scale(value, ...rest) ?? value,
  };
}

/** @param by above 0 */
export const scaleLayer = (layer: Layer, by: number): Layer => (by === 1 ? layer : withPixels(layer, by));

/** A layer as it is written with lengths in px instead of those with units; larger, if `by` says so. */
export function withPixels<Written extends Pick<Layer, 'type'>>(layer: Written, by = 1): Written {
  const schema = Object.hasOwn(LAYER_SCHEMAS, layer.type) ? LAYER_SCHEMAS[layer.type] : ComponentLayer;
  const values = layer as unknown as Values;
  return (scalingOf(schema)?.scale(layer, by, values, values) ?? layer) as Written;
}
