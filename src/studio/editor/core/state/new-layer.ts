// Builds the initial properties of new layers.

import type { Point, Rect } from '#core/geometry.ts';
import { texts } from '../../../texts/editor.ts';
import type { RawLayer } from '../document/document.ts';
import type { DrawingTool } from './mode.ts';

/** @param drawn the rectangle that was drawn; null = a click */
export function newLayer(tool: DrawingTool, drawn: Rect | null, from: Point, to: Point): RawLayer {
  const size = (width: number, height: number) => ({
    width: Math.max(1, drawn?.width ?? width),
    height: Math.max(1, drawn?.height ?? height),
  });
  switch (tool) {
    case 'text':
      return { type: 'text', name: 'text', text: '', fontSize: 32, ...(drawn && { width: Math.max(1, drawn.width) }) };
    case 'frame':
      return { type: 'frame', name: 'frame', ...size(320, 240), background: '#ffffff', children: [] };
    case 'rect':
      return { type: 'shape', name: 'rectangle', ...size(160, 120), fill: '#d9d9d9' };
    case 'ellipse':
      return { type: 'shape', name: 'ellipse', shape: 'ellipse', ...size(140, 140), fill: '#d9d9d9' };
    case 'polygon':
    case 'star':
      return { type: 'shape', name: tool, shape: tool, ...size(140, 140), fill: '#d9d9d9' };
    case 'line': {
      const { width, height } = size(200, 1);
      // From corner to corner, in the direction in which it was drawn.
      const rises = drawn !== null && (to.x - from.x) * (to.y - from.y) < 0;
      const points = rises
        ? {
            points: [
              [0, height],
              [width, 0],
            ],
          }
        : {};
      return {
        type: 'shape',
        name: 'line',
        shape: 'line',
        width,
        height: drawn ? height : 0,
        ...points,
        stroke: '#161616',
        strokeWidth: 2,
      };
    }
    case 'image':
      return { type: 'image', name: 'image', ...size(320, 240), src: '', optional: true };
    case 'table':
      return newTable(drawn?.width ?? 480);
    case 'chart':
      return { type: 'chart', name: 'chart', ...size(360, 220), data: newData() };
    case 'qr':
      return { type: 'qr', name: 'qr', ...square(size(160, 160)), value: 'https://example.com' };
    case 'barcode':
      return {
        type: 'barcode',
        name: 'barcode',
        ...size(240, 96),
        value: '4006381333931',
        format: 'ean13',
        showText: true,
      };
  }
}

/** Bars to be replaced by one's own. */
const newData = () => [12, 19, 15, 24].map((value, i) => ({ label: texts.value.canvas.quarter(i + 1), value }));

/** A short list with a total, to be replaced by one's own. */
function newTable(width: number): RawLayer {
  const format = { type: 'number', minimumFractionDigits: 2, maximumFractionDigits: 2 };
  const amount = { name: 'amount', format };
  return {
    type: 'table',
    name: 'table',
    width: Math.max(1, width),
    columns: ['fill', { width: 'hug', align: 'end' }, { width: 'hug', align: 'end' }],
    header: [texts.value.canvas.item, texts.value.canvas.quantity, texts.value.canvas.amount],
    row: [{ name: 'item' }, { name: 'quantity' }, amount],
    footer: [
      { text: texts.value.common.total, columnSpan: 2 },
      { calculate: { sum: 'amount' }, format },
    ],
    rows: [
      { item: texts.value.canvas.firstItem, quantity: 1, amount: 10 },
      { item: texts.value.canvas.secondItem, quantity: 2, amount: 25.5 },
    ],
    cell: { fontSize: 14, padding: [8, 8, 8, 8] },
    headerCell: { fontWeight: 700 },
    footerCell: { fontWeight: 700 },
    rule: { width: 1, color: '#e0e0e0' },
    headerRule: { width: 1.5, color: '#161616' },
    footerRule: { width: 1.5, color: '#161616' },
  };
}

function square({ width, height }: { readonly width: number; readonly height: number }) {
  const side = Math.min(width, height);
  return { width: side, height: side };
}
