// Makes a template of its own of selected layers, and shows it in their place.

import { texts } from '../../../texts/editor.ts';
import { findLayer, type RawDocument, type RawLayer, textsOf, walk } from '../document/document.ts';
import { changeLayer } from '../document/edits.ts';
import { parametersIn } from '../document/parameter-edits.ts';
import { forgetLayers } from '../document/said-of-layers.ts';
import { group } from './actions.ts';
import type { EditorState } from './editor-state.ts';

/** Properties of a layer that stay where it stands, rather than in the component. */
const OF_PLACE: readonly string[] = [
  ...['name', 'x', 'y', 'rotation', 'flip', 'opacity', 'visible', 'locked', 'constraints', 'position', 'when', 'pages'],
  ...['top', 'right', 'bottom', 'left', 'margin', 'alignSelf', 'justifySelf', 'flexGrow', 'flexShrink', 'flexBasis'],
  ...['gridColumn', 'gridRow', 'gridArea', 'columnSpan', 'rowSpan'],
];

/** The document of a component, and the layer that shows it. @param size of the frame, px */
export function componentOf(
  document: RawDocument,
  frame: RawLayer,
  size: { readonly width: number; readonly height: number },
): { readonly component: RawDocument; readonly place: Readonly<Record<string, unknown>> } {
  const entries = Object.entries(frame);
  const place = Object.fromEntries(entries.filter(([key]) => OF_PLACE.includes(key)));
  const own = Object.fromEntries(entries.filter(([key]) => !OF_PLACE.includes(key)));
  const { brand, lang, currency } = document;
  const inside = [...walk(frame.children)].map(({ layer }) => layer.name);
  const texts = Object.entries(textsOf(document)).filter(([name]) => inside.includes(name));
  // A frame that only holds layers together is not needed in a template of its own.
  const isPlain = Object.keys(own).every((key) => ['type', 'width', 'height', 'children'].includes(key));
  const component = {
    name: frame.name,
    ...{ width: Math.max(1, Math.round(size.width)), height: Math.max(1, Math.round(size.height)) },
    ...(brand !== undefined && { brand }),
    ...(lang !== undefined && { lang }),
    ...(currency !== undefined && { currency }),
    ...(texts.length > 0 && { texts: Object.fromEntries(texts) }),
    layers: isPlain ? (frame.children ?? []) : [{ ...own, type: frame.type, name: frame.name, x: 0, y: 0 }],
  };
  return { component, place };
}

/** The document with a component in the place of a frame. What was said of the layers inside is said of the component’s. */
export function withComponent(document: RawDocument, frame: RawLayer, layer: RawLayer): RawDocument {
  const inside = new Set([...walk(frame.children)].map((placed) => placed.layer.name));
  const parameters = parametersIn(document)?.map((one) =>
    inside.has(one.layer) ? { ...one, layer: `${frame.name}/${one.layer}` } : one,
  );
  const replaced = changeLayer(document, frame.name, () => layer);
  const renamed = parameters === undefined ? replaced : { ...replaced, parameters };
  return forgetLayers(inside)(renamed);
}

/** @throws Error saying why the layers cannot be a component, ApiError */
export async function makeComponent(editor: EditorState): Promise<{ readonly name: string }> {
  const { templates } = editor.host;
  if (!templates) throw new Error('There is nowhere to store a component.');
  const { size, lang } = editor.view.peek();
  if (size !== null || lang !== null) {
    throw new Error(texts.value.design.componentsInDefault);
  }
  const [selected, ...others] = editor.movable();
  if (selected === undefined) throw new Error(texts.value.design.selectForComponent);
  if (others.length > 0 || editor.layer(selected)?.type !== 'frame') {
    group(editor);
    editor.composeNow();
  }
  const [name] = editor.selection.peek();
  const frame = name === undefined ? null : editor.layer(name);
  const box = name === undefined ? undefined : editor.picture.peek()?.byName.get(name);
  if (name === undefined || frame?.type !== 'frame' || !box) throw new Error(texts.value.design.noFrame);
  const { component, place } = componentOf(editor.stored.peek(), frame, box.rect);
  const card = await templates.create(component);
  const layer = { ...place, type: 'template', name, template: `${card.id}@${card.version}` } as RawLayer;
  editor.compositor.designs.templates.set(String(layer.template), component);
  editor.editStored((document) => {
    const now = findLayer(document, name);
    return now ? withComponent(document, now, layer) : document;
  });
  editor.select([name]);
  return card;
}
