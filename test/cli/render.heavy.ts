import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { objects } from '../draw/output/pdf/page.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { platen } from './run-platen.ts';

const SVG =
  '<svg xmlns="http://www.w3.org/2000/svg" width="4" height="4"><rect width="4" height="4" fill="red"/></svg>';
const template = {
  name: 'Card',
  width: 60,
  height: 30,
  layers: [
    { name: 'photo', type: 'image', src: 'assets/red.svg', width: 30, height: 30 },
    { name: 'title', type: 'text', text: 'Hello', fontSize: 10, x: 32 },
  ],
};

/** A temporary folder with `cards/card.json`, whose image is outside of `cards`. */
async function project() {
  const folder = await temporaryFolder();
  const at = (name: string) => join(folder.path, name);
  await mkdir(at('cards'));
  await mkdir(at('assets'));
  await writeFile(at('assets/red.svg'), SVG);
  await writeFile(at('cards/card.json'), JSON.stringify(template));
  const render = (file: string, out: string, ...more: string[]) =>
    platen(at('unused'), ['render', at(file), '-o', at(out), ...more]);
  return { at, render, [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose]() };
}

/** Width and height of a PNG, from its header. */
async function pngSize(path: string): Promise<[number, number]> {
  const bytes = await readFile(path);
  return [bytes.readUInt32BE(16), bytes.readUInt32BE(20)];
}

test('the extension says the format, and no data folder is made', async () => {
  await using made = await project();
  const heads = { png: '\x89PNG', jpg: '\xff\xd8\xff', webp: 'RIFF', pdf: '%PDF-' };
  await Promise.all(
    Object.entries(heads).map(async ([extension, head]) => {
      const { status, stderr } = await made.render('cards/card.json', `out.${extension}`);
      expect([status, stderr], extension).toEqual([0, '']);
      expect((await readFile(made.at(`out.${extension}`))).toString('latin1')).toMatch(new RegExp(`^${head}`));
    }),
  );
  await expect(readFile(made.at('unused'))).rejects.toMatchObject({ code: 'ENOENT' });
});

test('--scale, --set and --json', async () => {
  await using made = await project();
  const set = ['--set', 'title=Bye', '--set', 'title.fontSize=8', '--set', 'nobody=x', '--scale', '2'];
  const { status, stdout, stderr } = await made.render('cards/card.json', 'out.png', ...set, '--json');
  expect([status, stderr]).toEqual([0, 'platen: The template has no layer "nobody".\n']);
  expect(JSON.parse(stdout)).toEqual({
    file: made.at('out.png'),
    output: 'png',
    bytes: (await readFile(made.at('out.png'))).length,
    warnings: ['The template has no layer "nobody".'],
  });
  expect(await pngSize(made.at('out.png'))).toEqual([120, 60]);
});

test('a file may hold a template and its modifications; --set wins', async () => {
  await using made = await project();
  const blank = { template, modifications: { photo: false, title: '' } };
  await writeFile(made.at('cards/blank.json'), JSON.stringify(blank));
  await made.render('cards/blank.json', 'blank.png');
  await made.render('cards/blank.json', 'shown.png', '--set', 'title=Hello');
  await made.render('cards/card.json', 'same.png', '--set', 'photo.visible=false');
  expect(await readFile(made.at('shown.png'))).toEqual(await readFile(made.at('same.png')));
  expect(await readFile(made.at('shown.png'))).not.toEqual(await readFile(made.at('blank.png')));
});

test('--set NAME=false hides a frame, a picture and a shape; of a text it is the word, and a warning says so', async () => {
  await using made = await project();
  const shape = { type: 'shape', width: 20, height: 20, fill: '#d33' };
  const hidden = ['row6', 'photo', 'dot'];
  const layers = [
    { name: 'row6', type: 'frame', width: 40, height: 20, background: '#eee', children: [{ ...shape, name: 'in' }] },
    { name: 'photo', type: 'image', src: '../assets/red.svg', x: 40, width: 10, height: 10 },
    { ...shape, name: 'dot', x: 40, y: 12, height: 8 },
  ];
  const card = { ...template, layers: [...layers, template.layers[1]] };
  await writeFile(made.at('cards/rows.json'), JSON.stringify(card));
  await writeFile(made.at('cards/none.json'), JSON.stringify({ ...card, layers: [template.layers[1]] }));
  const bytesOf = async (file: string, out: string, ...more: string[]) => {
    const { status, stderr } = await made.render(file, out, ...more);
    expect(status, stderr).toBe(0);
    return { bytes: await readFile(made.at(out)), stderr };
  };
  const none = await bytesOf('cards/none.json', 'none.png');
  const all = await bytesOf('cards/rows.json', 'all.png', ...hidden.flatMap((name) => ['--set', `${name}=false`]));
  expect([all.stderr, all.bytes.equals(none.bytes)]).toEqual(['', true]);
  const word = await bytesOf('cards/none.json', 'word.png', '--set', 'title=false');
  expect(word.stderr).toContain('--set title.visible=false');
  expect(word.bytes.equals(none.bytes)).toBe(false);
});

