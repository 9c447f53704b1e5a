// Parses a stored document into the template that core draws; unchanged layers are not parsed again.
//
// Core identifies a layer by its object, so a layer that an edit does not change is neither resolved nor painted again.

import { ValidationError } from '#core/diagnostics.ts';
import { LAYER_SCHEMAS, type Layer, type LayerType } from '#core/template/layer.ts';
import { inPixels as px } from '#core/template/page-setup.ts';
import { checkTemplateParameters } from '#core/template/parameter.ts';
import { LayersTemplate, layerTypes, parseTemplate, type Template, withSheetSize } from '#core/template/template.ts';
import { parse } from '#core/template/validation.ts';
import { withPixels } from '#design/scale-layer.ts';
import { type RawDocument, type RawLayer, walk } from './document.ts';

/** The parsed layer of each stored layer; for a frame, valid for the children that it had. */
const parsed = new WeakMap<RawLayer, Layer>();
const heads = new WeakMap<RawDocument, Template>();
const NOTHING: readonly RawLayer[] = [];

/** @throws ValidationError as `parseTemplate` does, in the same words */
export function parseDocument(document: RawDocument): Template {
  const known = heads.get(document);
  if (known) return known;
  let template: Template;
  try {
    const { layers, ...head } = document;
    // The properties of the canvas alone; limits of the whole document are checked below.
    const bare = parse(LayersTemplate, withSheetSize({ ...head, layers: NOTHING }));
    template = { ...bare, layers: (layers ?? NOTHING).map(parseLayer) };
    checkNames(document);
    if (bare.parameters) checkTemplateParameters(bare.parameters, layerTypes(template.layers));
  } catch {
    // Reports errors with their full path, and finds those that only the whole document shows.
    template = parseTemplate(document);
  }
  heads.set(document, template);
  return template;
}

function parseLayer(raw: RawLayer): Layer {
  const known = parsed.get(raw);
  if (known) return known;
  const schema = LAYER_SCHEMAS[raw.type as LayerType];
  if (!schema) throw new ValidationError('type', 'is unknown');
  let layer: Layer;
  if (raw.type === 'frame') {
    const children = (raw.children ?? NOTHING).map(parseLayer);
    layer = { ...(parse(schema, { ...raw, children: NOTHING }) as Layer), children } as Layer;
  } else {
    layer = parse(schema, raw) as Layer;
  }
  parsed.set(raw, layer);
  return layer;
}

function checkNames({ layers }: RawDocument): void {
  const seen = new Set<string>();
  let count = 0;
  for (const { layer, depth } of walk(layers)) {
    count += 1;
    if (seen.has(layer.name) || depth > 11 || count > 2_000) throw new ValidationError('layers', 'are out of bounds');
    seen.add(layer.name);
  }
}

const UNIT = /"-?\d{1,6}(?:\.\d{1,6})?(?:px|pt|pc|mm|cm|in)"/;

/** A document as the editor works on it: with the size of its sheet, and all lengths in px. The same object if it has no others. */
export function inPixels(document: RawDocument): RawDocument {
  const { width, height } = document;
  const sized = withSheetSize(
    typeof width === 'string' || typeof height === 'string'
      ? { ...document, width: px(width) as number, height: px(height) as number }
      : document,
  );
  if (!sized.layers || !UNIT.test(JSON.stringify(sized.layers))) return sized;
  const layers = sized.layers.map((layer) => withPixels(layer as unknown as Layer) as unknown as RawLayer);
  return { ...sized, layers };
}
