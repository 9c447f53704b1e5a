// Forms: the legend of a fieldset, the words that fields show, and what browsers draw of them where no style sheet does
// (HTML, 15.5; CSS Basic User Interface 4, 7.2). Sizes and colours are Chromium's.

import { BLACK } from '../color.ts';
import { parseCssColor } from '../css/css-color.ts';
import type { CssElement } from '../css/selectors.ts';
import type { PathData } from '../path.ts';
import { PLAIN_FRAME, PLAIN_NODE, plainFlex } from '../resolve/plain-node.ts';
import { resolveCorners } from '../resolve/resolve-style.ts';
import type { Fill, FrameNode, Placement, SceneNode, ShapeNode } from '../resolve/scene.ts';
import type { bordersOf } from './paint-style.ts';
import { IN_FLOW, NO_EDGES, px, sideWidths } from './placement.ts';
import { eachSide, evenly, SIDES } from './shorthands.ts';
import type { Style } from './style.ts';
import { wordsIn } from './user-agent.ts';

const FIELDS = /^(input|textarea|select|button|progress|meter)$/;
export const isField = ({ name }: CssElement): boolean => FIELDS.test(name);

const typeOf = ({ attributes }: CssElement): string => attributes.get('type')?.toLowerCase() ?? 'text';

/** Types of `<input>` that show no words. */
const WITHOUT_WORDS = /^(checkbox|radio|range|color|image)$/;
/** Types in which nothing can be written, or not just any words. */
const CHOSEN = /^(button|submit|reset|hidden|file|date|time|month|week|datetime-local)$/;

/** The words that stand in a field until something is written; null = none, or something is. */
export function hintOf(element: CssElement): string | null {
  const { name, attributes } = element;
  const isEmpty = name === 'textarea' ? wordsIn(element) === '' : name === 'input' && !attributes.get('value');
  const type = typeOf(element);
  const isWritten = name === 'textarea' || !(WITHOUT_WORDS.test(type) || CHOSEN.test(type));
  return (isEmpty && isWritten && attributes.get('placeholder')) || null;
}

/** The words that a field of a form shows; null = those that are in it. */
export function fieldText(element: CssElement): string | null {
  const { name, attributes } = element;
  if (name === 'progress' || name === 'meter') return null;
  if (name === 'input') {
    const type = typeOf(element);
    if (WITHOUT_WORDS.test(type)) return null;
    if (type === 'submit' || type === 'reset')
      return attributes.get('value') ?? (type === 'submit' ? 'Submit' : 'Reset');
    if (type === 'password') return '•'.repeat((attributes.get('value') ?? '').length);
    return attributes.get('value') ?? '';
  }
  if (name === 'select') {
    const options = optionsOf(element);
    const chosen = options.find((each) => each.attributes.has('selected')) ?? options[0];
    return (chosen?.children ?? [])
      .filter((each) => typeof each === 'string')
      .join('')
      .trim();
  }
  return null;
}

const optionsOf = ({ children }: CssElement): readonly CssElement[] =>
  children.flatMap((each) =>
    typeof each === 'string' ? [] : each.name === 'option' ? [each] : each.name === 'optgroup' ? optionsOf(each) : [],
  );

/** Whether words stand in the middle of a field. */
export const isOfWords = (element: CssElement): boolean =>
  /^(select|button)$/.test(element.name) || (element.name === 'input' && !WITHOUT_WORDS.test(typeOf(element)));

/** How far below the baseline a field without words reaches, px: its margin, and of a colour's what is below the colour. */
export function dropOf(style: Style): number {
  const { element } = style;
  if (element.name !== 'input' || isOfWords(element)) return 0;
  return style.px('margin-bottom') + (typeOf(element) === 'color' ? 6 : 0);
}

