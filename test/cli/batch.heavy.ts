import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { openServices } from '#server/services.ts';
import { loadConfig } from '../../src/config.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { platen } from './run-platen.ts';

async function templateUnderTest() {
  const folder = await temporaryFolder();
  await using services = await openServices(loadConfig({ PLATEN_DATA: folder.path }));
  const { id: account } = await services.accounts.create({ email: null, displayName: null, plan: 'free' });
  const layers = [
    { name: 'box', type: 'shape', width: 40, height: 20, fill: '#336699' },
    { name: 'title', type: 'text', text: 'Hello', fontSize: 10 },
  ];
  const { id } = await services.templates.create(account, { name: 'Shapes', width: 40, height: 20, layers });
  const file = join(folder.path, 'rows.csv');
  const run = async (csv: string | Uint8Array, ...args: string[]) => {
    await writeFile(file, csv);
    return platen(folder.path, ['batch', id, file, '-o', join(folder.path, 'out'), ...args]);
  };
  const written = async () => (await readdir(join(folder.path, 'out')).catch(() => [])).sort();
  return { id, file, folder, run, written, [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose]() };
}

test('one picture a row, named so that they sort', async () => {
  await using one = await templateUnderTest();
  const rows = Array.from({ length: 12 }, (_, index) => `"Row ${index}",#0000${String(index).padStart(2, '0')},0.5`);
  const { status, stdout, stderr } = await one.run(`title,box,box.opacity\r\n${rows.join('\r\n')}\r\n`, '--json');
  expect([status, stderr]).toEqual([0, '']);
  expect(JSON.parse(stdout)).toEqual({ folder: join(one.folder.path, 'out'), count: 12, ok: 12, failures: [] });
  expect(await one.written()).toEqual(rows.map((_, index) => `${String(index + 1).padStart(2, '0')}.png`));
  const pictures = await Promise.all((await one.written()).map((name) => readFile(join(one.folder.path, 'out', name))));
  expect(new Set(pictures.map((picture) => picture.toString('base64'))).size).toBe(12);
});

test('scale, quality and compression as in a single render', async () => {
  await using one = await templateUnderTest();
  const first = async (...args: string[]) => {
    const { status, stderr } = await one.run('title\nA\n', ...args);
    expect([status, stderr]).toEqual([0, '']);
    return readFile(join(one.folder.path, 'out', `1.${args[1]}`));
  };
  const twice = await sharp(await first('--output', 'png', '--scale', '2')).metadata();
  expect([twice.width, twice.height]).toEqual([80, 40]);
  const [low, high] = [await first('--output', 'jpeg', '--quality', '5'), await first('--output', 'jpeg')];
  expect(low.length).toBeLessThan(high.length);
  expect((await one.run('title\nA\n', '--quality', '7.5')).stderr).toContain('It must be a whole number.');
});

test('rows that fail are reported, the others rendered, and the status is 1', async () => {
  await using one = await templateUnderTest();
  const csv = 'title,box.opacity,boxx\nA,1,x\nB,2,x\nC\nD,0.5,x\n';
  const { status, stdout, stderr } = await one.run(csv, '--output', 'pdf', '--ignore-unknown');
  expect(status).toBe(1);
  expect(stdout).toBe(`2 of 4 rows rendered to ${join(one.folder.path, 'out')}.\n`);
  expect(stderr.split('\n')).toEqual([
    'platen: The template has no layer "boxx"; did you mean "box"?',
    'platen: row 2: modifications.box.opacity: must be at most 1',
    'platen: row 3: It has 1 cells, the first row of the file 3.',
    '',
  ]);
  expect(await one.written()).toEqual(['1.pdf', '4.pdf']);
});

