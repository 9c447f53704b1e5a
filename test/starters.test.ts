// Tests the starters: each is valid, fits completely with fonts of the catalogue, also in six common sizes, and describes
// its parameters.

import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { compose } from '#core/compose.ts';
import type { LayoutBox } from '#core/layout/box.ts';
import { layOut } from '#core/layout/layout.ts';
import { resolve } from '#core/resolve/resolve.ts';
import type { ImageResource, Resources } from '#core/resources.ts';
import { parseTemplate, type Template, walkLayers, withSheetSize } from '#core/template/template.ts';
import { openFontLibrary } from '#draw/fonts/font-library.ts';
import { loadCodes } from '#draw/renderer/load-codes.ts';
import { renderFile } from '../src/cli/render-file.ts';
import { DEFAULT_EXPORT } from '../src/draw/output/formats.ts';
import { COMMON_SIZES } from '../src/studio/editor/design/common-sizes.ts';
import { designedAs } from './design/designed-as.ts';
import { temporaryFolder } from './temporary-folder.ts';

const folder = join(import.meta.dirname, '../starters');
const read = (file: string) => JSON.parse(readFileSync(join(folder, file), 'utf8'));
/** The file of a starter: its own, or that of a sample. */
const fileOf = (id: string) =>
  existsSync(join(folder, `${id}.json`)) ? `${id}.json` : `../samples/documents/${id}.json`;
const documentOf = (id: string) => withSheetSize(read(fileOf(id)));
const kinds: Readonly<Record<string, readonly string[]>> = read('kinds.json');
const ids = Object.values(kinds).flat();
const fonts = await openFontLibrary({ folders: [] });

/** The names of text layers whose text is cut or overflows its box. */
function* overflowing(boxes: readonly LayoutBox[]): Generator<string> {
  for (const box of boxes) {
    if (box.kind === 'frame') yield* overflowing(box.children);
    else if (box.kind === 'text' && box.paragraph.overflows) yield box.node.name;
  }
}

test('there are at least 24, of every kind', () => {
  expect(ids.length).toBeGreaterThanOrEqual(24);
  expect(Object.keys(kinds)).toEqual([
    'Social',
    'E-commerce',
    'Events',
    'Certificates',
    'Documents',
    'Labels',
    'Tickets',
    'Ads',
    'HTML',
  ]);
  const files = readdirSync(folder).filter(
    (name) => name.endsWith('.json') && !['kinds.json', 'index.json'].includes(name),
  );
  const own = ids.filter((id) => !fileOf(id).startsWith('..'));
  expect(files.map((name) => name.replace('.json', '')).sort()).toEqual(own.sort());
});

test('the list and the pictures are those of the files', () => {
  const { starters } = read('index.json');
  const expected = Object.entries(kinds).flatMap(([kind, names]) =>
    names.map((id) => {
      const { name, width, height, page } = documentOf(id);
      return { id, name, kind, width, height, ...(page && { page: page.size }) };
    }),
  );
  expect(starters, 'run: npm run starters').toEqual(expected);
  for (const id of ids) expect(statSync(join(folder, 'rendered', `${id}.webp`)).size).toBeLessThan(40_000);
});

/** The sizes that the editor offers, but for those of small advertisements. */
const SIZES = Object.fromEntries(COMMON_SIZES.slice(0, 6).map(({ name, width, height }) => [name, { width, height }]));

const isHtml = (id: string) => documentOf(id).engine === 'html';

for (const id of ids.filter(isHtml)) {
  test(`${id} is drawn without a browser and without a warning`, async () => {
    await using out = await temporaryFolder();
    const file = join(folder, fileOf(id));
    const { warnings } = await renderFile(file, { ...DEFAULT_EXPORT, out: join(out.path, 'page.png'), set: [] });
    expect(warnings).toEqual([]);
    expect(documentOf(id).renderer).toBe('satori');
  });
}

const isPaged = (id: string) => documentOf(id).page !== undefined;

for (const id of ids.filter(isPaged)) {
  test(`${id} is drawn on all its pages, without a warning`, async () => {
    await using out = await temporaryFolder();
    const file = join(folder, fileOf(id));
    const { warnings } = await renderFile(file, { ...DEFAULT_EXPORT, out: join(out.path, 'pages.pdf'), set: [] });
    expect(warnings).toEqual([]);
  });
}

for (const id of ids.filter((one) => !isHtml(one))) {
  test.skipIf(fonts.missing.length > 0).each(isPaged(id) ? [] : ['default', ...Object.keys(SIZES)])(
    `${id} is drawn whole, without a warning: %s`,
    async (size) => {
      const { template } = designedAs({ ...documentOf(id), sizes: SIZES }, { size });
      const scene = resolve(template as Template, {});
      const loaded = await fonts.load(scene.needs.fonts);
      const images = scene.needs.images.map(({ key, sources }): [string, ImageResource] => {
        for (const source of sources)
          expect(statSync(join(folder, fileOf(id), '..', source)).size).toBeLessThan(150_000);
        return [
          key,
          { key, format: 'jpeg', width: 600, height: 400, bytes: new Uint8Array(0), hasAlpha: false, focus: null },
        ];
      });
      const resources: Resources = {
        fonts: loaded.fonts,
        images: new Map(images),
        codes: await loadCodes(scene.needs.codes),
        hyphenators: new Map(),
      };
      const layout = layOut(scene, resources);
      expect([...loaded.diagnostics, ...layout.diagnostics, ...compose(scene, resources).diagnostics]).toEqual([]);
      expect([...overflowing(layout.boxes)]).toEqual([]);
    },
  );

  if (['Certificates', 'Documents', 'Labels'].some((kind) => kinds[kind]?.includes(id))) {
    test(`${id} says which of its layers are to be changed`, () => {
      const { layers, parameters } = parseTemplate(documentOf(id));
      const lists = [...walkLayers(layers)].flatMap(({ layer }) =>
        layer.type === 'table' && layer.contents === null ? [layer.name] : [],
      );
      const named = parameters?.map(({ layer }) => layer) ?? [];
      expect(named.length).toBeGreaterThanOrEqual(4);
      expect(lists.filter((name) => !named.includes(name))).toEqual([]);
      const labels = parameters?.map(({ label }) => label);
      expect(labels?.every((label) => label && /^[A-Z0-9]/.test(label))).toBe(true);
      expect(new Set(labels).size).toBe(labels?.length);
    });
  }

  test(`${id} names its parameters for what they are`, () => {
    const template = parseTemplate(documentOf(id));
    const layers = [...walkLayers(template.layers)].map(({ layer }) => layer);
    const vague = layers.filter(
      ({ name }) => !/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(name) || /^(text|layer|image|shape|frame)(-|$)/.test(name),
    );
    expect(vague.map(({ name }) => name)).toEqual([]);
    expect(layers.filter(({ type }) => type === 'text').length).toBeGreaterThanOrEqual(2);
  });
}
