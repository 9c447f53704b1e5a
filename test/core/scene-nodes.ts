// Makes scene nodes for tests; properties that a test does not give have their plainest value.

import type { Color } from '#core/color.ts';
import type { Corners, Edges, Radius } from '#core/geometry.ts';
import { PLAIN_FRAME, PLAIN_NODE, plainFlex } from '#core/resolve/plain-node.ts';
import { PLAIN_STYLE, PLAIN_TEXT } from '#core/resolve/plain-text.ts';
import type {
  CharacterStyle,
  CodeModules,
  CodeNode,
  Dimension,
  Fill,
  Filters,
  FlexLayout,
  FrameNode,
  ImageNode,
  Placement,
  Scene,
  SceneNode,
  ShapeNode,
  TextNode,
} from '#core/resolve/scene.ts';
import type { ImageResource, Resources } from '#core/resources.ts';
import { FontSet } from '#core/text/font-set.ts';

/** `120`, `'50%'`, `'hug'`, `'fill'`. */
type Length = number | string;

interface Common extends Omit<Partial<Placement>, 'width' | 'height'> {
  name?: string;
  width?: Length;
  height?: Length;
}

type Options<Node extends SceneNode> = Common & Partial<Omit<Node, 'type' | 'name' | 'placement'>>;

function dimension(length: Length): Dimension {
  if (typeof length === 'number') return { kind: 'px', value: length };
  if (length === 'hug' || length === 'fill') return { kind: length };
  return { kind: 'percent', value: Number.parseFloat(length) };
}

export const edges = (length: number): Edges => ({ top: length, right: length, bottom: length, left: length });
export const corners = (radius: Radius): Corners => ({
  topLeft: radius,
  topRight: radius,
  bottomRight: radius,
  bottomLeft: radius,
});
export const rgb = (r: number, g: number, b: number, a = 1): Color => ({ r, g, b, a });
export const solid = (color: Color): Fill => ({ kind: 'solid', color });
/** CSS filter functions that change nothing. */
export const NEUTRAL: Filters = {
  ...{ brightness: 1, contrast: 1, saturate: 1, grayscale: 0 },
  ...{ sepia: 0, hueRotate: 0, invert: 0, duotone: null, blur: 0 },
};
export const RED = rgb(255, 0, 0);
export const BLUE = rgb(0, 0, 255);

function base({ name = 'it', width = 'hug', height = 'hug', ...rest }: Common) {
  const given = Object.fromEntries(Object.entries(rest).filter(([key]) => PLACEMENT_KEYS.has(key)));
  const size = { width: dimension(width), height: dimension(height) };
  return { ...PLAIN_NODE, name, placement: { ...PLAIN_NODE.placement, absolute: false, ...given, ...size } };
}

const PLACEMENT_KEYS = new Set([...Object.keys(PLAIN_NODE.placement), 'name']);

/** The options that are not part of the placement. */
function own<T extends object>(options: T): T {
  return Object.fromEntries(Object.entries(options).filter(([key]) => !PLACEMENT_KEYS.has(key))) as T;
}

export function shape(options: Options<ShapeNode> = {}): ShapeNode {
  return {
    ...base(options),
    type: 'shape',
    outline: { kind: 'rect', radii: corners(0) },
    fill: solid(RED),
    fillRule: 'nonzero',
    stroke: null,
    ...own(options),
  };
}

export function image(options: Options<ImageNode> = {}): ImageNode {
  return {
    ...base(options),
    type: 'image',
    image: 'photo',
    fit: 'cover',
    zoom: 1,
    isPixelated: false,
    focus: { x: 0.5, y: 0.5 },
    radii: corners(0),
    border: null,
    sideBorders: null,
    ...own(options),
  };
}

/** Modules of the codes that `code` made. */
const CODES = new Map<string, CodeModules>();

export function code({
  modules = { columns: 2, rows: 2, dark: [true, false, false, true] },
  ...options
}: Options<CodeNode> & { readonly modules?: CodeModules } = {}): CodeNode {
  const key = JSON.stringify(modules);
  CODES.set(key, modules);
  return {
    ...base(options),
    type: 'code',
    code: key,
    square: true,
    fill: solid(rgb(0, 0, 0)),
    background: null,
    caption: null,
    digits: null,
    ...own(options),
  };
}

export function frame(
  options: Omit<Options<FrameNode>, 'layout' | 'padding'> & {
    layout?: Partial<FlexLayout> | null;
    padding?: number;
    gap?: number;
  } = {},
): FrameNode {
  const { layout = null, padding = 0, gap = 0, ...rest } = options;
  return {
    ...PLAIN_FRAME,
    ...base(rest),
    ...own(rest),
    padding: edges(padding),
    direction: options.direction ?? 'ltr',
    layout: layout && { ...plainFlex('column'), rowGap: gap, columnGap: gap, ...layout },
  };
}

export function style(options: Partial<CharacterStyle> = {}): CharacterStyle {
  return {
    font: { families: ['Inter'], weight: 400, style: 'normal', variations: {}, lang: null },
    fontSize: 20,
    ...PLAIN_STYLE,
    ...options,
  };
}

export function text(
  words: string,
  options: Omit<Options<TextNode>, 'spans'> & { style?: Partial<CharacterStyle> } = {},
): TextNode {
  const { style: ownStyle = {}, ...rest } = options;
  return {
    ...base({ flexShrink: 1, ...rest }),
    ...PLAIN_TEXT,
    align: 'start',
    hyphens: 'manual',
    spans: [{ text: words, style: style(ownStyle), link: null, counter: null, image: null }],
    strut: style(ownStyle),
    ...own(rest),
  };
}

export function scene(nodes: readonly SceneNode[], width = 400): Scene {
  return {
    width,
    height: 300,
    background: null,
    page: null,
    nodes,
    needs: { fonts: [], images: [], hyphenation: [], codes: [] },
    diagnostics: [],
  };
}

/** Resources with images of which only the size is known, and no fonts: for scenes without text. */
export function resources(images: Readonly<Record<string, Partial<ImageResource>>> = {}): Resources {
  return {
    fonts: new FontSet(new Map()),
    codes: CODES,
    hyphenators: new Map(),
    images: new Map(
      Object.entries(images).map(([key, given]) => [
        key,
        {
          key,
          format: 'png',
          bytes: new Uint8Array(),
          width: 100,
          height: 50,
          hasAlpha: false,
          focus: null,
          ...given,
        },
      ]),
    ),
  };
}
