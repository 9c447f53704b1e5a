// Paints the marks of a chart: fills, lines and glyph runs, as every other layer is made of.

import { isSameRect, type Rect } from '../geometry.ts';
import { numberText } from '../resolve/format-value.ts';
import { PLAIN_NODE } from '../resolve/plain-node.ts';
import { PLAIN_TEXT } from '../resolve/plain-text.ts';
import type { CharacterStyle, ChartNode, TextNode } from '../resolve/scene.ts';
import type { ChartMark, ChartTools, Resources } from '../resources.ts';
import type { FontSet } from '../text/font-set.ts';
import { layOutText, prepareText } from '../text/lay-out-text.ts';
import type { PaintOp } from './display-list.ts';
import { clipped } from './group.ts';
import { paintLines } from './paint-text.ts';
import type { PaintResult } from './shadow.ts';
import type { View } from './view.ts';

const ROUND = { cap: 'round', join: 'round', miterLimit: 4, dash: [] } as const;
const NO_IMAGES: Resources['images'] = new Map();

/** What a chart is drawn with. */
export type ChartResources = Pick<Resources, 'fonts' | 'drawChart'>;

interface Drawn {
  readonly box: Rect;
  readonly marks: readonly ChartMark[];
}
/** By fonts and node, as a chart is searched for labels that are cut, and then painted. */
const drawn = new WeakMap<FontSet, WeakMap<ChartNode, Drawn>>();

/** The marks of a chart in its box; none where charts are not drawn. */
export function chartMarks(node: ChartNode, box: Rect, { fonts, drawChart }: ChartResources): readonly ChartMark[] {
  if (!drawChart) return [];
  const charts = drawn.get(fonts) ?? new WeakMap<ChartNode, Drawn>();
  drawn.set(fonts, charts);
  const known = charts.get(node);
  if (known && isSameRect(known.box, box)) return known.marks;
  const marks = drawChart(node, box, toolsOf(fonts));
  charts.set(node, { box, marks });
  return marks;
}

export function paintChart(node: ChartNode, box: Rect, resources: ChartResources, view: View): PaintResult {
  const { fonts } = resources;
  const ops = chartMarks(node, box, resources).flatMap((mark): readonly PaintOp[] => {
    if (mark.kind === 'label') {
      const { paragraph, span, origin, area } = mark;
      const space = { origin, vertical: false };
      const text = { paragraph, spans: [span], own: span.style, space, isCentred: false };
      return paintLines({ ...text, brushBox: area, fonts, images: NO_IMAGES, view });
    }
    const { kind, path } = mark;
    if (kind === 'stroke') {
      const brush = { kind: 'solid', color: mark.color } as const;
      return [{ kind, path, stroke: { width: mark.width, ...ROUND }, brush }];
    }
    const op = { kind, path, rule: 'nonzero', brush: mark.brush } as const;
    return mark.clip ? clipped([op], { path: mark.clip, rule: 'nonzero' }) : [op];
  });
  return { ops, caster: null };
}

function toolsOf(fonts: FontSet): ChartTools {
  const layOut = (text: string, style: CharacterStyle, most: number | null) => {
    const span = { text: text.replace(/\s+/g, ' '), style, link: null, counter: null, image: null };
    const cut = most === null ? {} : ({ maxLines: 1, overflow: 'ellipsis', overflowWrap: 'anywhere' } as const);
    const node: TextNode = { ...PLAIN_TEXT, ...PLAIN_NODE, ...cut, name: 'label', spans: [span], strut: style };
    return layOutText(prepareText(node, fonts), most, null);
  };
  const capitalOf = ({ font, fontSize }: CharacterStyle) =>
    (fonts.chain(font)[0]?.face.metrics.capHeight ?? 0) * fontSize;
  return { layOut, capitalOf, numberText };
}
