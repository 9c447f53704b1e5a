// Lays out a QR code or barcode in its box: its modules, and what is printed below them.

import type { Rect } from '../geometry.ts';
import { PLAIN_TEXT } from '../resolve/plain-text.ts';
import type { CodeModules, CodeNode, DigitGroup, DigitPlaces, TextNode, TextSpan } from '../resolve/scene.ts';
import type { Paragraph } from '../text/paragraph.ts';
import type { CodeBox } from './box.ts';

/** What a code is made of. */
export interface CodeContents {
  readonly modules: (node: CodeNode) => CodeModules;
  /** Its caption as one centred line that shrinks rather than wraps; null = it has none. */
  readonly caption: (node: CodeNode) => TextNode | null;
  /** A text in a box of this width, px. */
  readonly paragraph: (node: TextNode, size: { readonly width: number; readonly height: null }) => Paragraph;
}

export function captionText(code: CodeNode, span: NonNullable<CodeNode['caption']>): TextNode {
  return {
    ...code,
    ...PLAIN_TEXT,
    spans: [span],
    strut: span.style,
    align: 'center',
    verticalAlign: 'bottom',
    hyphens: 'manual',
    maxLines: 1,
    autoFitMin: 1,
  };
}

/** @param reportMissing receives letters of the caption that no font has */
export function codeBox(
  node: CodeNode,
  rect: Rect,
  contents: CodeContents,
  reportMissing: (missing: readonly string[]) => void = () => undefined,
): CodeBox {
  const modules = contents.modules(node);
  const text = contents.caption(node);
  const box = { kind: 'code', node, rect, modules, guards: null } as const;
  if (!text || !node.caption) return { ...box, area: fitModules(node, modules, rect), captions: [] };
  if (node.digits) {
    const placed = withDigits(box, node.caption, node.digits, contents);
    if (placed) return placed;
  }
  const paragraph = contents.paragraph(text, { width: rect.width, height: null });
  reportMissing(paragraph.missing);
  const height = Math.min(rect.height, paragraph.size.height);
  const above = { ...rect, height: rect.height - height };
  const content = { ...rect, y: rect.y + above.height, height };
  const area = fitModules(node, modules, above);
  return { ...box, area, captions: [{ span: node.caption, paragraph, content }] };
}

/** A code with its digits below the bars and beside them; null if its quiet zone is too narrow for those. */
function withDigits(
  box: Pick<CodeBox, 'kind' | 'node' | 'rect' | 'modules'>,
  span: TextSpan,
  { columns, guards, inner, outer, outerSize }: DigitPlaces,
  contents: CodeContents,
): CodeBox | null {
  const { node, rect, modules } = box;
  const quiet = (modules.columns - columns) / 2;
  if (outer.some(({ from, to }) => from < -quiet || to > columns + quiet)) return null;
  const module = rect.width / modules.columns;
  const lineOf = (group: DigitGroup, fontSize: number) => {
    const text = { ...span, text: group.text, style: { ...span.style, fontSize } };
    const width = (group.to - group.from) * module;
    return {
      span: text,
      width,
      paragraph: contents.paragraph(captionText(node, text), { width, height: null }),
    };
  };
  // All are as large as the group that has the least room.
  const { fontSize } = span.style;
  const scales = inner.map((group) => lineOf(group, fontSize).paragraph.scale);
  const size =
    fontSize * Math.min(...scales, ...outer.map((group) => lineOf(group, fontSize * outerSize).paragraph.scale));
  const lines = [
    ...inner.map((group) => ({ group, ...lineOf(group, size) })),
    ...outer.map((group) => ({ group, ...lineOf(group, size * outerSize) })),
  ];
  const height = Math.min(rect.height, lines[0]?.paragraph.size.height ?? 0);
  const area = { ...rect, height: rect.height - height };
  const base = lines[0]?.paragraph.lines[0]?.baseline ?? 0;
  const captions = lines.map(({ group, span, width, paragraph }) => {
    const rise = base - (paragraph.lines[0]?.baseline ?? 0);
    const content = { x: rect.x + (quiet + group.from) * module, y: rect.y + area.height + rise, width, height };
    return { span, paragraph, content };
  });
  return {
    ...box,
    area,
    captions,
    guards: {
      columns: guards.map(([from, to]) => [from + quiet, to + quiet] as const),
      below: Math.min(GUARD * module, height / 2),
    },
  };
}

/** Modules that guard bars are longer than the others (GS1 General Specifications, 5.2.1). */
const GUARD = 5;

/** Square modules keep their proportions, centred in `room`; bars fill it. */
function fitModules({ square }: CodeNode, modules: CodeModules, room: Rect): Rect {
  if (!square) return room;
  const scale = Math.min(room.width / modules.columns, room.height / modules.rows);
  const width = modules.columns * scale;
  const height = modules.rows * scale;
  return { x: room.x + (room.width - width) / 2, y: room.y + (room.height - height) / 2, width, height };
}
