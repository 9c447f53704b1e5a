// Lays the fixtures out in Chromium and records in recorded.json where each line breaks and where it is.
//
// Run by hand when fixtures change, then format: CHROMIUM_PATH=… node test/core/text/chromium/record.ts. The tests only
// read the record.

import type { CharacterStyle } from '#core/resolve/scene.ts';
import { recordInChromium } from '../../../record-in-chromium.ts';
import type { FaceName } from '../faces.ts';
import { FIXTURES, type Fixture } from './fixtures.ts';
import type { Recorded } from './recorded.ts';

/** 1 × 1, transparent. */
const PIXEL = 'data:image/gif;base64,R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw==';
const escapeHtml = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
const families = (names: readonly string[]) => names.map((name) => `"platen ${name}"`).join(',');

function html({ width, spans, strut, align, direction, ...lines }: Fixture): string {
  const css = (style: CharacterStyle) =>
    [
      `font:${style.fontSize}px/${style.lineHeight} ${families(style.font.families)}`,
      `letter-spacing:${style.letterSpacing}px`,
      `word-spacing:${style.wordSpacing}px`,
      `text-transform:${style.textTransform}`,
      `font-feature-settings:${
        Object.entries(style.features)
          .map(([tag, value]) => `'${tag}' ${value}`)
          .join(',') || 'normal'
      }`,
    ].join(';');
  const block = [
    css(strut),
    'white-space:pre-wrap;position:absolute;left:0;top:0',
    `line-break:${lines.lineBreak};word-break:${lines.wordBreak};overflow-wrap:${lines.overflowWrap};text-indent:${lines.textIndent}px`,
    `inline-size:${width}px;writing-mode:${lines.writingMode};text-orientation:${lines.textOrientation};text-align:${align};text-wrap:${lines.textWrap};hyphens:${lines.hyphens}`,
    direction === 'auto' ? 'unicode-bidi:plaintext' : `direction:${direction}`,
  ].join(';');
  const lang = spans[0]?.style.lang ?? 'en';
  const inline = spans.map(({ image, text, style }) =>
    image
      ? `<img src="${PIXEL}" style="width:${image.width}px;height:${image.height}px;vertical-align:${image.align}">`
      : `<span style="${css(style).replaceAll('"', '&quot;')}">${escapeHtml(text)}</span>`,
  );
  return `<div lang="${lang}" style="${block.replaceAll('"', '&quot;')}">${inline.join('')}</div>`;
}

await recordInChromium(
  import.meta.dirname,
  FIXTURES.flatMap(({ spans }) => spans.flatMap(({ style }) => style.font.families as FaceName[])),
  '',
  FIXTURES.map((fixture) => ({ name: fixture.name, markup: html(fixture) })),
  measure,
);

function measure(main: HTMLElement): Recorded {
  const block = main.firstElementChild;
  if (!block) throw new Error('The markup has no block.');

  // Vertical lines are measured as if turned back to horizontal: their right side becomes the top.
  const { right: blockRight, width: blockWidth, height: blockHeight } = block.getBoundingClientRect();
  const isVertical = getComputedStyle(block).writingMode !== 'horizontal-tb';
  const turnedBack = ({ x, y, width, height, right }: DOMRect) =>
    isVertical ? new DOMRect(y, blockRight - right, height, width) : new DOMRect(x, y, width, height);

  // A line consists of the characters whose rectangles (as tall as their content areas) overlap by more than half.
  const lines: { start: number; end: number; top: number; bottom: number; left: number; right: number }[] = [];
  let offset = 0;
  for (const span of block.children) {
    const node = span.firstChild;
    const text = node instanceof Text ? node.data : '\ufffc';
    let start = 0;
    for (const character of text) {
      const end = start + character.length;
      const range = document.createRange();
      if (node) {
        range.setStart(node, start);
        range.setEnd(node, end);
      } else range.selectNode(span);
      const rect = [...range.getClientRects()].map(turnedBack).at(-1);
      let line = lines.at(-1);
      if (rect && line) {
        const overlap = Math.min(line.bottom, rect.bottom) - Math.max(line.top, rect.top);
        if (overlap < Math.min(line.bottom - line.top, rect.height) / 2) line = undefined;
      }
      if (!line) {
        const { top = 0, bottom = 0 } = rect ?? {};
        line = { start: offset + start, end: offset + end, top, bottom, left: Infinity, right: -Infinity };
        lines.push(line);
      }
      line.end = offset + end;
      if (rect && rect.width > 0 && !/^\s$/.test(character)) {
        line.left = Math.min(line.left, rect.left);
        line.right = Math.max(line.right, rect.right);
      }
      start = end;
    }
    offset += text.length;
  }
  const round = (value: number) => (Number.isFinite(value) ? Math.round(value * 1000) / 1000 : null);
  return {
    height: round(isVertical ? blockWidth : blockHeight) ?? 0,
    lines: lines.map((line) => ({
      start: line.start,
      end: line.end,
      top: round(line.top) ?? 0,
      left: round(line.left),
      right: round(line.right),
    })),
  };
}
