// Tests what a new user sees in the first ten minutes by following the README, and the answers to twenty-five typical
// mistakes. The transcript is compared with first-ten-minutes.md. To rewrite it: npx vitest run --project heavy first-ten-minutes -u,
// then read it.

import { execFile } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { platen } from '../cli/run-platen.ts';
import { ROOT } from '../command.ts';
import { type Ask, serverUnderTest } from '../server/http/server-under-test.ts';
import { startProcess } from '../server-process.ts';
import { temporaryFolder } from '../temporary-folder.ts';

/** Replaces what differs from run to run. */
function plain(text: string, folder: string): string {
  return text
    .replaceAll(folder, '/data')
    .replaceAll(`${ROOT}/`, '')
    .replace(/(tpl|rnd|acc|key|img)_[A-Za-z0-9]{16,}/g, '$1_…')
    .replace(/plt_(live|test)_\w{8,}/g, 'plt_$1_…')
    .replace(/127\.0\.0\.1:\d+/g, '127.0.0.1:3000')
    .replace(/sig=[0-9a-f]+/g, 'sig=…')
    .replace(/setup#pll_[\w-]+/g, 'setup#pll_…')
    .replace(/\d+ bytes/g, 'N bytes');
}

class Transcript {
  readonly #parts: string[] = [];
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  say(text: string): void {
    this.#parts.push(text);
  }

  show(asked: string, answered: string): void {
    this.#parts.push(`\`\`\`text\n$ ${plain(asked, this.#folder)}\n${plain(answered.trimEnd(), this.#folder)}\n\`\`\``);
  }

  get text(): string {
    return `${this.#parts.join('\n\n')}\n`;
  }
}

/** The first shell block of a section of the README. */
async function readmeBlock(heading: string): Promise<string> {
  const readme = await readFile(join(ROOT, 'README.md'), 'utf8');
  const [, block = ''] = /```sh\n([\s\S]*?)```/.exec(readme.slice(readme.indexOf(`## ${heading}`))) ?? [];
  return block;
}

const CARD = {
  name: 'Card',
  width: 200,
  height: 100,
  layers: [
    { name: 'title', type: 'text', text: 'Hello', width: 200, height: 40, maxLines: 1, overflow: 'ellipsis' },
    {
      name: 'photo',
      type: 'image',
      src: 'data:image/svg+xml,<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>',
      y: 40,
      width: 40,
      height: 40,
    },
    { name: 'code', type: 'barcode', format: 'ean13', value: '4006381333931', x: 60, y: 40, width: 100, height: 50 },
  ],
};

test('the first ten minutes, and twenty-six mistakes', { timeout: 400_000 }, async () => {
  await using folder = await temporaryFolder();
  const transcript = new Transcript(folder.path);
  transcript.say('# The first ten minutes\n\nMade by `first-ten-minutes.heavy.ts`, which holds every sentence here.');
  await byTheReadme(transcript, join(folder.path, 'first'));
  await mistakesOverHttp(transcript);
  await mistakesOnTheCommandLine(transcript, folder.path);
  await expect(transcript.text).toMatchFileSnapshot('first-ten-minutes.md');
});

async function byTheReadme(transcript: Transcript, data: string): Promise<void> {
  await using server = await startProcess(data);
  const shown = server.printed.split('\n').filter((line) => !/render\.png\?/.test(line));
  transcript.say('## By the README');
  transcript.show('npm start', plain(shown.join('\n'), data));
  const env = { PATH: process.env.PATH } as Record<string, string>;
  for (const [, name = '', value = ''] of server.printed.matchAll(/export (\w+)=(\S+)/g)) env[name] = value;
  const request = (await readmeBlock('One request'))
    .replace(/^#.*$/gm, '')
    .replaceAll('http://127.0.0.1:3000', server.url);
  const { stdout } = await promisify(execFile)('sh', ['-c', request], { env });
  const { id, url, output } = JSON.parse(stdout);
  expect([id, output]).toEqual([expect.stringMatching(/^rnd_/), 'pdf']);
  expect((await (await fetch(url)).text()).slice(0, 5)).toBe('%PDF-');
  transcript.show(request.trim(), stdout);
  const list = await platen(data, ['account', 'list']);
  transcript.show('platen account list', list.stdout);
  expect(list.stdout).toMatch(/^acc_\w+ {2}pro {2}Demo\n$/);
}

async function mistakesOverHttp(transcript: Transcript): Promise<void> {
  await using server = await serverUnderTest();
  const { id: template } = await server.services.templates.create(server.account, CARD);
  transcript.say('## Fifteen mistakes over HTTP');
  const layer = (more: object) => ({
    name: 'Card',
    width: 9,
    height: 9,
    layers: [{ name: 'title', type: 'text', ...more }],
  });
  const render = (modifications: object, more: object = {}): Ask => ({ json: { template, modifications, ...more } });
  const mistakes: [path: string, ask: Ask, expected: number][] = [
    ['/v1/renders', { json: { template }, key: null }, 401],
    ['/v1/renders', { json: { template }, key: null, headers: { authorization: 'Token abc' } }, 401],
    ['/v1/renders', { json: { template }, key: null, headers: { authorization: 'Bearer plt_live_wrong' } }, 401],
    ['/v1/renders', { json: { tempalte: template } }, 400],
    ['/v1/renders', render({ title: 'Hi' }, { format: 'pdf', fullpage: true }), 200],
    ['/v1/renders', render({ titel: 'Hi' }), 200],
    ['/v1/renders', render({ title: { fontsize: 20, fontSize: 0 } }), 400],
    [
      '/v1/renders',
      render({ title: 'So many words that they cannot stand in so small a box at all, however small it is, really' }),
      200,
    ],
    ['/v1/renders', render({ photo: 'images/photo.jpg' }), 400],
    ['/v1/renders', render({ photo: 'htps://example.com/a.jpg' }), 400],
    ['/v1/renders', render({ photo: 'https://nowhere.invalid/a.jpg' }), 400],
    ['/v1/renders', render({ photo: 'img_0000' }), 400],
    ['/v1/templates', { json: { name: 'Page', width: 9, height: 9, engine: 'htlm', html: '<p>x</p>' } }, 400],
    ['/v1/templates', { json: layer({ fontsize: 20, colour: 'red', maxLines: 0 }) }, 400],
    ['/v1/templates', { json: { ...CARD, layers: [{ ...CARD.layers[2], value: '123' }] } }, 400],
  ];
  for (const [path, ask, expected] of mistakes) {
    const answer = await server.ask(path, { method: 'POST', ...ask });
    expect(answer.status, JSON.stringify(ask)).toBe(expected);
    const header =
      ask.key === null
        ? ask.headers?.authorization === undefined
          ? ''
          : ` (Authorization: ${ask.headers.authorization})`
        : '';
    const warnings = answer.headers['platen-warnings'];
    const told = warnings === undefined ? '' : `\nplaten-warnings: ${warnings}`;
    transcript.show(
      `POST ${path}${header} ${JSON.stringify(ask.json)}`,
      plain(`${answer.status} ${answer.text}${told}`, server.folder),
    );
  }
}

async function mistakesOnTheCommandLine(transcript: Transcript, folder: string): Promise<void> {
  const at = (name: string) => join(folder, name);
  await mkdir(at('empty'));
  await writeFile(at('card.json'), JSON.stringify(CARD));
  await writeFile(at('broken.json'), '{"name": "Card",');
  await writeFile(
    at('relative.json'),
    JSON.stringify({ ...CARD, layers: [{ ...CARD.layers[1], src: 'pictures/me.png' }] }),
  );
  await platen(at('two'), ['account', 'create', '--email', 'a@example.com', '--plan', 'free']);
  await platen(at('two'), ['account', 'create', '--email', 'b@example.com', '--plan', 'free']);
  transcript.say('## Eleven mistakes on the command line');
  const mistakes: [data: string, args: string[]][] = [
    ['empty', ['render', at('nowhere.json'), '-o', at('out.png')]],
    ['empty', ['render', at('broken.json'), '-o', at('out.png')]],
    ['empty', ['render', at('card.json'), '-o', at('no/such/folder.png')]],
    ['empty', ['render', at('card.json'), '-o', at('out.gif')]],
    ['empty', ['render', at('card.json'), '--set', 'titel=Hi', '-o', at('out.png')]],
    ['empty', ['render', at('card.json'), '--set', 'title=false', '-o', at('out.png')]],
    ['empty', ['render', at('relative.json'), '-o', at('out.png')]],
    ['empty', ['key', 'create']],
    ['two', ['key', 'create', '--kind', 'live']],
    ['two', ['batch', 'tpl_none', at('rows.csv'), '-o', at('out')]],
    ['two', ['account', 'create', '--email', 'c@example.com', '--plan', 'gold']],
  ];
  // In parallel, as each is a separate process.
  const runs = await Promise.all(mistakes.map(([data, args]) => platen(at(data), args)));
  for (const [index, { stdout, stderr }] of runs.entries()) {
    expect(stderr).not.toMatch(/^ {4}at /m);
    transcript.show(`platen ${mistakes[index]?.[1].join(' ')}`, `${stderr}${stdout}`);
  }
}
