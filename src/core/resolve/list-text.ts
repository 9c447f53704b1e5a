// Reads lists that come as JSON text: in a URL and in a cell of a CSV every value is text, and a server leaves a list of
// many thousand rows unparsed until it is on a thread that may take its time.

import { ValidationError } from '../diagnostics.ts';
import { formatOptions } from '../template/format.ts';
import type { Layer } from '../template/layer.ts';
import type { Template } from '../template/template.ts';
import { formatPath } from '../template/validation.ts';
import { conditionsOf } from './condition.ts';

type Modifications = Readonly<Record<string, unknown>>;

/** How deep the values of a list may nest. */
const MAX_DEPTH = 32;

/**
 * The modifications with those lists parsed that are text; the same object if there are none.
 *
 * @throws ValidationError naming the modification, when a text that begins like a list is none
 */
export function withLists(template: Pick<Template, 'layers'>, modifications: Modifications): Modifications {
  let parsed: Record<string, unknown> | null = null;
  for (const name of Object.keys(modifications)) {
    const value = modifications[name];
    if (typeof value !== 'string' || !/^\s*\[/.test(value)) continue;
    const layer = conditionsOf(template).layers.get(name);
    if (!layer || !takesList(layer)) continue;
    parsed ??= Object.assign(Object.create(null), modifications) as Record<string, unknown>;
    parsed[name] = listIn(value, formatPath('modifications', [name]));
  }
  return parsed ?? modifications;
}

function takesList(layer: Layer): boolean {
  if (layer.type === 'text') return layer.format !== null && formatOptions(layer.format).type === 'list';
  return layer.type === 'table' || layer.type === 'chart' || (layer.type === 'frame' && layer.repeat !== false);
}

function listIn(text: string, path: string): unknown {
  let list: unknown;
  try {
    list = JSON.parse(text);
  } catch (error) {
    throw new ValidationError(path, `begins like a list, but is no JSON: ${(error as Error).message}`);
  }
  if (isDeeper(list, MAX_DEPTH)) throw new ValidationError(path, `nests deeper than ${MAX_DEPTH} levels`);
  return list;
}

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((inner) => isDeeper(inner, levels - 1));
}
