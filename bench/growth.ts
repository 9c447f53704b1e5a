// Measures how a render's time grows with the number of layers, characters and pixels, with the fitted exponent for
// each.

import { parseTemplate, type Template } from '#core/template/template.ts';
import { loadAssets } from './assets.ts';
import { open } from './peers/platen.ts';
import { median } from './statistics.ts';

export interface Growth {
  readonly of: 'layers' | 'characters' | 'megapixels';
  /** Medians by size. */
  readonly ms: readonly (readonly [size: number, ms: number])[];
  /** Slope of the line through the logarithms of the larger half, where fixed costs no longer show. */
  readonly exponent: number;
}

const SIZES = {
  layers: [10, 30, 100, 300, 1000, 2000],
  characters: [100, 1000, 10_000, 100_000],
  megapixels: [0.1, 0.5, 2, 10, 50],
} as const;

type Axis = keyof typeof SIZES;

/** A template of one size; `i` makes it unique, so that no cache can help. */
const TEMPLATES: Readonly<Record<Axis, (size: number, i: number) => Template>> = {
  layers: (count, i) =>
    parseTemplate({
      name: 'Layers',
      width: 1200,
      height: 1200,
      background: '#ffffff',
      layers: Array.from({ length: count }, (_, n) => ({
        name: `${n}`,
        type: n % 2 ? 'text' : 'shape',
        x: (n * 37) % 1100,
        y: (n * 91) % 1150,
        ...(n % 2
          ? { text: `Label ${n + i}`, fontSize: 14 }
          : { width: 80, height: 24, borderRadius: 8, fill: '#cfe3ff' }),
      })),
    }),
  characters: (count, i) =>
    parseTemplate({
      name: 'Characters',
      width: 1200,
      height: 1200,
      layers: [
        { name: 'text', type: 'text', width: 1200, height: 1200, overflow: 'clip', fontSize: 8, text: words(count, i) },
      ],
    }),
  megapixels: (size, i) => {
    const side = Math.round(Math.sqrt(size * 1e6));
    const fill = { type: 'linear', angle: 135, stops: [{ color: '#4338ca' }, { color: '#db2777' }] };
    return parseTemplate({
      name: 'Pixels',
      width: side,
      height: side,
      background: fill,
      layers: [
        { name: 'text', type: 'text', x: 20, y: 20, fontSize: side / 20, text: `Number ${i}`, color: '#ffffff' },
      ],
    });
  },
};

function words(count: number, i: number): string {
  let text = '';
  for (let n = i; text.length < count; n++) text += `${(n * 7919) % 100_003} plates `;
  return text.slice(0, count);
}

export async function measureGrowth(rounds: number): Promise<Growth[]> {
  const peer = await open(await loadAssets());
  const measured: Growth[] = [];
  for (const of of Object.keys(SIZES) as Axis[]) {
    const ms: [number, number][] = [];
    for (const size of SIZES[of]) {
      const times: number[] = [];
      for (let i = -2; i < rounds; i++) {
        const workload = { name: of, template: TEMPLATES[of](size, i + 2), strings: () => ({}) };
        const start = performance.now();
        await peer.render(workload, {}, 'png');
        if (i >= 0) times.push(performance.now() - start);
      }
      ms.push([size, Math.round(median(times) * 10) / 10]);
    }
    measured.push({ of, ms, exponent: Math.round(slope(ms.slice(ms.length >> 1)) * 100) / 100 });
  }
  return measured;
}

/** Slope of the least-squares line through the logarithms. */
function slope(points: readonly (readonly [number, number])[]): number {
  const logs = points.map(([x, y]) => [Math.log(x), Math.log(y)] as const);
  const mean = (at: 0 | 1) => logs.reduce((sum, point) => sum + point[at], 0) / logs.length;
  const [meanX, meanY] = [mean(0), mean(1)];
  const along = logs.reduce((sum, [x, y]) => sum + (x - meanX) * (y - meanY), 0);
  return along / logs.reduce((sum, [x]) => sum + (x - meanX) ** 2, 0);
}
