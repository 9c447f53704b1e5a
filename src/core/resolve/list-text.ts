// Reads lists that come as JSON text: in a URL and in a cell of a CSV every value is text, and a server leaves a list of
// many thousand rows unparsed until it is on a thread that may take its time.

import { LongList, parseList } from '../long-list.ts';
import { formatOptions } from '../template/format.ts';
import type { Layer } from '../template/layer.ts';
import { LAYER_TRAITS } from '../template/layer-traits.ts';
import type { Template } from '../template/template.ts';
import { formatPath } from '../template/validation.ts';
import { conditionsOf } from './condition.ts';

type Modifications = Readonly<Record<string, unknown>>;

/** Characters of a list for a table that is parsed as it is read. */
const LONG = 64 * 1024;

/**
 * The modifications with those lists parsed that are text, long ones of tables as they are read; the same object if there
 * are none.
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
    const path = formatPath('modifications', [name]);
    const isLong = layer.type === 'table' && value.length >= LONG && !/^\s*\[\s*\]/.test(value);
    parsed[name] = isLong ? new LongList(value, path) : parseList(value, path);
  }
  return parsed ?? modifications;
}

function takesList(layer: Layer): boolean {
  if (layer.type === 'text') return layer.format !== null && formatOptions(layer.format).type === 'list';
  return layer.type === 'frame' ? layer.repeat !== false : LAYER_TRAITS[layer.type].takesList === 'always';
}
