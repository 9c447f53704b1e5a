// Pictures and drawings of a page, and what has their place where nothing is shown (CSS 2, 10.3.2; CSS Images 3, 5).

import type { Cascade } from '../css/cascade.ts';
import { type CssElement, isElement } from '../css/selectors.ts';
import { PLAIN_NODE } from '../resolve/plain-node.ts';
import type { ImageNode, Placement, SceneNode } from '../resolve/scene.ts';
import { imageNode } from './backgrounds.ts';
import type { FlowBuilder } from './block-flow.ts';
import type { BoxContext, Framed, Where } from './box-context.ts';
import { isFilled, isPixelated, positionOf } from './paint-style.ts';
import { IN_FLOW, NO_CORNERS, NO_EDGES, px, rigidOf, type Surroundings } from './placement.ts';
import { keyword, type Style } from './style.ts';

/** What a picture asks of whoever builds the page. */
interface PictureBuilder extends Pick<FlowBuilder, 'needs' | 'nameOf' | 'lookOf'> {
  readonly cascade: Cascade<CssElement>;
  readonly options: { readonly sourceOf: (element: CssElement) => string | null };
  placementOf(style: Style, where: Surroundings): Placement;
  readonly framed: Framed;
}

const FITS = ['cover', 'contain', 'none', 'scale-down'] as const;

/** The node of an element that is replaced: a picture, or what takes its place. */
export function pictureNode(
  builder: PictureBuilder,
  element: CssElement,
  style: Style,
  context: BoxContext,
  where: Where,
): SceneNode | null {
  const source = builder.options.sourceOf(
    element.name === 'svg' ? styledDrawing(element, style, builder.cascade) : element,
  );
  const name = builder.nameOf(element, context);
  if (source === null) {
    // What shows nothing still takes its place.
    const frame = builder.framed(style, name, { type: 'block', isRoot: true }, [], context, { ...where, fills: false });
    if (!/^(video|canvas|iframe|object|embed)$/.test(element.name)) return frame;
    const { placement } = frame;
    const { padding, borders } = builder.lookOf(style);
    const rigid = rigidOf(padding, borders);
    const side = (own: Placement['width'], initial: number) => (own.kind === 'hug' ? px(initial) : own);
    return {
      ...frame,
      clip: true,
      placement: {
        ...placement,
        width: side(placement.width, 300 + rigid.width),
        height: side(placement.height, 150 + rigid.height),
      },
    };
  }
  const { padding, borders, borderImage, background, shadows, radii, fragmentation, ...look } = builder.lookOf(style);
  const { translate, ...effects } = look.effects;
  const isFramed =
    isFilled(background) ||
    Object.values(padding).some((side) => side > 0) ||
    shadows.length > 0 ||
    effects.filters !== null;
  const optional = !element.attributes.has('data-required');
  const key = builder.needs.addImage({ sources: [source], layer: name, optional, focus: null });
  const [x, y] = positionOf(style.get('object-position') || '50% 50%', style);
  const own = builder.placementOf(style, { ...where, rigid: rigidOf(isFramed ? padding : NO_EDGES, borders) });
  const placement = where.within === 'flex' ? unshrunk(own, style) : own;
  // What stands in a drawing without a `viewBox` is where it says.
  const isBare = element.name === 'svg' && ![...element.attributes.keys()].some((each) => /^viewbox$/i.test(each));
  const image: ImageNode = {
    ...imageNode(name, key),
    ...effects,
    ...borders,
    isReplaced: true,
    radii,
    opacity: style.word('visibility') === 'hidden' ? 0 : effects.opacity,
    fit: isBare ? 'none' : keyword(style.word('object-fit'), FITS, 'fill'),
    focus: isBare ? { x: 0, y: 0 } : { x: x.percent / 100, y: y.percent / 100 },
    ...((x.px !== 0 || y.px !== 0) && { shift: { x: x.px, y: y.px } }),
    isPixelated: isPixelated(style),
    link: context.link,
    alt: element.attributes.get('alt') ?? null,
    fragmentation,
    placement: { ...placement, ...(translate && { translate }) },
  };
  if (borderImage) style.lost('border-image', 'of a picture');
  if (!isFramed) return image;
  // It is as large as the frame around it, which has the limits.
  const bounded = {
    ...{ margin: null, padding: null, width: null, height: null, flexBasis: null, minWidth: null, minHeight: null },
    ...{ maxWidth: { kind: 'percent', value: 100 } as const, maxHeight: null },
  };
  const rigid = rigidOf(padding, borders);
  const inside = (limit: number | null, by: number) => (limit === null ? null : Math.max(0, limit - by));
  const inner: ImageNode = {
    ...image,
    ...PLAIN_NODE,
    ...{ alt: image.alt, link: image.link, opacity: style.word('visibility') === 'hidden' ? 0 : 1 },
    ...{ border: null, sideBorders: null, radii: NO_CORNERS, fragmentation: null },
    placement: {
      ...IN_FLOW,
      width: placement.width.kind === 'hug' ? { kind: 'hug' } : { kind: 'percent', value: 100 },
      height:
        placement.height.kind === 'hug'
          ? { kind: 'hug' }
          : placement.height.kind === 'px' && placement.width.kind === 'hug'
            ? px(Math.max(0, placement.height.value - rigid.height))
            : { kind: 'percent', value: 100 },
      ...(placement.width.kind === 'hug' && { relative: bounded, minWidth: inside(placement.minWidth, rigid.width) }),
      maxHeight: inside(placement.maxHeight, rigid.height),
    },
  };
  const frame = builder.framed(style, name, { type: 'block', isRoot: true }, [inner], context, {
    ...where,
    fills: false,
  });
  const { minWidth, minHeight } = placement;
  return { ...frame, placement: { ...frame.placement, minWidth, minHeight } };
}

