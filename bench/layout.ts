// Measures layout alone and how its cost grows: templates with many layers, long paragraphs, and `autoFit` on them.
//
// From a resolved scene with its fonts to placed boxes: nothing is loaded, painted or encoded. Every run lays out new
// words, because otherwise the faces' cache of shaped strings would be measured.

import { layOut } from '#core/layout/layout.ts';
import { YogaTreeCache } from '#core/layout/yoga-tree-cache.ts';
import { resolve } from '#core/resolve/resolve.ts';
import { parseTemplate } from '#core/template/template.ts';
import { type FontLibrary, openFontLibrary } from '#draw/fonts/font-library.ts';
import { loadResources } from '#draw/renderer/load-resources.ts';
import { median, randomFrom } from './statistics.ts';

/** One kind of layout at growing sizes. */
interface Growth {
  readonly name: string;
  /** What `size` counts. */
  readonly unit: 'layers' | 'characters';
  readonly sizes: readonly number[];
  /** The `i`-th template of a size. */
  template(size: number, i: number): unknown;
}

export interface LayoutRow {
  readonly layout: string;
  readonly unit: Growth['unit'];
  /**
   * For each size, the median and the fastest run, which was least disturbed by other processes and garbage collection.
   */
  readonly points: readonly LayoutPoint[];
  /** Fitted to the fastest runs: the cost grows as size to this power. 1 = linear. */
  readonly exponent: number;
}

export interface LayoutPoint {
  readonly size: number;
  readonly ms: number;
  readonly fastest: number;
}

const WIDTH = 1200;
const LAYER_COUNTS = [10, 60, 200, 600, 2000];
const TEXT_LENGTHS = [100, 1000, 10_000, 100_000];

const GROWTHS: readonly Growth[] = [
  {
    name: 'layers on a canvas',
    unit: 'layers',
    sizes: LAYER_COUNTS,
    template: (count, i) => page(Array.from({ length: count }, (_, n) => layer(n, i, { x: 20, y: 20 + n }))),
  },
  {
    name: 'layers in flex frames',
    unit: 'layers',
    sizes: LAYER_COUNTS,
    template: (count, i) => {
      // Cards of ten layers: a frame, a placeholder for a picture and eight texts; the outermost frame replaces one
      // text.
      const cards = Array.from({ length: count / 10 }, (_, card) => ({
        name: `card ${card}`,
        type: 'frame',
        width: 1000,
        layout: { type: 'flex', direction: 'row', gap: 8, wrap: 'wrap' },
        children: [
          { name: `dot ${card}`, type: 'shape', width: 40, height: 40 },
          ...Array.from({ length: card === 0 ? 7 : 8 }, (_, n) => layer(10 * card + n, i, {})),
        ],
      }));
      return page(
        [{ name: 'all', type: 'frame', layout: { type: 'flex', direction: 'column', gap: 4 }, children: cards }],
        1,
      );
    },
  },
  {
    name: 'a paragraph',
    unit: 'characters',
    sizes: TEXT_LENGTHS,
    template: (length, i) => page([{ name: 'text', type: 'text', text: prose(length, i), width: 600 }]),
  },
  {
    name: 'a paragraph, autoFit',
    unit: 'characters',
    sizes: TEXT_LENGTHS,
    template: (length, i) => {
      // The same area per character at every length, and too little for the requested font size.
      const height = Math.max(20, Math.round((length * 120) / 600));
      const autoFit = { min: 4 };
      return page([{ name: 'text', type: 'text', text: prose(length, i), width: 600, height, fontSize: 40, autoFit }]);
    },
  },
];

/** The sizes that a table lists separately; the others show how the cost grows. */
export const NAMED_SIZES: Readonly<Record<Growth['unit'], number>> = { layers: 60, characters: 10_000 };

function page(layers: readonly unknown[], height = WIDTH): unknown {
  return { name: 'layout', width: WIDTH, height: Math.max(height, WIDTH), layers };
}

