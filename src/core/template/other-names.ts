// Names that other tools, CSS and SVG have for what a template calls otherwise: nothing in their letters would lead from
// one to the other. They are suggested, never taken.

import { nearestName } from '../nearest-name.ts';

/** By our own name. Those of layer types and shapes too: no property is called so. */
const OTHERS: Readonly<Record<string, string>> = {
  align: 'textAlign textAlignment alignment horizontalAlign hAlign',
  verticalAlign: 'vAlign verticalAlignment',
  text: 'content value string label heading title paragraph textbox txt',
  src: 'url href image imageUrl image_url source',
  link: 'url href',
  value: 'data content text',
  color: 'fill fontColor textColor foreground',
  fill: 'color backgroundColor background',
  background: 'backgroundColor bgColor fill',
  fontFamily: 'font typeface',
  fontSize: 'size textSize',
  fontWeight: 'weight bold',
  fontStyle: 'italic',
  letterSpacing: 'tracking charSpacing',
  lineHeight: 'leading',
  maxLines: 'lineClamp lines',
  borderRadius: 'radius cornerRadius rx',
  rotation: 'angle rotate',
  flip: 'mirror flipX flipY scaleX scaleY',
  fit: 'objectFit resizeMode scaleMode',
  focus: 'objectPosition gravity',
  shadow: 'boxShadow textShadow dropShadow',
  stroke: 'outline borderColor',
  strokeWidth: 'borderWidth outlineWidth',
  blendMode: 'mixBlendMode globalCompositeOperation',
  visible: 'hidden isVisible show',
  clip: 'overflow clipContent',
  offset: 'at position stop',
  layers: 'elements objects children nodes items',
  children: 'elements objects layers nodes items',
  name: 'id key',
  x: 'left',
  y: 'top',
  shape: 'rectangle rect box ellipse circle oval line polygon star path svg vector',
  image: 'img picture photo icon logo',
  frame: 'group container box stack div view flex grid artboard row column',
  qr: 'qrcode',
  barcode: 'code128 ean ean13',
  chart: 'graph plot',
};

/** Our names by another's, in lower case. */
const OURS: ReadonlyMap<string, readonly string[]> = Object.entries(OTHERS).reduce((all, [name, others]) => {
  for (const other of others.toLowerCase().split(' ')) all.set(other, [...(all.get(other) ?? []), name]);
  return all;
}, new Map<string, string[]>());

/** The known name that is meant by one that is unknown: another tool's word for it, or a likely misspelling; or null. */
export function meantName(name: string, known: readonly string[]): string | null {
  const ours = OURS.get(
    name
      .toLowerCase()
      .replace(/[-_\s]/g, '')
      .slice(0, 100),
  );
  return ours?.find((each) => known.includes(each)) ?? nearestName(name, known);
}
