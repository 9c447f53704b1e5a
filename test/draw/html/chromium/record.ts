// Lays the fixtures out in Chromium and records the boxes of each table in recorded.json.
//
// Run by hand when fixtures change: CHROMIUM_PATH=… node test/draw/html/chromium/record.ts. The tests only read the record.

import { recordInChromium } from '../../../record-in-chromium.ts';
import { CANVAS, CSS, FIXTURES } from './fixtures.ts';

await recordInChromium(
  import.meta.dirname,
  ['inter'],
  `main{width:${CANVAS.width}px}body{text-rendering:geometricPrecision}${CSS.replace('Inter', '"platen inter"')}`,
  Object.entries(FIXTURES).map(([name, markup]) => ({ name, markup })),
  (main) =>
    Array.from(main.querySelectorAll('table,caption,td,th,p,div')).flatMap((element) => {
      const { left, top, width, height } = element.getBoundingClientRect();
      const isCollapsed = /^T[DH]$/.test(element.tagName) && getComputedStyle(element).borderCollapse === 'collapse';
      if (isCollapsed || width === 0) return [];
      return [[left, top, width, height].map((value) => Math.round(value * 100) / 100)];
    }),
);
