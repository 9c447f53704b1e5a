import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { openServices } from '#server/services.ts';
import { loadConfig } from '../../src/server/config/config.ts';
import { ask, has } from '../draw/output/pdf/page.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { platen, startPlaten } from './run-platen.ts';

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
    'platen: row 3: Its number of cells is 1, that of the first row of the file 3.',
    '',
  ]);
  expect(await one.written()).toEqual(['.platen-batch', '1.pdf', '4.pdf']);
});

test('what is wrong with the whole is said before anything is rendered', async () => {
  await using one = await templateUnderTest();
  const failing: [string, string][] = [
    ['', 'The table has no row of layer names.'],
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

const CARD = {
  ...{ name: 'Certificate', width: 200, height: 60 },
  layers: [{ name: 'title', type: 'text', text: 'Hello', x: 4, y: 4, fontSize: 20 }],
};

async function cardUnderTest() {
  const folder = await temporaryFolder();
  const at = (name: string) => join(folder.path, name);
  await writeFile(at('card.json'), JSON.stringify(CARD));
  const start = (csv: string, ...args: string[]) => ['batch', at('card.json'), csv, ...args];
  return { at, start, path: folder.path, [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose]() };
}

test('files are called by a column, which need not be a layer; the rows come from standard input', async () => {
  await using card = await cardUnderTest();
  const out = card.at('out');
  const csv = 'order;title\nA-1;One\nA-1;Two\n;Three\n../x;Four\n';
  const args = card.start('-', '-o', out, '--name-from', 'order', '--output', 'webp');
  expect(await platen(card.path, args, {}, csv)).toMatchObject({ status: 0, stderr: '' });
  expect((await readdir(out)).sort()).toEqual(['3.webp', 'A-1-2.webp', 'A-1.webp', '_-x.webp']);
  const wrong = await platen(card.path, card.start('-', '-o', out, '--name-from', 'ordre'), {}, csv);
  expect(wrong).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('no column "ordre"; did you mean "order"?'),
  });
});

test('a run that was killed goes on where it stopped: nothing is made twice, nothing is missing', async () => {
  await using card = await cardUnderTest();
  const out = card.at('out');
  const rows = Array.from({ length: 400 }, (_, index) => `Row ${index}`);
  await writeFile(card.at('rows.csv'), `title\n${rows.join('\n')}\n`);
  const args = card.start(card.at('rows.csv'), '-o', out, '--json');
  const killed = startPlaten(card.path, args);
  const files = async () => (await readdir(out).catch(() => [])).filter((name) => name.endsWith('.png'));
  while ((await files()).length < 20) await setTimeout(5);
  killed.kill('SIGKILL');
  await once(killed, 'close');
  const before = new Map<string, number>();
  for (const name of await files()) before.set(name, (await stat(join(out, name))).mtimeMs);
  expect(before.size).toBeLessThan(400);

  const { stdout, status } = await platen(card.path, args);
  expect([status, JSON.parse(stdout)]).toEqual([
    0,
    { folder: out, count: 400, ok: 400, kept: before.size, failures: [] },
  ]);
  expect(await files()).toHaveLength(400);
  expect((await readdir(out)).filter((name) => !name.endsWith('.png'))).toEqual([]);
  for (const [name, time] of before) expect((await stat(join(out, name))).mtimeMs).toBe(time);
  for (const name of await files()) await sharp(join(out, name)).stats();

  // The run is over, so the next one renders all of them.
  expect((await platen(card.path, args)).stdout).not.toContain('kept');
});

test('the pages of a merged PDF are numbered over all of it', async () => {
  await using card = await cardUnderTest();
  const layers = [
    {
      ...{ name: 'body', type: 'frame', flow: true },
      children: [{ name: 'title', type: 'text', text: '', fontSize: 20 }],
    },
    { name: 'no', type: 'text', y: 60, spans: [{ counter: 'page' }, { text: '/' }, { counter: 'pages' }] },
  ];
  await writeFile(card.at('card.json'), JSON.stringify({ ...CARD, page: { size: [200, 100], margin: 20 }, layers }));
  const merge = card.at('all.pdf');
  const csv = `title\nOne\n${'"a\nb\nc\nd\ne\nf"'}\nThree\n`;
  const run = await platen(card.path, card.start('-', '--merge', merge, '--numbering', 'file'), {}, csv);
  expect(run).toMatchObject({ status: 0, stderr: '' });
  const texts = execFileSync('pdftotext', [merge, '-'], { encoding: 'utf8' }).split('\f').slice(0, -1);
  expect(texts.length).toBeGreaterThan(3);
  expect(texts.map((text) => /\d+\/\d+/.exec(text)?.[0])).toEqual(texts.map((_, i) => `${i + 1}/${texts.length}`));
  const zip = await platen(card.path, card.start('-', '--merge', card.at('a.zip'), '--numbering', 'file'), {}, csv);
  expect(zip.stderr).toContain('--numbering file: is for --merge FILE.pdf.');
});

test('other rows or options are another run', async () => {
  await using card = await cardUnderTest();
  const out = card.at('out');
  const run = async (csv: string, ...args: string[]) => {
    await writeFile(card.at('rows.csv'), csv);
    return platen(card.path, card.start(card.at('rows.csv'), '-o', out, ...args));
  };
  // The row that fails leaves the run unfinished.
  expect(await run('title\nA\nB,C\n')).toMatchObject({ status: 1 });
  expect((await run('title\nA\nB,C\n')).stdout).toContain('1 of them were there');
  expect((await run('title\nA\nB,C\n', '--start-again')).stdout).not.toContain('were there');
  expect((await run('title\nA\nB,C\n', '--scale', '2')).stdout).not.toContain('were there');
  expect((await run('title\nX\nB,C\n', '--scale', '2')).stdout).not.toContain('were there');
});

test('all rows become one PDF or one zip, which is only written whole', async () => {
  await using card = await cardUnderTest();
  await writeFile(card.at('rows.csv'), 'title,who\nOne,a\nTwo,b\nThree,a\n');
  const merge = async (name: string, ...args: string[]) =>
    platen(card.path, card.start(card.at('rows.csv'), '--merge', card.at(name), '--name-from', 'who', ...args));
  expect(await merge('all.pdf', '--pdf', 'title=The class')).toMatchObject({ status: 0, stderr: '' });
  expect(await merge('all.zip')).toMatchObject({
    status: 0,
    stdout: `3 of 3 rows rendered to ${card.at('all.zip')}.\n`,
  });
  expect((await readdir(card.path)).sort()).toEqual(['all.pdf', 'all.zip', 'card.json', 'rows.csv']);
  if (has('pdftotext') && has('unzip')) {
    const pdf = await readFile(card.at('all.pdf'));
    expect(ask('pdftotext', pdf, [], ['-']).split(/\s+/).filter(Boolean)).toEqual(['One', 'Two', 'Three']);
    expect(ask('pdfinfo', pdf, [])).toMatch(/Title: +The class[\s\S]*Pages: +3/);
    expect(execFileSync('unzip', ['-Z1', card.at('all.zip')]).toString()).toBe('a.png\nb.png\na-2.png\n');
  }
  const cells = ['size=A4', 'columns=3', 'rows=8', 'gap=2mm,0', 'start=23'].flatMap((word) => ['--sheet', word]);
  expect(await merge('labels.pdf', ...cells)).toMatchObject({ status: 0, stderr: '' });
  if (has('pdfinfo')) expect(ask('pdfinfo', await readFile(card.at('labels.pdf')), [])).toMatch(/Pages: +2/);
  expect((await merge('all.zip', ...cells)).stderr).toContain('--sheet: is for --merge FILE.pdf');
  // A row that fails leaves what was merged before as it is; the rows that are done are kept for the next run.
  const [before] = [await readFile(card.at('all.pdf'))];
  await writeFile(card.at('rows.csv'), 'title,who\nOne,a\nTwo\n');
  const failed = await merge('all.pdf');
  expect(failed).toMatchObject({ status: 1, stderr: expect.stringContaining('all.pdf was not written.') });
  expect(await readFile(card.at('all.pdf'))).toEqual(before);
  expect((await merge('all.doc')).stderr).toContain('must end in .pdf or .zip');
  expect((await merge('all.pdf', '--output', 'png')).stderr).toContain('--output: must be pdf');
});
