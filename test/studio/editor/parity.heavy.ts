// Compares the canvas with the server: equal boxes to the digit for every fixture and sample, and equal pictures within a
// tolerance that the eye does not see for every sample and every sixth fixture, with `WHOLE=1` every third.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { describeLayout } from '#core/layout/describe-layout.ts';
import { layOut } from '#core/layout/layout.ts';
import { Pages } from '#core/pages/compose-pages.ts';
import { resolve } from '#core/resolve/resolve.ts';
import { parseTemplate } from '#core/template/template.ts';
import { exportAs } from '#draw/output/export.ts';
import { DEFAULT_EXPORT } from '#draw/output/formats.ts';
import type { RawDocument } from '#studio/editor/core/document/document.ts';
import { CASES, FIXTURES, ROOT } from '../../golden/cases.ts';
import { decodePicture, onWhite } from '../../golden/picture.ts';
import { canDraw, composed, resourcesOf } from '../../golden/render-case.ts';
import { bareCanvas, compare, keep, shot } from './canvas-picture.ts';
import { withPictures } from './editor-server.ts';
import { CHROMIUM, type OpenEditor, openEditor } from './open-editor.ts';

interface Compared {
  readonly name: string;
  readonly document: RawDocument;
  readonly modifications: Readonly<Record<string, unknown>>;
}

const samples = join(ROOT, 'samples');
const COMPARED: readonly Compared[] = [
  ...readdirSync(samples)
    .filter((file) => file.endsWith('.json'))
    .map((file) => ({
      name: file,
      template: JSON.parse(readFileSync(join(samples, file), 'utf8')),
      modifications: {},
      folder: samples,
    })),
  ...CASES.map(({ name, template, modifications }) => ({ name, template, modifications, folder: FIXTURES })),
]
  .filter(({ template }) => template.engine !== 'html')
  .filter(({ template, modifications }) => canDraw({ template, modifications }))
  .map(({ name, template, modifications, folder }) => ({
    name,
    document: withPictures(template, folder) as never,
    modifications: withPictures(modifications as never, folder, true) as Compared['modifications'],
  }));

/** Large enough for the largest sample at 100 % beside the panels. */
const VIEW = { width: 2000, height: 2300 };
/**
 * Device px per px for the comparison of fixtures. They are small and full of letters; at scale 1, differently smoothed
 * edges would be most of the picture. Samples are compared at scale 1.
 */
const FIXTURE_SCALE = 3;

/**
 * Fixtures that Chromium draws otherwise than the server: it enlarges, blends and blurs pictures by its own filters, has
 * its own colours of CMYK, and sets the words of SVG pictures in fonts of the system.
 */
const OF_CHROMIUM = [
  'barcode/code128',
  'effects/blend-hue-saturation',
  'effects/blur-text',
  'image/cmyk',
  'image/natural-aspect',
  'image/on-fraction',
  'image/svg-echarts',
  'image/svg-vectors',
  'image/svg-vega',
  'image/upscaled',
  'pdf/conforms-a-3b-ua-1',
];

/** Maximum mean difference, of 255. */
const MOST_MEAN = 1.5;
/**
 * Maximum share of pixels that differ by more than 48. The server positions glyphs at quarters of a device px and
 * samples edges at quarters: together up to 64 of 255 at an edge, and edges of letters are most of a fixture. 301 of
 * all 342 fixtures and samples stay below 0.1 %. The others differ in letters, dashes, and photos that are enlarged or
 * positioned at fractions of a px.
 */
const MOST_OFF = { sample: 0.001, fixture: 0.004 };

/** Excludes what only the server computes: the focus of images by saliency. */
const OF_SERVER = /focus-(attention|entropy)|"focus":"(attention|entropy)"/;

/** One fixture in this many is drawn. */
const EVERY = process.env.WHOLE ? 3 : 6;

/** Between two pages on the canvas, px. */
const PAGE_GAP = 40;

let editor: OpenEditor;
beforeAll(async () => {
  if (CHROMIUM) editor = await openEditor('sample-social-card', VIEW);
}, 240_000);
afterAll(async () => {
  await editor?.[Symbol.asyncDispose]();
});

