// Layers as text on the system clipboard, so that they can be pasted into another template, tab or account.

import { layersByName, outermost, type RawDocument, type RawLayer } from '../document/document.ts';
import { type Said, saidOf } from '../document/said-of-layers.ts';

const KIND = 'platen-layers';

/** Layers, and what languages and sizes of their template say of them. */
export interface CopiedLayers extends Said {
  readonly layers: readonly RawLayer[];
}

/** @param stored the document of which `document` shows a size */
export function layersAsText(document: RawDocument, names: readonly string[], stored = document): string {
  const index = layersByName(document);
  const layers = outermost(document, names).flatMap((name) => index.get(name)?.layer ?? []);
  const said = saidOf(stored, new Set(layersByName({ ...document, layers }).keys()));
  return JSON.stringify({ kind: KIND, layers, ...said }, null, 2);
}

/**
 * Reads a text as layers: our clipboard format, a layer or a list of them as JSON, or plain text for a new text layer.
 */
export function layersFromText(text: string): CopiedLayers {
  const isRecord = (value: unknown): value is object => typeof value === 'object' && value !== null;
  const areRecords = (value: unknown) => isRecord(value) && Object.values(value).every(isRecord);
  const isLayer = (value: unknown): value is RawLayer =>
    isRecord(value) && 'type' in value && typeof value.type === 'string';
  const nothing = { texts: {}, changes: {} };
  try {
    const value: unknown = JSON.parse(text);
    const { layers: own, texts, changes } = (value ?? {}) as { readonly [key in keyof CopiedLayers]?: unknown };
    const list = Array.isArray(value) ? value : (own ?? [value]);
    const found = (Array.isArray(list) ? list : []).filter(isLayer);
    const layers = found.map((layer) => ({ ...layer, name: typeof layer.name === 'string' ? layer.name : layer.type }));
    const isSaid = areRecords(texts) && areRecords(changes);
    if (layers.length > 0) return { layers, ...(isSaid ? ({ texts, changes } as Said) : nothing) };
  } catch {
    // Not JSON: plain text.
  }
  const words = text.trim().slice(0, 10_000);
  return { layers: words === '' ? [] : [{ type: 'text', name: 'text', text: words, fontSize: 24 }], ...nothing };
}
