// Puts an SVG file on the canvas as layers: pasted from Figma or a file, or a picture on the canvas that is taken apart.

import type { Point, Size } from '#core/geometry.ts';
import { naturalSizeOf } from '#core/svg/natural-size.ts';
import type { SvgElement } from '#core/svg/read-attributes.ts';
import { familyFinder, type ImportedLayer, importSvg } from '#import/import-svg.ts';
import { parseSvg } from '../shell/trusted.ts';
import { texts } from '../texts/editor.ts';
import { layersByName, type RawLayer } from './core/document/document.ts';
import { insertLayers, removeLayers } from './core/document/edits.ts';
import type { EditorHost } from './core/host.ts';
import * as actions from './core/state/actions.ts';
import type { EditorState } from './core/state/editor-state.ts';

/** @param at its corner, canvas px; null = the middle of the canvas */
export async function insertSvg(editor: EditorState, text: string, at: Point | null): Promise<void> {
  const { layers, omitted, ...size } = readDrawing(editor, text);
  if (layers.length === 0) return editor.host.tell(texts.value.editor.svgIsEmpty, { tone: 'bad' });
  const frame = frameOf(await withStoredPictures(editor.host, layers), 'drawing', size);
  const canvas = editor.document.peek();
  const middle = (side: 'width' | 'height') => Math.round((canvas[side] - size[side]) / 2);
  actions.paste(editor, [frame], at ?? { x: middle('width'), y: middle('height') });
  reportOmitted(editor, omitted);
}

/** Puts layers in place of a picture that is an SVG, in its size. */
export async function splitPicture(editor: EditorState, name: string): Promise<void> {
  const before = editor.layer(name);
  const [box] = editor.boxesOf([name]);
  if (!before || !box) return;
  const text = new TextDecoder().decode(await editor.host.readImage(String(before.src)));
  const { layers, omitted, ...size } = readDrawing(editor, text, box.rect);
  if (layers.length === 0) return editor.host.tell(texts.value.editor.pictureIsEmpty(name), { tone: 'bad' });
  const { x, y, rotation, flip, opacity, constraints, position } = before;
  const placed = { x, y, rotation, flip, opacity, constraints, position };
  const set = Object.fromEntries(Object.entries(placed).filter(([, value]) => value !== undefined));
  const frame = { ...frameOf(await withStoredPictures(editor.host, layers), name, size), ...set };
  const document = editor.document.peek();
  const at = layersByName(document).get(name);
  // It may have been deleted during the uploads.
  if (!at) return;
  const left = removeLayers([name])(document);
  const made = insertLayers(left, [frame], at.parent?.name ?? null, at.index);
  editor.edit(() => made.document, { select: made.names });
  reportOmitted(editor, omitted);
}

/** A frame around the layers; a group as large as the drawing is one already. */
function frameOf(layers: readonly RawLayer[], name: string, size: Size): RawLayer {
  const [only, ...others] = layers;
  const isFrame =
    only?.type === 'frame' && others.length === 0 && only.width === size.width && only.height === size.height;
  return isFrame ? { ...only, x: 0, y: 0 } : { type: 'frame', name, x: 0, y: 0, ...size, children: layers };
}

/** @param size in which to show it; absent = its own */
function readDrawing(editor: EditorState, text: string, size?: Size) {
  const { families, generic } = editor.compositor.fonts.listing;
  const names = families.map(({ family }) => family);
  const familyOf = familyFinder(names, new Map(Object.entries(generic)));
  const parsed = parseSvg(text);
  const root = parsed.documentElement;
  if (root.localName !== 'svg' || parsed.querySelector('parsererror')) throw new Error(texts.value.editor.svgIsBroken);
  return importSvg(size ? inSize(elementOf(root), size) : elementOf(root), { familyOf });
}

function inSize(root: SvgElement, { width, height }: Size): SvgElement {
  const own = naturalSizeOf(root.attributes);
  const viewBox = root.attributes.get('viewBox') ?? `0 0 ${own.width} ${own.height}`;
  const attributes = new Map([
    ...root.attributes,
    ['viewBox', viewBox],
    ['width', `${width}`],
    ['height', `${height}`],
  ]);
  return { ...root, attributes };
}

/** What is not among the layers: all of it in one message that stays long enough to be read. */
function reportOmitted(editor: EditorState, omitted: readonly string[]): void {
  if (omitted.length > 0) editor.host.tell(omitted.join(' '), { lasts: 12_000 + 1_000 * omitted.length });
}

function elementOf(element: Element): SvgElement {
  const attributes = [...element.attributes].map(({ name, localName, namespaceURI, value }) => {
    const isPlain = namespaceURI === null || name === 'xmlns' || name.startsWith('xmlns:');
    return [isPlain ? name : `{${namespaceURI}}${localName}`, value] as const;
  });
  const children = [...element.childNodes].flatMap((node): (SvgElement | string)[] => {
    if (node instanceof Element) return [elementOf(node)];
    return node instanceof Text ? [node.data] : [];
  });
  return { name: element.localName, attributes: new Map(attributes), children };
}

/** Uploads the files in the layers: a document with them in it would be too large to be saved. */
async function withStoredPictures(host: EditorHost, layers: readonly ImportedLayer[]): Promise<readonly RawLayer[]> {
  const ids = new Map<string, Promise<string>>();
  const idOf = (source: string, name: string) => {
    const known = ids.get(source) ?? stored(host, source, name);
    ids.set(source, known);
    return known;
  };
  const visit = (list: readonly ImportedLayer[]): Promise<RawLayer[]> =>
    Promise.all(
      list.map(async (layer) => {
        const children = layer.children && (await visit(layer.children));
        const src = String(layer.src ?? '');
        const isFile = layer.type === 'image' && src.startsWith('data:');
        return { ...layer, ...(children && { children }), ...(isFile && { src: await idOf(src, layer.name) }) };
      }),
    );
  return visit(layers);
}

async function stored({ pictures: { upload } }: EditorHost, source: string, name: string): Promise<string> {
  const [, head = '', body = ''] = /^data:([^,]*),(.*)$/is.exec(source) ?? [];
  const [type] = /^[\w/+.-]+/.exec(head) ?? ['image/png'];
  const text = /;base64$/i.test(head) ? atob(body) : decodeURIComponent(body);
  const bytes = Uint8Array.from(text, (char) => char.charCodeAt(0));
  if (!upload) return source;
  return (await upload(new File([bytes], name, { type }))).src;
}