/** The size of a field that none is given, px of its content; null = it is that of its words. */
export function fieldSize(style: Style): {
  readonly width: number | null;
  readonly height: number | null;
} {
  const { element, fontSize } = style;
  const { name } = element;
  const count = (attribute: string, initial: number) =>
    Math.max(1, Number.parseInt(element.attributes.get(attribute) ?? '', 10) || initial);
  if (name === 'textarea') {
    const line =
      style.px('line-height') || Math.round(fontSize * (/mono/i.test(style.get('font-family')) ? 1.32 : 1.21));
    return {
      width:
        count('cols', 20) * Math.round((/mono|courier/i.test(style.get('font-family')) ? 0.6 : 0.65) * fontSize) + 15,
      height: count('rows', 2) * line,
    };
  }
  const isWritten =
    name === 'input' && !/^(checkbox|radio|range|color|image|button|submit|reset|hidden)$/.test(typeOf(element));
  return {
    width: isWritten ? count('size', 20) * Math.round(0.65 * fontSize) + Math.round(2.65 * fontSize) : null,
    height: null,
  };
}

const ACCENT = '#0075ff';
const OWN_FILLS = /^(#fff|#efefef|#0075ff|#cecece|rgb\(239 239 239 \/ 0\.3\))$/;
const OWN_EDGES = /^(#767676|#0075ff|#cecece|rgb\(118 118 118 \/ 0\.3\))$/;
const BARS = /^(progress|meter)$/;
/** How wide the handle of a slider is, px. */
const HANDLE = 16;
/** More than half of any box: its ends are half circles, px. */
const ROUND = 10_000;

/** Whether browsers draw a field themselves: a border or a background of the page's turns that off. */
function isDrawn(style: Style): boolean {
  const { element } = style;
  if (!isField(element) || style.word('appearance') === 'none') return false;
  const lines = SIDES.map((side) => style.word(`border-${side}-style`));
  const fill = style.get('background-color');
  if (BARS.test(element.name) || typeOf(element) === 'range')
    return fill === '' && lines.every((line) => /^(|none)$/.test(line));
  const hasOwnLines = SIDES.every((side) => OWN_EDGES.test(style.get(`border-${side}-color`)));
  return OWN_FILLS.test(fill) && hasOwnLines && lines.every((line) => line === 'solid');
}

type Edges = Pick<FrameNode, 'padding' | 'radii'> & { readonly borders: ReturnType<typeof bordersOf> };

/** Of the two px of a drawn field's border, one is seen. */
export function fieldEdges(style: Style, { borders, padding, radii }: Edges): Edges {
  const { border } = borders;
  if (border?.width !== 2 || !isDrawn(style)) return { borders, padding, radii };
  const { top, right, bottom, left } = padding;
  return {
    borders: { ...borders, border: { ...border, width: 1 } },
    padding: { top: top + 1, right: right + 1, bottom: bottom + 1, left: left + 1 },
    radii: resolveCorners(2),
  };
}

/** What is drawn in a field besides its words, and in a box that readers may resize, placed in its padding box. */
export const fieldParts = (style: Style): readonly SceneNode[] => [...partsOf(style), ...resizerOf(style)];

function partsOf(style: Style): readonly SceneNode[] {
  const { element } = style;
  const { name, attributes } = element;
  const type = name === 'input' ? typeOf(element) : name;
  if (!isField(element)) return [];
  if (!isDrawn(style)) {
    if (BARS.test(name) || type === 'range' || attributes.has('checked')) style.lost('appearance', `none of <${name}>`);
    return [];
  }
  if (/^(date|time|month|week|datetime-local|file|image)$/.test(type))
    style.lost('appearance', `auto of a field of ${type}`);
  if (type === 'checkbox' && attributes.has('checked')) return [TICK];
  if (type === 'radio' && attributes.has('checked'))
    return [ellipse(attributes.has('disabled') ? '#cecece' : ACCENT, inset(DOT, DOT, DOT, DOT))];
  if (type === 'select') return attributes.has('multiple') ? [] : [ARROW];
  if (type === 'color') {
    const fill = solid(/^#[0-9a-f]{6}$/i.exec(attributes.get('value') ?? '')?.[0] ?? '#000');
    return [box(fill, inset(px(4), px(2), px(4), px(2)), 0, '#777')];
  }
  if (type === 'progress') return bar(shareOf(element, 0, 1), ACCENT);
  if (type === 'meter') return bar(shareOf(element, 0, 1), meterColor(element), '#cbcbcb');
  if (type !== 'range') return [];
  const share = shareOf(element, 0, 100) ?? 0.5;
  const left: Side = { kind: 'percent', value: share * 100, plus: -share * HANDLE };
  const across = { kind: 'px', value: HANDLE } as const;
  const above: Side = { kind: 'percent', value: 50, plus: -HANDLE / 2 };
  const handle = ellipse(ACCENT, { ...inset(above, null, null, left), width: across, height: across });
  return [...bar(share, ACCENT), handle];
}

const number = ({ attributes }: CssElement, name: string): number | null => {
  const value = Number.parseFloat(attributes.get(name) ?? '');
  return Number.isFinite(value) ? value : null;
};

/** HTML, 4.10.5.1.13, 4.10.13 and 4.10.14: how far between its limits a value is, 0 to 1; null = there is none. */
function shareOf(element: CssElement, least: number, most: number): number | null {
  const value = number(element, 'value');
  const min = element.name === 'progress' ? 0 : (number(element, 'min') ?? least);
  const max = number(element, 'max') ?? most;
  if (value === null || max <= min) return null;
  return Math.min(1, Math.max(0, (value - min) / (max - min)));
}

/** HTML, 4.10.14: green in the region of the optimum, yellow beside it, red in the one beyond. */
function meterColor(element: CssElement): string {
  const [min, max] = [number(element, 'min') ?? 0, number(element, 'max') ?? 1];
  const low = Math.max(min, number(element, 'low') ?? min);
  const high = Math.max(low, Math.min(max, number(element, 'high') ?? max));
  const regionOf = (value: number) => (value < low ? 0 : value > high ? 2 : 1);
  const away = Math.abs(
    regionOf(number(element, 'value') ?? 0) - regionOf(number(element, 'optimum') ?? (min + max) / 2),
  );
  return ['#107c10', '#ffb900', '#d83b01'][away] ?? '';
}

type Side = NonNullable<NonNullable<Placement['inset']>['top']>;

const solid = (color: string): Fill => ({ kind: 'solid', color: parseCssColor(color, BLACK) ?? BLACK });
const inset = (top: Side | null, right: Side | null, bottom: Side | null, left: Side | null): Placement => ({
  ...PLAIN_NODE.placement,
  inset: { top, right, bottom, left },
});

/** @param edge the colour of a line of one px in it; null = it has none */
const box = (fill: Fill | null, placement: Placement, radius: number, edge: string | null = null): FrameNode => ({
  ...PLAIN_FRAME,
  ...{ name: 'field part', background: fill, placement, radii: resolveCorners(radius) },
  border: edge === null ? null : { color: parseCssColor(edge, BLACK) ?? BLACK, width: 1, style: 'solid' },
});

const shape = (outline: ShapeNode['outline'], placement: Placement, look: Partial<ShapeNode>): ShapeNode => ({
  ...PLAIN_NODE,
  ...{ name: 'field part', type: 'shape', fill: null, fillRule: 'nonzero', stroke: null, outline, placement, ...look },
});
const polygon = (...points: readonly (readonly [number, number])[]): PathData => [
  ...points.map(([x, y], i) => [i === 0 ? 'M' : 'L', x, y] as const),
  ['Z'],
];
const ellipse = (color: string, placement: Placement) => shape({ kind: 'ellipse' }, placement, { fill: solid(color) });

/** A tick from a fifth to four fifths of the box, a sixth of it thick; the viewBox is that inside a border of a thirteenth. */
const TICK = shape(
  {
    kind: 'path',
    path: polygon([25.7, 44.3], [39.3, 58], [73.8, 15], [86.3, 25], [40.7, 82], [14.3, 55.7]),
    viewBox: { x: 100 / 13, y: 100 / 13, width: 1100 / 13, height: 1100 / 13 },
  },
  inset(px(0), px(0), px(0), px(0)),
  { fill: solid('#fff') },
);
/** A fifth of the box inside its border. */
const DOT: Side = { kind: 'percent', value: 100 * (1.6 / 11) };
/** Two px thick, at the end of the field. */
const ARROW = shape(
  { kind: 'path', path: polygon([1.4, 0], [4.5, 3.1], [7.6, 0], [9, 1.4], [4.5, 5.9], [0, 1.4]), viewBox: null },
  {
    ...inset({ kind: 'percent', value: 50, plus: -3 }, px(3), null, null),
    ...{ width: px(9), height: px(6) },
  },
  { fill: solid('#000') },
);

/** The corner by which a box is resized (CSS Basic User Interface 4, 4.1): two lines, each a dark and a light one. */
function resizerOf(style: Style): readonly SceneNode[] {
  if (/^(|none)$/.test(style.word('resize'))) return [];
  if (style.word('overflow-x') === 'visible' && style.word('overflow-y') === 'visible') return [];
  const isRtl = style.word('direction') === 'rtl';
  const corner = isRtl ? inset(null, null, px(2), px(2)) : inset(null, px(2), px(2), null);
  const lines = (color: string, ...from: readonly number[]) => {
    const path = from.flatMap(
      (at): PathData => [
        ['M', isRtl ? 0 : 7, at],
        ['L', isRtl ? 7 - at : at, 7],
      ],
    );
    const stroke = { fill: solid(color), width: 1, dash: [], cap: 'butt', join: 'miter' } as const;
    return shape({ kind: 'path', path, viewBox: null }, { ...corner, width: px(7), height: px(7) }, { stroke });
  };
  return [lines('rgb(255 255 255 / 0.6)', 1, 5), lines('rgb(0 0 0 / 0.6)', 0, 4)];
}

/** Half as high as the field, in its middle, with an edge over what it is filled with. */
function bar(share: number | null, color: string, edge = 'rgb(118 118 118 / 0.5)'): readonly SceneNode[] {
  const quarter = { kind: 'percent', value: 25 } as const;
  const whole = inset(px(0), px(0), px(0), px(0));
  const filled = {
    ...inset(px(0), null, px(0), px(0)),
    width: { kind: 'percent', value: (share ?? 0) * 100 } as const,
  };
  const parts = [...(share === null ? [] : [box(solid(color), filled, 0)]), box(null, whole, ROUND, edge)];
  return [{ ...box(solid('#efefef'), inset(quarter, px(0), quarter, px(0)), ROUND), clip: true, children: parts }];
}

/** Above what is in it, a row with the legend between two pieces of the border, which its sides go up to. */
export function fieldsetOf(
  frame: FrameNode,
  { padding, borders, radii }: Edges,
  legend: SceneNode,
  nodes: readonly SceneNode[],
  positions: readonly SceneNode[],
): FrameNode {
  const lines = borders.sideBorders ?? evenly(borders.border);
  const widths = sideWidths(borders);
  const width = widths.top;
  const { margin, autoMargins } = legend.placement;
  const part = (name: string, sideBorders: FrameNode['sideBorders'], own: Partial<Placement>): FrameNode => ({
    ...{ ...PLAIN_FRAME, name, sideBorders },
    placement: { ...IN_FLOW, ...own },
  });
  const beside = { alignSelf: 'center', height: px(width), margin: { ...margin, left: 0, right: 0 } } as const;
  const piece = (own: Partial<Placement>) => part('border', { ...evenly(null), top: lines.top }, { ...beside, ...own });
  const top = { kind: 'percent', value: 50, plus: (margin.top - margin.bottom - width) / 2 } as const;
  const around = { absolute: true, layer: 'background', inset: { ...evenly(px(0)), top } } as const;
  const { background } = frame;
  const { left, right } = eachSide((side) => padding[side] + widths[side]);
  const isAtEnd = autoMargins?.left && !autoMargins.right;
  const row: FrameNode = {
    ...{ ...part('legend', null, {}), layout: plainFlex('row') },
    children: [
      { ...part('sides', { ...lines, top: null, bottom: null }, around), background },
      piece(autoMargins?.left ? { flexGrow: 1, minWidth: left } : { width: px(left) }),
      { ...legend, placement: { ...legend.placement, flexShrink: 1, autoMargins: null } },
      piece(isAtEnd ? { width: px(right) } : { flexGrow: 1, minWidth: right }),
    ],
  };
  const body: FrameNode = {
    ...{ ...part('content', { ...lines, top: null }, { flexGrow: 1 }), background, padding },
    ...{ layout: { type: 'block', isRoot: true }, radii: { ...radii, topLeft: 0, topRight: 0 }, children: nodes },
  };
  return {
    ...{ ...frame, border: null, sideBorders: null, background: null, shadows: [], padding: NO_EDGES },
    children: [row, body, ...positions],
  };
}
