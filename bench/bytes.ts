// Compares the sizes of files that show the same card at equal quality: Platen's, satori + sharp's and takumi's.
//
// Each renderer's JPEG and WebP is compared with its own PNG at several qualities; the size at which the others are as
// good as Platen at its quality of 80 is interpolated. PNGs are lossless and compared as they are.

import sharp from 'sharp';
import { applyModifications } from '#core/resolve/apply-modifications.ts';
import { RARER_LAYERS } from '#core/resolve/resolve.ts';
import { loadAssets } from './assets.ts';
import { atQuality, ssim } from './encoders/quality.ts';
import type { Drawing } from './families/family.ts';
import { openFamily } from './families/family-list.ts';
import type { Output } from './peers/peer.ts';
import { WORKLOADS } from './workloads.ts';

export interface FileSizes {
  readonly workload: string;
  readonly output: Output;
  /** KB; for JPEG and WebP at equal quality (SSIM of luma). */
  readonly kilobytes: Readonly<Record<string, number>>;
}

const PEERS = {
  platen: () => import('./peers/platen.ts'),
  'satori+sharp': () => import('./peers/satori-resvg.ts'),
  takumi: () => import('./peers/takumi.ts'),
};
const QUALITIES = [60, 70, 75, 80, 85, 90, 95];
/** Number of cards from the rotation. */
const CARDS = 12;

export async function measureFileSizes(): Promise<FileSizes[]> {
  const assets = await loadAssets();
  const peers = await Promise.all(
    Object.entries(PEERS).map(async ([name, load]) => ({ name, peer: await (await load()).open(assets) })),
  );
  const rotation = openFamily('rotation', 1);
  const groups: Record<string, readonly Drawing[]> = {
    ...Object.fromEntries(
      WORKLOADS.map(({ name, template, strings }) => [name, [{ template, modifications: strings(1) }]]),
    ),
    rotation: Array.from({ length: CARDS }, (_, i) => rotation.draw(i)),
  };
  const rows: FileSizes[] = [];
  for (const [workload, drawings] of Object.entries(groups)) {
    const totals: Record<'png' | 'jpeg' | 'webp', Record<string, number>> = { png: {}, jpeg: {}, webp: {} };
    for (const { template, modifications } of drawings) {
      const drawing = { template: applyModifications(template, modifications, RARER_LAYERS).template };
      for (const output of ['png', 'jpeg', 'webp'] as const) {
        let wanted = 1;
        for (const { name, peer } of peers) {
          const png = await peer.render(drawing, {}, 'png');
          let bytes = png.length;
          if (output !== 'png') {
            const points = await pointsOf(png, (quality) => peer.render(drawing, {}, output, quality));
            // Platen comes first.
            if (name === 'platen') wanted = points.find((point) => point.q === 80)?.quality ?? 1;
            bytes = atQuality(points, wanted);
          }
          totals[output][name] = (totals[output][name] ?? 0) + bytes / 1000;
        }
      }
    }
    for (const output of ['png', 'jpeg', 'webp'] as const) {
      const kilobytes = Object.fromEntries(
        Object.entries(totals[output]).map(([name, kb]) => [name, Math.round(kb * 10) / 10]),
      );
      rows.push({ workload, output, kilobytes });
    }
  }
  return rows;
}

/** For each quality: the picture's similarity to the PNG, and its bytes. */
async function pointsOf(png: Uint8Array, render: (quality: number) => Promise<Uint8Array>) {
  const rgb = async (file: Uint8Array) =>
    sharp(file).flatten({ background: '#ffffff' }).raw().toBuffer({ resolveWithObject: true });
  const { data: original, info } = await rgb(png);
  const points: { q: number; quality: number; value: number }[] = [];
  for (const q of QUALITIES) {
    const file = await render(q);
    const { data } = await rgb(file);
    points.push({ q, quality: ssim(original, data, info.width, info.height), value: file.length });
  }
  return points;
}