/** What style sheets say of the parts of a drawing (SVG 2, 6.6). */
const PAINTED =
  /^(fill|stroke|stop|flood|lighting)(-[a-z]+)*$|^(color|opacity|display|visibility|paint-order|clip-rule|text-anchor|font-(family|size|weight|style)|letter-spacing|transform|transform-origin|transform-box)$/;
const INHERITED_PAINT = ['fill', 'stroke', 'stroke-width'];

/** A drawing in the page with what the page's style sheets say of its parts, and the colour around it. */
function styledDrawing(element: CssElement, style: Style, cascade: Cascade<CssElement>): CssElement {
  const styled = (each: CssElement): CssElement => {
    const attributes = new Map(each.attributes);
    const own = [...cascade.namesOf(each)].flatMap((name) => {
      const value = PAINTED.test(name) ? cascade.declared(each, name) : null;
      return value === null ? [] : [`${name}:${value}`];
    });
    if (own.length > 0) attributes.set('style', [...own, each.attributes.get('style') ?? ''].join(';'));
    return {
      ...each,
      attributes,
      children: each.children.map((child) => (isElement(child) ? styled(child) : child)),
    };
  };
  const { r, g, b, a } = style.color;
  const root = styled(element);
  const given = INHERITED_PAINT.flatMap((name) => {
    const value = cascade.inherited(element, name);
    return value === null ? [] : [`${name}:${value}`];
  });
  // What the picture as a whole has is not to be in it once more.
  const whole = ['opacity:1', 'transform:none'].filter((each) => style.declares(each.split(':')[0] ?? ''));
  const around = [`color:rgb(${r} ${g} ${b} / ${a})`, ...given, root.attributes.get('style') ?? '', ...whole].join(';');
  return { ...root, attributes: new Map([...root.attributes, ['style', around]]) };
}

/** CSS Flexbox 1, 4.5: a picture does not shrink below the size that is given, unless a minimum is, too. */
function unshrunk(placement: Placement, style: Style): Placement {
  const least = (own: number | null, side: 'width' | 'height', most: number | null) => {
    const size = placement[side];
    if (own !== null || size.kind !== 'px' || !/^(|auto)$/.test(style.word(`min-${side}`))) return own;
    return most === null ? size.value : Math.min(size.value, most);
  };
  return {
    ...placement,
    minWidth: least(placement.minWidth, 'width', placement.maxWidth),
    minHeight: least(placement.minHeight, 'height', placement.maxHeight),
  };
}
