// Layers as text on the system clipboard, so that they can be pasted into another template, tab or account.

import { layersByName, outermost, type RawDocument, type RawLayer } from '../document/document.ts';

const KIND = 'platen-layers';

export function layersAsText(document: RawDocument, names: readonly string[]): string {
  const index = layersByName(document);
  const layers = outermost(document, names).flatMap((name) => index.get(name)?.layer ?? []);
  return JSON.stringify({ kind: KIND, layers }, null, 2);
}

/**
 * Reads a text as layers: our clipboard format, a layer or a list of them as JSON, or plain text for a new text layer.
 */
export function layersFromText(text: string): readonly RawLayer[] {
  const isLayer = (value: unknown): value is RawLayer =>
    typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';
  try {
    const value: unknown = JSON.parse(text);
    const list = Array.isArray(value) ? value : ((value as { layers?: unknown } | null)?.layers ?? [value]);
    const layers = (Array.isArray(list) ? list : []).filter(isLayer);
    if (layers.length > 0)
      return layers.map((layer) => ({ ...layer, name: typeof layer.name === 'string' ? layer.name : layer.type }));
  } catch {
    // Not JSON: plain text.
  }
  const words = text.trim().slice(0, 10_000);
  return words === '' ? [] : [{ type: 'text', name: 'text', text: words, fontSize: 24 }];
}
