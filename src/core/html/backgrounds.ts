// The backgrounds and masks of a box as nodes behind what is in it (CSS Backgrounds 3, 2; CSS Masking 1, 5).

import type { Radius } from '../geometry.ts';
import type { NeedsCollector } from '../resolve/needs.ts';
import { PLAIN_FRAME, PLAIN_NODE } from '../resolve/plain-node.ts';
import type { Fill, FrameNode, ImageNode, Placement, SceneNode, Sides, Tiles } from '../resolve/scene.ts';
import { type Background, type BackgroundLayer, backgroundOf, bordersOf } from './paint-style.ts';
import { NO_CORNERS, NO_EDGES, paddingOf, px, sideWidths } from './placement.ts';
import { eachSide, evenly, SIDES } from './shorthands.ts';
import type { Style } from './style.ts';

export const NO_BACKGROUND: Background = { color: null, layers: [], isText: false, isPixelated: false };
/** Of a style that may have no box. */
export const backgroundOnce = (style: Style): Background => style.once('background', (one) => backgroundOf(one));
/** Whether a fill is behind the whole box. */
const isWhole = ({ clip, origin, ...layer }: Extract<BackgroundLayer, { kind: 'fill' }>): boolean =>
  !layer.tiles && clip === 'border-box' && origin === 'padding-box';
/** A gradient once in its area, and on around it. */
const WHOLE_TILE: Tiles = { size: [null, null], position: [px(0), px(0)], repeat: ['repeat', 'repeat'] };
const ONE_TILE: Tiles = { ...WHOLE_TILE, repeat: ['no-repeat', 'no-repeat'] };

/** Frames and pictures over a box's whole padding box, behind what is in it. */
function backgroundNodes(
  needs: NeedsCollector,
  { layers, isPixelated }: Background,
  name: string,
  outer: FrameNode['radii'],
  edges: Pick<FrameNode, 'padding' | 'border' | 'sideBorders'> = PLAIN_FRAME,
  isMask = false,
): readonly SceneNode[] {
  const lines = edges.sideBorders ?? evenly(edges.border);
  const widths = sideWidths(edges);
  // A mask is in the border box.
  const border = isMask ? NO_EDGES : widths;
  const isCovered =
    !isMask && SIDES.every((side) => !lines[side] || (lines[side].style === 'solid' && lines[side].color.a === 1));
  /** How far inside the padding box an area begins, or of a mask, inside the border box. */
  const depth = (area: BackgroundLayer['clip']): Sides<number> => {
    const inside =
      area === 'border-box' ? eachSide((side) => -widths[side]) : area === 'content-box' ? edges.padding : NO_EDGES;
    return isMask ? eachSide((side) => inside[side] + widths[side]) : inside;
  };
  return layers.map((layer, i): SceneNode => {
    const clip = depth(isCovered && layer.clip === 'border-box' ? 'padding-box' : layer.clip);
    const origin = depth(layer.origin);
    const area = eachSide((side) => origin[side] - clip[side]);
    const isOffset = SIDES.some((side) => area[side] !== 0);
    const whole = layer.kind === 'fill' && layer.isOnce ? ONE_TILE : WHOLE_TILE;
    const tiles = isOffset ? { ...(layer.tiles ?? whole), area } : layer.tiles;
    const inner = eachSide((side) => clip[side] + border[side]);
    const radii = {
      topLeft: radiusInside(outer.topLeft, inner, 'left', 'top'),
      topRight: radiusInside(outer.topRight, inner, 'right', 'top'),
      bottomRight: radiusInside(outer.bottomRight, inner, 'right', 'bottom'),
      bottomLeft: radiusInside(outer.bottomLeft, inner, 'left', 'bottom'),
    };
    const inside = {
      ...PLAIN_NODE.placement,
      inset: eachSide((side) => px(clip[side])),
      layer: 'background' as const,
    };
    const frame = { ...PLAIN_FRAME, name: `${name} background ${i + 1}`, placement: inside, radii };
    if (layer.kind === 'fill') return { ...frame, background: layer.fill, ...(tiles && { tiles }) };
    const key = needs.addImage({ sources: [layer.source], layer: name, optional: true, focus: null });
    const side = (from: 'left' | 'top', to: 'right' | 'bottom') =>
      ({
        kind: 'percent',
        value: 100,
        ...(clip[from] + clip[to] !== 0 && { plus: -clip[from] - clip[to] }),
      }) as const;
    const placement: Placement = { ...inside, width: side('left', 'right'), height: side('top', 'bottom') };
    return {
      ...imageNode(`${name} picture ${i + 1}`, key),
      isPixelated,
      tiles: tiles ?? WHOLE_TILE,
      radii,
      placement,
    };
  });
}

