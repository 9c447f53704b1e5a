// The markers of the entries of lists (CSS Lists 3, 3): signs, numbers, words and pictures.

import type { CssElement } from '../css/selectors.ts';
import { PLAIN_NODE } from '../resolve/plain-node.ts';
import { PLAIN_TEXT } from '../resolve/plain-text.ts';
import type { CharacterStyle, Placement, SceneNode } from '../resolve/scene.ts';
import { type Counters, counterText, isKnownStyle, isSymbol, markerText } from '../text/counters.ts';
import { imageNode } from './backgrounds.ts';
import type { BlockFlow, FlowBuilder } from './block-flow.ts';
import type { BoxContext, KnownText, PartCascades } from './box-context.ts';
import { stringOf } from './generated-content.ts';
import { InlineRun } from './inline-run.ts';
import { IN_FLOW, innerBlock, NO_CORNERS, NO_EDGES, px } from './placement.ts';
import { evenly } from './shorthands.ts';
import type { Style } from './style.ts';
import { characterStyle } from './text-style.ts';

/** What a marker asks of whoever builds the page. */
interface MarkerBuilder extends FlowBuilder {
  readonly counters: Counters;
  readonly parts: PartCascades;
  generatedBy(style: Style): readonly (CssElement | string)[];
  knownText(context: BoxContext, make: (of: KnownText['of']) => CharacterStyle): CharacterStyle;
}

/** The marker of an entry, before its words or beside them. */
export function addMarker(builder: MarkerBuilder, style: Style, flow: BlockFlow, context: BoxContext): void {
  const type = style.get('list-style-type') || 'disc';
  const picture = /^url\(\s*["']?([^"')]+)/i.exec(style.get('list-style-image'))?.[1];
  const quotedText = /^["']/.test(type) ? stringOf(type) : undefined;
  const part = style.pseudo(builder.parts.marker);
  const content = part.get('content');
  if (/^none$/i.test(content) || (type === 'none' && !picture && (content === '' || /^normal$/i.test(content)))) return;
  const own = { ...context, style: part };
  const number = builder.counters.of('list-item').at(-1) ?? 0;
  const isSign = isSymbol(type);
  if (quotedText === undefined && !picture && !isKnownStyle(type)) style.lost('list-style-type', type);
  const words =
    content !== '' && !/^normal$/i.test(content)
      ? builder.generatedBy(part).join('')
      : quotedText !== undefined
        ? quotedText
        : isSign
          ? counterText(number, type)
          : markerText(number, type);
  const character = builder.knownText(own, ({ decorations, lang }) => characterStyle(part, decorations, lang, true));
  const inLine = builder.wordsOf(own, context);
  const size = bulletSize(character.fontSize);
  const isTriangle = type.startsWith('disclosure-');
  const { side, above, gap } = isTriangle ? { side: character.fontSize * 0.66, above: 0, gap: 0 } : size;
  const sign = isSign && quotedText === undefined && content === '' ? bulletOf(type, part, side) : null;
  const name = `${context.prefix}marker`;
  const key = picture && builder.needs.addImage({ sources: [picture], layer: name, optional: true, focus: null });
  const image = key ? { ...imageNode(name, key), alt: '' } : null;
  const inFlow = (node: SceneNode, right: number): SceneNode => ({
    ...node,
    placement: {
      ...IN_FLOW,
      margin: { ...NO_EDGES, right, bottom: node === sign ? above : 0 },
      ...(node === sign && { width: px(side), height: px(side) }),
    },
  });
  if (style.word('list-style-position') === 'inside') {
    const beside = isTriangle ? character.fontSize * 0.4 : character.fontSize + 1;
    const shown = image ? inFlow(image, 7) : sign && inFlow(sign, beside);
    if (shown) flow.atom(shown, 'baseline', inLine);
    else flow.words(words, { ...inLine, whiteSpace: 'pre-wrap' });
    return;
  }
  const direction = style.word('direction') === 'rtl' ? 'rtl' : 'ltr';
  const placed = (gap: number): Placement => {
    const outside = { kind: 'percent', value: 100, plus: gap } as const;
    const inset = { ...evenly(null), [direction === 'rtl' ? 'left' : 'right']: outside };
    return { ...PLAIN_NODE.placement, isMarker: true, inset };
  };
  if (image) {
    flow.aside({ ...image, placement: placed(7) });
    return;
  }
  const run = new InlineRun();
  if (sign) run.box(inFlow(sign, 0), 'baseline', inLine);
  else run.add(words.replace(/ $/, '\u00a0'), { ...inLine, whiteSpace: 'pre' });
  builder.needs.addText(name, { text: sign ? '' : words, style: character });
  const line = { ...PLAIN_NODE, ...PLAIN_TEXT, direction, name, spans: run.ended(), strut: character } as const;
  flow.aside(
    sign
      ? innerBlock(name, [{ ...line, placement: IN_FLOW }], placed(gap))
      : { ...line, strut: builder.textOf(context), placement: placed(0) },
  );
}

/**
 * A sign as Chromium measures it by the ascent of its font, which here is the size of its letters, px: its side, how far it is
 * above the baseline, and from the words if it is outside.
 */
function bulletSize(fontSize: number): { readonly side: number; readonly above: number; readonly gap: number } {
  const ascent = Math.round(fontSize);
  const high = Math.floor((ascent * 2) / 3);
  const side = Math.floor((high + 1) / 2);
  return { side, above: ascent - Math.floor((3 * (ascent - high)) / 2) - side, gap: high + 7 - side };
}

/** The signs of what opens and closes, as Chromium draws them, in a square. */
const TRIANGLES: Readonly<Record<string, readonly number[]>> = {
  'disclosure-open': [0, 0.07, 0.5, 0.93, 1, 0.07],
  'disclosure-closed': [0.07, 0, 0.93, 0.5, 0.07, 1],
};

/** @param side px */
function bulletOf(type: string, { color }: Style, side: number): SceneNode {
  const isOpen = type === 'circle';
  const at = TRIANGLES[type]?.map((share) => share * side);
  const triangle = at && [0, 2, 4].map((i) => ({ x: at[i] ?? 0, y: at[i + 1] ?? 0 }));
  return {
    ...PLAIN_NODE,
    ...{
      name: 'bullet',
      type: 'shape',
      outline: triangle
        ? { kind: 'polygon', points: triangle }
        : type === 'square'
          ? { kind: 'rect', radii: NO_CORNERS }
          : { kind: 'ellipse' },
    },
    ...{ fill: isOpen ? null : { kind: 'solid', color }, fillRule: 'nonzero' },
    stroke: isOpen ? { fill: { kind: 'solid', color }, width: 1, dash: [], cap: 'butt', join: 'miter' } : null,
  };
}