function layer(n: number, i: number, place: object): object {
  return { name: `layer ${n}`, type: 'text', text: prose(24, 7919 * i + n), fontSize: 16, ...place };
}

/** Random words of English word length, different for every `i`. */
function prose(length: number, i: number): string {
  const random = randomFrom(i + 1);
  let text = '';
  while (text.length < length) {
    const letters = 2 + Math.floor(8 * random());
    for (let n = 0; n < letters; n++) text += String.fromCharCode(97 + Math.floor(26 * random()));
    text += random() < 0.08 ? '. ' : ' ';
  }
  return text.slice(0, length);
}

/** @param rounds layouts timed at each size; fewer if they take long */
export async function measureLayout(rounds: number): Promise<readonly LayoutRow[]> {
  const fonts = await openFontLibrary({ folders: [] });
  const rows: LayoutRow[] = [];
  // Compiles the code before anything is measured.
  for (const { sizes, template } of GROWTHS) await timeLayout(fonts, WARM_UP, (i) => template(sizes[1] ?? 1, i));
  for (const { name, unit, sizes, template } of GROWTHS) {
    const points: LayoutPoint[] = [];
    for (const size of sizes) points.push({ size, ...(await timeLayout(fonts, rounds, (i) => template(size, i))) });
    rows.push({ layout: name, unit, points, exponent: growthExponent(points) });
  }
  return rows;
}

/** ms of measurements that are enough for one size. */
const LONG_ENOUGH = 800;
const WARM_UP = 20;
/** Minimum number of timed runs. */
const FEWEST = 5;
let taken = 0;
const trees = new YogaTreeCache();

async function timeLayout(
  fonts: FontLibrary,
  rounds: number,
  template: (i: number) => unknown,
): Promise<Omit<LayoutPoint, 'size'>> {
  const times: number[] = [];
  let spent = 0;
  while (times.length < rounds && (times.length < FEWEST || spent < LONG_ENOUGH)) {
    const scene = resolve(parseTemplate(template(taken++)), {});
    const { resources } = await loadResources(scene.needs, fonts, NO_IMAGES, new AbortController().signal);
    const start = performance.now();
    layOut(scene, resources, { trees });
    const ms = performance.now() - start;
    times.push(ms);
    spent += ms;
  }
  return { ms: median(times), fastest: Math.min(...times) };
}

const NO_IMAGES = {
  async read(source: string): Promise<never> {
    throw new Error(`no image "${source}"`);
  },
};

/** The slope of the line through the points on logarithmic axes (least squares). */
export function growthExponent(points: readonly Pick<LayoutPoint, 'size' | 'fastest'>[]): number {
  const xs = points.map(({ size }) => Math.log(size));
  const ys = points.map(({ fastest }) => Math.log(fastest));
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const [middleX, middleY] = [mean(xs), mean(ys)];
  const slope = xs.reduce((sum, x, i) => sum + (x - middleX) * ((ys[i] ?? 0) - middleY), 0);
  return slope / xs.reduce((sum, x) => sum + (x - middleX) ** 2, 0);
}

export function printLayoutTable(rows: readonly LayoutRow[]): void {
  console.log('\nlayout alone, medians in ms; the cost grows as the size to the power in the last column\n');
  console.log('| layout | ms at each size | at the named size | exponent |\n|---|---|--:|--:|');
  for (const { layout, unit, points, exponent } of rows) {
    const named = points.find(({ size }) => size === NAMED_SIZES[unit]);
    const all = points.map(({ size, ms }) => `${size}: ${ms.toFixed(2)}`).join(', ');
    const shown = [layout, all, `${NAMED_SIZES[unit]} ${unit}: ${named?.ms.toFixed(2)}`, exponent.toFixed(2)];
    console.log(`| ${shown.join(' | ')} |`);
  }
}

if (import.meta.main) printLayoutTable(await measureLayout(20));
