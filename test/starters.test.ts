// Tests the starters: each is valid, fits completely with fonts of the catalogue, also in six common sizes and in all that
// a family has, and describes its parameters.

import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { compose } from '#core/compose.ts';
import type { LayoutBox } from '#core/layout/box.ts';
import { layOut } from '#core/layout/layout.ts';
import { resolve } from '#core/resolve/resolve.ts';
import type { ImageResource, Resources } from '#core/resources.ts';
import { parseTemplate, type Template, walkLayers, withSheetSize } from '#core/template/template.ts';
import type { Choice } from '#design/choice.ts';
import type { Materials } from '#design/materials.ts';
import { openFontLibrary } from '#draw/fonts/font-library.ts';
import { loadCodes } from '#draw/renderer/load-codes.ts';
import { renderFile } from '../src/cli/render-file.ts';
import { DEFAULT_EXPORT } from '../src/draw/output/formats.ts';
import { contrast, readColor } from '../src/studio/editor/core/scene/color-model.ts';
import { COMMON_SIZES } from '../src/studio/editor/design/common-sizes.ts';
import { designedAs } from './design/designed-as.ts';
import { temporaryFolder } from './temporary-folder.ts';

const folder = join(import.meta.dirname, '../starters');
const read = (file: string) => JSON.parse(readFileSync(join(folder, file), 'utf8'));
/** The file of a starter: its own, or that of a sample. */
const fileOf = (id: string) =>
  existsSync(join(folder, `${id}.json`)) ? `${id}.json` : `../samples/documents/${id}.json`;
/** The template of a starter, which a family holds beside its brand. */
const documentOf = (id: string) => withSheetSize(read(fileOf(id)).template ?? read(fileOf(id)));
const brandsOf = (id: string): Readonly<Record<string, Record<string, Record<string, unknown>>>> =>
  read(fileOf(id)).brands ?? {};
const materialsOf = (id: string): Materials => ({
  templates: new Map(),
  brands: new Map(Object.entries(brandsOf(id))),
});
/** The languages of a starter beside its own. */
const languagesOf = (id: string): string[] => [
  ...new Set(Object.values<Record<string, unknown>>(documentOf(id).texts ?? {}).flatMap(Object.keys)),
];
const kinds: Readonly<Record<string, readonly string[]>> = read('kinds.json');
const ids = Object.values(kinds).flat();
const words: Readonly<Record<string, string>> = read('search.json');
const fonts = await openFontLibrary({ folders: [] });

/** The names of text layers whose text is cut or overflows its box. */
function* overflowing(boxes: readonly LayoutBox[]): Generator<string> {
  for (const box of boxes) {
    if (box.kind === 'frame') yield* overflowing(box.children);
    else if (box.kind === 'text' && box.paragraph.overflows) yield box.node.name;
  }
}

/** The short texts that end with one short word below a line of three words or more: no designer leaves such a break. */
function* lonely(boxes: readonly LayoutBox[]): Generator<string> {
  for (const box of boxes) {
    if (box.kind === 'frame') yield* lonely(box.children);
    if (box.kind !== 'text') continue;
    const words = box.node.spans.map(({ text }) => text).join('');
    const lines = box.paragraph.lines.map(({ start, end }) => words.slice(start, end).trim());
    const counts = lines.map((line) => line.split(/\s+/u).length);
    const [before = 0, last = 0] = box.paragraph.lines.slice(-2).map((line) => line.box.width);
    if (lines.length < 4 && counts.at(-1) === 1 && (counts.at(-2) ?? 0) > 2 && last < before / 2) yield box.node.name;
  }
}

test('there are at least 60, of every kind', () => {
  expect(ids.length).toBeGreaterThanOrEqual(60);
  expect(new Set(ids).size).toBe(ids.length);
  expect(Object.keys(kinds)).toEqual([
    'Campaigns',
    'Social',
    'E-commerce',
    'Events',
    'Cards',
    'Posters',
    'Data',
    'Certificates',
    'Documents',
    'Labels',
    'Tickets',
    'Ads',
    'HTML',
  ]);
  const files = readdirSync(folder).filter(
    (name) => name.endsWith('.json') && !['kinds.json', 'index.json', 'search.json'].includes(name),
  );
  const own = ids.filter((id) => !fileOf(id).startsWith('..'));
  expect(files.map((name) => name.replace('.json', '')).sort()).toEqual(own.sort());
});

