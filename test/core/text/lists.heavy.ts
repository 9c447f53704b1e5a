// Compares texts that are lists with lists of Chromium: each line's place, the ink of each marker, and the height.

import { readFileSync } from 'node:fs';
import puppeteer from 'puppeteer-core';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { pathBounds } from '#core/path.ts';
import type { TextNode } from '#core/resolve/scene.ts';
import { CHROMIUM } from '../../server/chromium/chromium.ts';
import { face, fontPath, layOut, query, style, textNode } from './faces.ts';

type Sort = NonNullable<TextNode['list']>['style'];
interface Case {
  readonly type: Sort;
  readonly size: number;
  readonly indent: number;
  readonly align: 'start' | 'center' | 'end' | 'justify';
  readonly spacing: number;
  readonly items: readonly string[];
}

const WORDS = [
  'The quick brown fox jumps over the lazy dog',
  'Two',
  'Pack my box with five dozen liquor jugs',
  'd',
  'e',
];
const MANY = [...WORDS, ...'fghijkl'];
const HEBREW = ['שלום עולם מה שלומך היום בבוקר', 'שתיים'];
const WIDTH = 170;
const CASES: readonly Case[] = [
  { type: 'decimal', size: 16, indent: 32, align: 'start', spacing: 0, items: MANY },
  { type: 'decimal-leading-zero', size: 13, indent: 40, align: 'justify', spacing: 7, items: MANY },
  { type: 'lower-alpha', size: 20, indent: 25, align: 'end', spacing: 0, items: WORDS },
  { type: 'upper-alpha', size: 16, indent: 32, align: 'center', spacing: 4, items: WORDS },
  { type: 'lower-roman', size: 14, indent: 50, align: 'start', spacing: 0, items: MANY },
  { type: 'upper-roman', size: 15, indent: 60, align: 'start', spacing: 2, items: MANY },
  { type: 'decimal', size: 16, indent: 32, align: 'start', spacing: 0, items: HEBREW },
  { type: 'lower-alpha', size: 18, indent: 40, align: 'end', spacing: 3, items: HEBREW },
  { type: 'disc', size: 16, indent: 32, align: 'start', spacing: 5, items: WORDS },
];
const isHebrew = ({ items }: Case) => items === HEBREW;

/** Left, right and top of words or of a marker's ink, px. */
type Place = readonly [left: number, right: number, top: number];

function ours({ type, size, indent, align, spacing, items }: Case): {
  lines: Place[];
  markers: Place[];
  height: number;
} {
  const own = style({ fontSize: size, lineHeight: 1.5, font: query('inter', 'hebrew') });
  const spans = [{ text: items.join('\n'), style: own, link: null, counter: null, image: null }];
  const node = textNode(spans, { align, paragraphSpacing: spacing, list: { style: type, indent } });
  const paragraph = layOut(node, WIDTH);
  const lines = paragraph.lines.map(({ box }): Place => [box.x, box.x + box.width, box.y]);
  const markers = paragraph.lines.flatMap(({ runs, box }): Place[] => {
    const ink = runs.flatMap(({ isMarker, run, x }) => {
      if (!isMarker) return [];
      const of = face(run.face === 'inter' ? 'inter' : 'hebrew');
      const scale = run.fontSize / of.unitsPerEm;
      return run.glyphs.flatMap((glyph) => {
        const bounds = pathBounds(of.outline(glyph.id));
        return bounds ? [x + glyph.x + bounds.x * scale, x + glyph.x + (bounds.x + bounds.width) * scale] : [];
      });
    });
    return ink.length > 0 ? [[Math.min(...ink), Math.max(...ink), box.y]] : [];
  });
  return { lines, markers, height: paragraph.size.height };
}

const html = (
  each: Case,
) => `<ol dir="${isHebrew(each) ? 'rtl' : 'ltr'}" style="position:absolute;left:80px;top:0;margin:0;
  width:${WIDTH}px;box-sizing:border-box;padding:0;padding-inline-start:${each.indent}px;text-align:${each.align};
  list-style-type:${each.type};font:${each.size}px/1.5 inter,hebrew">
  ${each.items.map((item, i) => `<li style="margin-top:${i ? each.spacing : 0}px">${item}</li>`).join('')}</ol>`;

/** In the page. @returns the lines of each item, its top, and the height of the list */
function measure(list: HTMLElement) {
  const { left, top, height } = list.getBoundingClientRect();
  const items = [...list.children].map((item) => {
    const range = document.createRange();
    range.selectNodeContents(item);
    const box = item.getBoundingClientRect();
    const lines = [...range.getClientRects()].map((rect, i) => [
      ...[rect.left - left, rect.right - left],
      box.top - top + (i * box.height) / range.getClientRects().length,
    ]);
    return { lines, top: box.top - top };
  });
  return { items, height };
}

test.skipIf(!CHROMIUM)('lists are where Chromium has them', { timeout: 120_000 }, async () => {
  const args = ['--no-sandbox', '--font-render-hinting=none', '--disable-dev-shm-usage'];
  const browser = await puppeteer.launch({ executablePath: CHROMIUM?.path ?? '', headless: 'shell', args });
  try {
    const page = await browser.newPage();
    await page.setViewport({ width: 340, height: 700 });
    const fonts = (['inter', 'hebrew'] as const).map((name) => {
      const url = `data:font/ttf;base64,${readFileSync(fontPath(name)).toString('base64')}`;
      return `@font-face{font-family:${name};src:url(${url})}`;
    });
    await page.setContent(
      `<!doctype html><style>${fonts.join('')}body{margin:0}li{color:transparent}::marker{color:#000}</style><main></main>`,
    );
    await page.evaluate(() => Promise.all([...document.fonts].map((font) => font.load())));
    for (const each of CASES) {
      const name = `${each.type} ${each.align}${isHebrew(each) ? ' from the right' : ''}`;
      await page.$eval('main', (main, markup) => main.setHTMLUnsafe(markup), html(each));
      const theirs = await page.$eval('ol', measure);
      const { lines, markers, height } = ours(each);
      const expected = theirs.items.flatMap((item) => item.lines);
      expect(lines.length, name).toBe(expected.length);
      for (const [i, line] of lines.entries())
        for (const side of [0, 1, 2])
          expect(Math.abs((line[side] ?? 0) - (expected[i]?.[side] ?? 0)), `${name}, line ${i}`).toBeLessThanOrEqual(1);
      expect(Math.abs(height - theirs.height), name).toBeLessThanOrEqual(1);
      // Chromium draws signs by itself, where its rules for each size have them: ours are letters.
      if (each.type === 'disc') continue;
      const png = await page.screenshot({ type: 'png' });
      const { data, info } = await sharp(png).greyscale().raw().toBuffer({ resolveWithObject: true });
      for (const [i, { top }] of theirs.items.entries()) {
        let [left, right] = [Infinity, -Infinity];
        for (let y = Math.round(top); y < Math.round(top + each.size * 1.5); y += 1) {
          for (let x = 0; x < info.width; x += 1) {
            if ((data[y * info.width + x] ?? 255) > 200) continue;
            left = Math.min(left, x - 80);
            right = Math.max(right, x + 1 - 80);
          }
        }
        const [from = 0, to = 0] = markers[i] ?? [];
        expect(Math.abs(from - left), `${name}, marker ${i}: ${from}, not ${left}`).toBeLessThanOrEqual(1.3);
        expect(Math.abs(to - right), `${name}, marker ${i}: ${to}, not ${right}`).toBeLessThanOrEqual(1.3);
      }
    }
  } finally {
    await browser.close();
  }
});