/** What a box is filled with, and what else is behind what is in it. */
export function filledWith(
  needs: NeedsCollector,
  background: Background,
  name: string,
  radii: FrameNode['radii'],
  edges?: Pick<FrameNode, 'padding' | 'border' | 'sideBorders'>,
): { readonly fill: Fill | null; readonly behind: readonly SceneNode[] } {
  const { color, layers } = background;
  const [only] = layers;
  if (layers.length === 1 && only?.kind === 'fill' && !color && isWhole(only)) return { fill: only.fill, behind: [] };
  const fill: Fill | null = color && { kind: 'solid', color };
  return { fill, behind: backgroundNodes(needs, background, name, radii, edges) };
}

export function maskNodes(needs: NeedsCollector, layers: Background, style: Style): readonly SceneNode[] {
  const edges = { padding: paddingOf(style), ...bordersOf(style) };
  return backgroundNodes(needs, layers, `${style.element.name} mask`, NO_CORNERS, edges, true);
}

/** What fills words and rows, which have one fill alone. */
export function fillOf(background: Background, style: Style): Fill | null {
  const { color, layers } = background;
  const [layer] = layers;
  const isLost = layer?.kind === 'image' || layer?.tiles || layers.length > 1;
  if (isLost) style.lost('background-image', 'of an inline element');
  return layer?.kind === 'fill' && !isLost ? layer.fill : color && { kind: 'solid', color };
}

/** The radius of a box that lies so many px inside of one with this radius. */
function radiusInside(radius: Radius, by: Sides<number>, x: 'left' | 'right', y: 'top' | 'bottom'): Radius {
  if (by[x] === by[y] && typeof radius === 'number') return Math.max(0, radius - by[x]);
  const { ofWidth = 0, ofHeight = 0, ...px } = typeof radius === 'number' ? { x: radius, y: radius } : radius;
  // Shares are of the outer box.
  const across = px.x + ofWidth * (by.left + by.right) - by[x];
  return { x: across, y: px.y + ofHeight * (by.top + by.bottom) - by[y], ofWidth, ofHeight };
}

/** One fill as it is seen before another; of what is no colour, the one in front. */
export function inFront(front: Fill | null, behind: Fill | null): Fill | null {
  if (front?.kind !== 'solid' || behind?.kind !== 'solid') return front ?? behind;
  const [above, below] = [front.color, behind.color];
  const a = above.a + below.a * (1 - above.a);
  const mixed = (channel: 'r' | 'g' | 'b') =>
    (above[channel] * above.a + below[channel] * below.a * (1 - above.a)) / Math.max(a, 1e-9);
  return { kind: 'solid', color: { r: mixed('r'), g: mixed('g'), b: mixed('b'), a } };
}

/** A picture that fills its box. */
export const imageNode = (name: string, image: string): ImageNode => ({
  ...PLAIN_NODE,
  ...{ name, type: 'image', image, fit: 'fill', zoom: 1, focus: { x: 0.5, y: 0.5 }, isPixelated: false },
  ...{ radii: NO_CORNERS, border: null, sideBorders: null },
});