test('each is found by further words', () => {
  expect(Object.keys(words).sort()).toEqual([...ids].sort());
  for (const [id, text] of Object.entries(words)) expect(text, id).toMatch(/^[\p{Ll}\d-]+( [\p{Ll}\d-]+){2,}$/u);
});

const families = ids.filter((id) => documentOf(id).sizes !== undefined);

test('at least eight are families: of three sizes or more, in English and German at least, with a brand', () => {
  expect(families.length).toBeGreaterThanOrEqual(8);
  expect(families.filter((id) => Object.keys(documentOf(id).sizes).length < 2)).toEqual([]);
  expect(families.filter((id) => documentOf(id).lang !== 'en' || !languagesOf(id).includes('de'))).toEqual([]);
  expect(families.filter((id) => Object.keys(brandsOf(id)).join() !== documentOf(id).brand)).toEqual([]);
  expect(families.flatMap(languagesOf)).toContain('ar');
});

test('families have brands with the same names, so that each can be drawn with that of another', () => {
  const namesOf = (brand: object) => Object.entries(brand).map(([part, values]) => [part, Object.keys(values).sort()]);
  const [first, ...others] = families.flatMap((id) => Object.values(brandsOf(id)));
  for (const brand of others) expect(namesOf(brand)).toEqual(namesOf(first as object));
});

test('the words of a brand stand out from what they are on, as WCAG asks for', () => {
  for (const brand of families.flatMap((id) => Object.values(brandsOf(id)))) {
    const { ink, paper, muted, accent, onAccent, soft } = brand.colors as Record<string, string>;
    for (const pair of [
      `${ink} on ${paper}`,
      `${muted} on ${paper}`,
      `${ink} on ${soft}`,
      `${onAccent} on ${accent}`,
    ]) {
      const [letters = '', behind = ''] = pair.split(' on ');
      expect(contrast(readColor(letters), readColor(behind)), pair).toBeGreaterThanOrEqual(4.5);
    }
  }
});

test('the list and the pictures are those of the files', () => {
  const { starters } = read('index.json');
  const expected = Object.entries(kinds).flatMap(([kind, names]) =>
    names.map((id) => {
      const { name, width, height, page, sizes, lang } = documentOf(id);
      const several = sizes && { sizes: 1 + Object.keys(sizes).length, languages: [lang, ...languagesOf(id)] };
      const pages = page && { page: typeof page.size === 'string' ? page.size : `${width} × ${height}` };
      return { id, name, kind, width, height, ...pages, ...several, words: words[id] };
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

/** The views of a starter: itself and in common sizes; for a family, all of its own in each of its languages. */
const viewsOf = (id: string): (readonly [name: string, document: object, choice: Choice])[] => {
  const { sizes: own, ...document } = documentOf(id);
  const common = Object.keys(SIZES).map((size) => [size, { ...document, sizes: SIZES }, { size }] as const);
  const inLanguages = ['default', ...Object.keys(own ?? {})].flatMap((size) =>
    languagesOf(id).map((lang) => [`${size}, ${lang}`, { ...document, sizes: own }, { size, lang }] as const),
  );
  const others = Object.keys(own ?? {}).map((size) => [`own ${size}`, { ...document, sizes: own }, { size }] as const);
  return [['default', document, {}], ...common, ...others, ...inLanguages];
};

for (const id of ids.filter((one) => !isHtml(one))) {
  test.skipIf(fonts.missing.length > 0).each(isPaged(id) ? [] : viewsOf(id))(
    `${id} is drawn whole, without a warning: %s`,
    async (_, document, choice) => {
      const { template, diagnostics } = designedAs(document, choice, materialsOf(id));
      expect(diagnostics).toEqual([]);
      const scene = resolve(template as Template, {});
      const loaded = await fonts.load(scene.needs.fonts);
      const images = scene.needs.images.map(({ key, sources }): [string, ImageResource] => {
        for (const source of sources.filter((one) => !one.startsWith('data:')))
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
      if (choice.size === undefined || choice.lang !== undefined) expect([...lonely(layout.boxes)]).toEqual([]);
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
    const template = designedAs(documentOf(id), {}, materialsOf(id)).template as Template;
    const layers = [...walkLayers(template.layers)].map(({ layer }) => layer);
    const vague = layers.filter(
      ({ name }) => !/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(name) || /^(text|layer|image|shape|frame)(-|$)/.test(name),
    );
    expect(vague.map(({ name }) => name)).toEqual([]);
    expect(layers.filter(({ type }) => type === 'text').length).toBeGreaterThanOrEqual(2);
  });
}