/** Composes the document in the page: returns its layout as JSON, and shows the picture on the canvas at 100 %. */
async function inPage({ document, modifications }: Compared): Promise<string> {
  return editor.page.evaluate(
    async (given, values) => {
      const { editor, describeLayout: describe } = platenEditor;
      for (let tries = 0; tries < 6; tries++) {
        const composed = editor.compositor.compose(given, values);
        if (composed instanceof Promise) {
          await composed;
          continue;
        }
        editor.picture.value = composed;
        return JSON.stringify(
          describe(
            composed.scene,
            composed.boxes.filter(({ depth }) => depth === 0).map(({ box }) => box),
          ),
        );
      }
      return 'what it needs could not be loaded';
    },
    document,
    modifications,
  );
}

async function onServer({ document, modifications }: Compared): Promise<string> {
  const scene = resolve(parseTemplate(document), modifications);
  const resources = await resourcesOf(scene.needs);
  // The canvas shows the pages of a document below each other.
  const laidOut = scene.page
    ? new Pages(scene, scene.page, resources).stacked(PAGE_GAP)
    : { scene, boxes: layOut(scene, resources).boxes };
  return JSON.stringify(describeLayout(laidOut.scene, laidOut.boxes));
}

describe.skipIf(!CHROMIUM)('the canvas beside the server', () => {
  test(`lays out ${COMPARED.length} templates to the same boxes`, async () => {
    const differ: string[] = [];
    for (const one of COMPARED) {
      if (OF_SERVER.test(JSON.stringify(one.document))) continue;
      const [page, server] = [await inPage(one).catch((error: unknown) => `${error}`), await onServer(one)];
      if (page !== server)
        differ.push(
          `${one.name}\n  page   ${firstDifference(page, server)}\n  server ${firstDifference(server, page)}`,
        );
    }
    expect(differ.join('\n')).toBe('');
    const page = readFileSync(join(ROOT, 'docs/studio-overview.md'), 'utf8');
    const [, said] = /for some (\d+) templates the boxes/.exec(page) ?? [];
    expect(Math.abs(COMPARED.length - Number(said))).toBeLessThan(30);
  }, 240_000);

  test('shows what the server draws', async () => {
    await bareCanvas(editor);
    const differ: string[] = [];
    let shown = 1;
    const [means, shares]: [number[], number[]] = [[], []];
    for (const [i, one] of COMPARED.entries()) {
      // Drawing all fixtures twice takes minutes.
      const isSample = one.name.endsWith('.json');
      if ((!isSample && i % EVERY !== 0) || OF_SERVER.test(JSON.stringify(one.document))) continue;
      // The server draws one page of a document.
      if ('page' in (one.document as object)) continue;
      const scale = isSample ? 1 : FIXTURE_SCALE;
      if (scale !== shown) await editor.page.setViewport({ ...VIEW, deviceScaleFactor: scale });
      shown = scale;
      await inPage(one);
      let page = await shot(editor);
      const { list, resources } = await composed({ template: one.document, modifications: one.modifications });
      const png = await exportAs('png', [list], resources, { ...DEFAULT_EXPORT, scale });
      const server = onWhite(await decodePicture(png));
      const isEqual = ({ mean, share }: ReturnType<typeof compare>) =>
        mean <= MOST_MEAN && share <= MOST_OFF[isSample ? 'sample' : 'fixture'];
      let difference = compare(page, server);
      // Chromium may first show what it has drawn for another scale.
      for (let again = 0; again < 10 && !isEqual(difference); again += 1) {
        await setTimeout(100);
        page = await shot(editor);
        difference = compare(page, server);
      }
      const { mean, share } = difference;
      means.push(mean);
      shares.push(share);
      if (isEqual(difference)) continue;
      await keep(one.name, { page, server });
      differ.push(`${one.name}: mean ${mean.toFixed(2)}, ${(share * 100).toFixed(3)} % off by more than 48`);
    }
    console.log(
      `${means.length} pictures: mean difference ${Math.max(...means).toFixed(2)} at the most, ` +
        `${(Math.max(...shares) * 100).toFixed(3)} % of pixels off by more than 48 at the most`,
    );
    expect(differ.filter((line) => !OF_CHROMIUM.includes(line.split(':')[0] ?? ''))).toEqual([]);
    expect(means.length).toBeGreaterThan(COMPARED.length / EVERY - 20);
  }, 240_000);

  test('breaks no rule of its page', () => {
    expect(editor.complaints).toEqual([]);
  });
});

function firstDifference(a: string, b: string): string {
  let at = 0;
  while (at < a.length && a[at] === b[at]) at++;
  return `…${a.slice(Math.max(0, at - 60), at + 60)}…`;
}
