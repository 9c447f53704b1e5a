// Divides the fixtures in Chromium, into columns instead of pages, and records each layer's parts in recorded.json.
//
// Run by hand when fixtures change: CHROMIUM_PATH=… node test/core/pages/chromium/record.ts. The tests only read the
// record.

import { resolve } from '#core/resolve/resolve.ts';
import { recordInChromium } from '../../../record-in-chromium.ts';
import { toColumns } from '../../layout/chromium/to-html.ts';
import { FIXTURES, SHEET } from './fixtures.ts';

await recordInChromium(
  import.meta.dirname,
  ['inter'],
  // Shapes are whole, as pictures are; CSS would divide an empty box.
  `* { box-sizing: border-box }
  main [data-name]:empty { contain: size }
  body { font-synthesis: none; text-rendering: geometricPrecision }`,
  FIXTURES.map(({ name, template }) => {
    const [node] = resolve(template, {}).nodes;
    if (node?.type !== 'frame') throw new Error('The fixtures have a frame that flows.');
    return { name, markup: `<div style="width:${SHEET.width}px">${toColumns(node, SHEET)}</div>` };
  }),
  measure,
);

/** Returns [page, x, y, width, height] of each layer's parts. */
function measure(main: HTMLElement): Record<string, number[][]> {
  const width = main.firstElementChild?.clientWidth ?? 0;
  const round = (value: number) => Math.round(value * 100) / 100;
  return Object.fromEntries(
    Array.from(main.querySelectorAll<HTMLElement>('[data-name]'), (element) => [
      element.dataset.name ?? '',
      Array.from(element.getClientRects(), (rect) => {
        const column = Math.floor((rect.left + 0.5) / width);
        return [column + 1, ...[rect.left - column * width, rect.top, rect.width, rect.height].map(round)];
      }),
    ]),
  );
}