test('what is wrong with the whole is said before anything is rendered', async () => {
  await using one = await templateUnderTest();
  const failing: [string, string][] = [
    ['', 'The file has no row of layer names.'],
    ['title,title\n1,2\n', 'Two columns are named "title".'],
    ['title,\n1,2\n', 'A column has no layer name in the first row.'],
    ['title\n"a\n', 'Line 2 has a quote out of place.'],
    [
      'titel,box.fil,titel.color,title.color\n1,2,3,4\n',
      'The template has no layer "titel"; did you mean "title"?\n' +
        'Layer "box" (shape) has no property "fil"; did you mean "fill"?\n' +
        'The template has no layer "titel.color"; did you mean "title.color"?\n' +
        'Nothing was rendered. Correct the first row, or add --ignore-unknown to leave such columns out.',
    ],
  ];
  for (const [csv, message] of failing) {
    expect(await one.run(csv)).toMatchObject({ status: 1, stdout: '', stderr: `platen: ${message}\n` });
  }
  const unknown = await platen(one.folder.path, ['batch', 'tpl_nope', one.file, '-o', one.folder.path]);
  expect(unknown).toMatchObject({ status: 1, stderr: 'platen: Template "tpl_nope" not found.\n' });
  expect(await one.written()).toEqual([]);
});

test('a table as a spreadsheet saves it: UTF-16 with tabs; another encoding is refused', async () => {
  await using one = await templateUnderTest();
  const table = Buffer.from('\uFEFFtitle\tbox\r\né, ü\t#00ff00\r\n', 'utf16le');
  expect(await one.run(table)).toMatchObject({ status: 0, stderr: '' });
  expect(await one.written()).toEqual(['1.png']);
  expect(await one.run(Buffer.from('title\n\xe9\n', 'latin1'))).toMatchObject({
    status: 1,
    stderr: `platen: ${one.file} is neither UTF-8 nor UTF-16 text; save the table as "CSV UTF-8".\n`,
  });
});

test('the file of a template, with the pictures beside it and the modifications in it, needs no data folder', async () => {
  await using folder = await temporaryFolder();
  const data = join(folder.path, 'data');
  const out = join(folder.path, 'out');
  await sharp({ create: { width: 4, height: 4, channels: 3, background: '#ff0000' } })
    .png()
    .toFile(join(folder.path, 'red.png'));
  const layers = [
    { name: 'photo', type: 'image', src: 'red.png', width: 20, height: 20 },
    { name: 'box', type: 'shape', x: 20, width: 10, height: 20, fill: '#000000' },
    { name: 'end', type: 'shape', x: 30, width: 10, height: 20, fill: '#000000' },
  ];
  const template = { name: 'Shapes', width: 40, height: 20, layers };
  const file = join(folder.path, 'shapes.json');
  await writeFile(file, JSON.stringify({ template, modifications: { box: '#0000ff', end: '#0000ff' } }));
  await writeFile(join(folder.path, 'rows.csv'), 'box\n#00ff00\n#ffff00\n');
  const run = (...args: string[]) => platen(data, ['batch', ...args, join(folder.path, 'rows.csv'), '-o', out]);
  expect(await run(file)).toMatchObject({ status: 0, stdout: `2 of 2 rows rendered to ${out}.\n`, stderr: '' });
  const pixels = await sharp(join(out, '2.png')).removeAlpha().raw().toBuffer();
  const at = (x: number) => pixels.subarray((10 * 40 + x) * 3, (10 * 40 + x) * 3 + 3).toString('hex');
  expect([at(10), at(25), at(35)]).toEqual(['ff0000', 'ffff00', '0000ff']);
  await expect(readdir(data)).rejects.toThrow('ENOENT');

  expect((await run(join(folder.path, 'nope.json'))).stderr).toContain('nope.json does not exist.');
  const page = { name: 'Page', engine: 'html', width: 40, height: 20, html: '<p data-layer="boxx">a</p>' };
  await writeFile(file, JSON.stringify(page));
  expect((await run(file)).stderr).toContain('The template has no layer "box"; did you mean "boxx"?\nNothing was');
});