test('what is wrong is said in one line', async () => {
  await using made = await project();
  const cases: [string[], string][] = [
    [
      ['--set', 'photo=nowhere.png'],
      'Image of layer "photo" could not be loaded: there is no file "nowhere.png" beside the template.',
    ],
    [['--set', 'photo=http://127.0.0.1/x.png'], 'its host is the server’s own machine'],
    [['--set', 'title.fontSize=0'], 'modifications.title.fontSize: must be at least 1'],
    [['--scale', '9'], 'It must be a number from 0.1 to 3.'],
    [['--set', 'title'], 'It must be name=value.'],
  ];
  await Promise.all(
    cases.map(async ([more, message]) => {
      const { status, stdout, stderr } = await made.render('cards/card.json', 'out.png', ...more);
      expect([status, stdout], message).toEqual([1, '']);
      expect(stderr).toContain(message);
    }),
  );
});

test('layout prints where the layers end up', async () => {
  await using made = await project();
  const { status, stdout } = await platen(made.at('unused'), [
    'layout',
    made.at('cards/card.json'),
    '--set',
    'title=Two cats',
    '--json',
  ]);
  const { layers } = JSON.parse(stdout);
  expect([status, layers[0]]).toEqual([0, { name: 'photo', frame: null, x: 0, y: 0, width: 30, height: 30 }]);
  expect(layers[1].text.lines.map((line: { text: string }) => line.text)).toEqual(['Two', 'cats']);
});

test('an html template without a browser, with a picture beside it', async () => {
  await using made = await project();
  const page = {
    name: 'Page',
    width: 60,
    height: 30,
    engine: 'html',
    renderer: 'satori',
    html: '<p data-layer="title" style="margin:0;font-size:10px">x</p><img src="assets/red.svg" style="width:20px;height:10px">',
  };
  await writeFile(made.at('cards/page.json'), JSON.stringify(page));
  for (const extension of ['png', 'pdf']) {
    const { status, stderr } = await made.render('cards/page.json', `page.${extension}`, '--set', 'title=<b>Hi</b>');
    expect([status, stderr]).toEqual([0, '']);
  }
  expect(await pngSize(made.at('page.png'))).toEqual([60, 30]);
  await writeFile(made.at('cards/page.json'), JSON.stringify({ ...page, html: '<iframe></iframe>' }));
  const { status, stderr } = await made.render('cards/page.json', 'none.png');
  expect([status, stderr]).toEqual([
    1,
    'platen: html, line 1: <iframe> cannot be drawn with renderer "satori"; change it, or use renderer "chromium".\n',
  ]);
});

test('--pdf says what a PDF says of itself', async () => {
  await using made = await project();
  const options = ['title=42', 'keywords=a,b', 'language=pt-BR', 'viewer.fitWindow=true', 'pageLabel.start=7'];
  const wishes = [...options, 'density=150', 'reproducible=true'].flatMap((option) => ['--pdf', option]);
  const { status, stderr } = await made.render('cards/card.json', 'out.pdf', ...wishes);
  expect([status, stderr]).toEqual([0, '']);
  const text = objects(await readFile(made.at('out.pdf')));
  expect((await made.render('cards/card.json', 'out.pdf', '--pdf', 'density=9')).stderr).toContain(
    'pdf.density: must be at least 72',
  );
  for (const entry of ['/Title (42)', '/Keywords (a, b)', '/Lang (pt-BR)', '/FitWindow true', '/St 7', 'D:20000101']) {
    expect(text).toContain(entry);
  }
});
