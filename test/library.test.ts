// Tests the library, `import { render } from 'platen'`, with fonts of the program's own.

import { copyFile, mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import * as library from '../src/index.ts';
import { temporaryFolder } from './temporary-folder.ts';

const FONT = join(import.meta.dirname, '../node_modules/bwip-js/fonts/OCRB7.ttf');
const text: library.LayerDocument = {
  name: 'title',
  type: 'text',
  text: '0123456789',
  fontSize: 20,
  fontFamily: 'OCRB',
};
const template: library.TemplateDocument = { name: 'Card', width: 200, height: 40, layers: [text] };
const BLANK: library.TemplateDocument = { name: 'T', width: 10, height: 10, layers: [] };

test('fontFolders: families of font files in them', async () => {
  await using folder = await temporaryFolder();
  await copyFile(FONT, join(folder.path, 'own.ttf'));
  const [own, without] = [
    await library.compose(template, { fontFolders: [folder.path] }),
    await library.compose(template),
  ];
  expect([own.warnings, without.warnings]).toEqual([[], [expect.stringContaining('"OCRB"')]]);
  expect(own.toSvg()).not.toBe(without.toSvg());
  const missing = join(folder.path, 'typo');
  await expect(library.compose(template, { fontFolders: [missing] })).rejects.toThrow(`"${missing}" is not a folder.`);
});

test('a size, a language and a brand are chosen', async () => {
  const design: library.TemplateDocument = {
    ...BLANK,
    background: '$paper',
    sizes: { tall: { width: 10, height: 20 } },
    texts: { title: { de: 'Hallo' } },
    layers: [text],
  };
  const brand = { colors: { paper: '#00ff00' } };
  const { list } = await library.compose(design, { size: 'tall', lang: 'de', brand });
  expect([list.width, list.height]).toEqual([10, 20]);
  await expect(library.compose(design, { size: 'tal', brand })).rejects.toThrow('did you mean "tall"?');
  await expect(library.compose(design)).rejects.toThrow('names $paper, but the template has no brand');
});

test.each([
  [
    { output: 'jpg' },
    'options.output: must be one of "png", "jpeg", "webp", "avif", "svg", "pdf"; did you mean "jpeg"?',
  ],
  [{ scael: 2 }, 'options: unknown property "scael"; did you mean "scale"?'],
  [{ scale: 50 }, 'options.scale: must be at most 3'],
  [{ quality: '90' }, 'options.quality: must be a number; write 90 without quotes'],
  [{ compression: 'best' }, 'options.compression: must be one of "fast", "small"'],
  [{ modifications: [] }, 'options.modifications: must be an object, not a list'],
  [null, 'options: must be an object'],
])('options %j are refused by a sentence, with an error class that is exported', async (options, message) => {
  const error = await library.render(BLANK, options as object).catch((reason) => reason);
  expect(error).toBeInstanceOf(library.ValidationError);
  expect(error.message).toBe(message);
});

test('what a function does not take is refused, also what another one does', async () => {
  const scaled = { scale: 2 } as object;
  for (const refused of [library.compose(BLANK, scaled), library.renderToPdf(BLANK, scaled)]) {
    await expect(refused).rejects.toThrow('options: unknown property "scale"');
  }
  // @ts-expect-error: it has no size
  await expect(library.render({ name: 'T' })).rejects.toBeInstanceOf(library.ValidationError);
  const missing = library.render(BLANK, { fontFolders: ['/nowhere'] });
  await expect(missing).rejects.toBeInstanceOf(library.AppError);
});

test('templates are typed', () => {
  const typed = (_template: library.TemplateDocument) => undefined;
  typed({ name: 'T', width: 9, height: 9, layers: [{ name: 'a', type: 'frame', children: [text] }] });
  typed({ name: 'T', width: 9, height: 9, layers: [{ name: 'a', type: 'shape', fill: '#fff' }] } as const);
  // A document that a compiler has read from a JSON file.
  const json = { name: 'T', width: 9, height: 9, layers: [{ name: 'a', type: 'text', text: 'Hi' }] };
  typed(json as library.TemplateDocument);
  // @ts-expect-error: no such type
  typed({ name: 'T', width: 9, height: 9, layers: [{ name: 'a', type: 'txt' }] });
  // @ts-expect-error: no such property
  typed({ name: 'T', width: 9, height: 9, layers: [{ name: 'a', type: 'text', colour: '#fff' }] });
  const frame = { name: 'a', type: 'frame' } as const;
  // @ts-expect-error: no such property, in a frame
  typed({ name: 'T', width: 9, height: 9, layers: [{ ...frame, children: [{ name: 'b', type: 'qr', txt: '1' }] }] });
});

test.each([
  ['DATABASE_URL', 'file:./dev.db'],
  ['LOG_LEVEL', 'DEBUG'],
  ['PORT', '/run/app.sock'],
  ['ASSETS_URL', 'https://cdn.example.com'],
  ['OTEL_EXPORTER_OTLP_PROTOCOL', 'grpc'],
  ['PLATEN_DATA_FILE', '/nowhere'],
  ['PLATEN_OUTBOUND_PORTS', 'all'],
])('a program’s own variable %s=%s changes nothing', async (name, value) => {
  vi.stubEnv(name, value);
  const src = 'data:image/svg+xml,<svg xmlns="http://www.w3.org/2000/svg" width="4" height="4"/>';
  const pictured = { ...BLANK, layers: [{ name: 'pic', type: 'image' as const, src, width: 4, height: 4 }] };
  const { bytes, warnings } = await library.render(pictured).finally(() => vi.unstubAllEnvs());
  expect([bytes.length > 60, warnings]).toEqual([true, []]);
});

test('a picture outside of the folder is refused, by any way to name it, and whether it exists or not', async () => {
  await using place = await temporaryFolder();
  const folder = join(place.path, 'app', 'cards');
  await mkdir(folder, { recursive: true });
  const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="4" height="4"/>';
  for (const name of ['app/above.svg', 'app/cards/own.svg']) await writeFile(join(place.path, name), svg);
  await symlink(join(place.path, 'app/above.svg'), join(folder, 'link.svg'));
  const drawn = (src: string) =>
    library.render({ ...BLANK, layers: [{ name: 'pic', type: 'image', src, width: 4, height: 4 }] }, { folder }).then(
      () => 'drawn',
      (error: Error) => error.message,
    );
  expect(await drawn('own.svg')).toBe('drawn');
  expect(await drawn(join(folder, 'own.svg'))).toBe('drawn');
  expect(await drawn('none.svg')).toContain('here is no file "none.svg" in the folder.');
  for (const src of ['above.svg', 'etc/hostname']) expect(await drawn(src)).toContain('here is no file');
  for (const src of ['../above.svg', '../none.svg', join(place.path, 'app/above.svg'), '/etc/hostname', 'link.svg'])
    expect(await drawn(src)).toContain('is outside of the folder; name the folder that has it by the option folder');
});

test('what is too much to draw is named by its layer', async () => {
  const d = `M${Array.from({ length: 2_500 }, (_, i) => `${i % 2 ? 0 : 90} ${i % 60}`).join('L')}`;
  const dashed = { name: 'dashed', type: 'shape' as const, shape: 'path' as const, d, width: 100, height: 63 };
  const layers = [{ ...dashed, stroke: 'red', strokeDash: [0.1] }];
  const drawing = library.render({ ...BLANK, width: 100, height: 63, layers });
  await expect(drawing).rejects.toThrow(/^Layer "dashed" has too many edges/);
});
