// Six new users, each from an empty folder, with the packages as they would be published: the package is installed and
// draws a picture; by API a picture, its bytes, an invoice of two pages, a webhook on localhost; a picture at the edge.
//
// Prints for each the lines that the user writes, and how long they run.

import { execFile } from 'node:child_process';
import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ROOT } from '../command.ts';
import { poppler, sizesOf, wordsOf } from '../golden/poppler.ts';
import { hasChromium } from '../server/chromium/chromium.ts';
import { type ServerProcess, startProcess } from '../server-process.ts';
import { type TemporaryFolder, temporaryFolder } from '../temporary-folder.ts';
import { packed } from './packed.ts';

const run = promisify(execFile);

const CARD = `{ "name": "Card", "width": 600, "height": 200, "background": "#0b1020",
  "layers": [{ "name": "title", "type": "text", "text": "Hello", "x": 32, "y": 64, "fontSize": 48, "color": "#fff" }] }
`;

const PICTURE = `curl -sf $PLATEN_URL/v1/renders -H "Authorization: Bearer $PLATEN_KEY" -H 'Content-Type: application/json' \\
  -d '{ "template": "'$PLATEN_TEMPLATE'", "modifications": { "title": "Hello" } }' > answer.json
curl -sf $(sed 's/.*"url":"\\([^"]*\\)".*/\\1/' answer.json) -o picture.png
`;

const BYTES = `import { writeFile } from 'node:fs/promises';
import { Platen } from '@platen/client';
const template = process.env.PLATEN_TEMPLATE;
const { bytes } = await new Platen().renders.download({ template, modifications: { title: 'Hello' }, output: 'webp' });
await writeFile('picture.webp', Buffer.from(bytes));
`;

const INVOICE = `import { writeFile } from 'node:fs/promises';
import { Platen } from '@platen/client';
const rows = Array.from({ length: 60 }, (_, row) => \`<tr><td>Item \${row + 1}<td>12.00\`).join('');
const { bytes } = await new Platen().screenshots.download({
  html: \`<title>Invoice 118</title><h1>Invoice 118</h1><table><thead><tr><th>Item<th>Price</thead>\${rows}</table>\`,
  output: 'pdf',
  pdf: {
    format: 'A4', margin: '20mm',
    footerTemplate: '<p style="font-size:9px;margin:auto">page <span class=pageNumber></span> of <span class=totalPages></span></p>',
  },
});
await writeFile('invoice.pdf', Buffer.from(bytes));
`;

const WEBHOOK = `import { createServer } from 'node:http';
import { Platen, verifyWebhook } from '@platen/client';
const secret = await new Platen({ apiKey: process.env.PLATEN_SECRETS_KEY }).secrets.show('webhook');
const receiver = createServer(async (request, response) => {
  const body = (await request.toArray()).join('');
  console.log((await verifyWebhook({ secret, body, headers: request.headers })).status);
  response.writeHead(204).end(() => process.exit());
});
receiver.listen(0, '127.0.0.1', async () => {
  const webhookUrl = \`http://localhost:\${receiver.address().port}/done\`;
  await new Platen().renders.enqueue({ template: process.env.PLATEN_TEMPLATE, webhookUrl });
});
`;

const EDGE = `import { readFile, writeFile } from 'node:fs/promises';
import { render } from 'platen/edge';
const template = JSON.parse(await readFile('card.json', 'utf8'));
const { bytes, warnings } = await render(template, { fonts: [{ data: await readFile('Inter.ttf') }] });
await writeFile('edge.png', bytes);
console.log(warnings.length);
`;

const REGULAR = join(ROOT, 'node_modules/@expo-google-fonts/inter/400Regular/Inter_400Regular.ttf');
const quietly = ['--no-audit', '--no-fund', '--ignore-scripts'];

let folder: TemporaryFolder;
let server: ServerProcess;
let env: NodeJS.ProcessEnv;
let installing = 0;
const table: string[] = [];

/** Runs a program in the user's folder, and notes its lines and its time. */
async function user(name: string, file: string, program: string, others: Readonly<Record<string, string>> = {}) {
  const cwd = join(folder.path, name.replaceAll(' ', '-'));
  await mkdir(cwd, { recursive: true });
  for (const [other, text] of Object.entries({ ...others, [file]: program })) await writeFile(join(cwd, other), text);
  if (name === 'edge') await copyFile(REGULAR, join(cwd, 'Inter.ttf'));
  const begun = performance.now();
  const command = file.endsWith('.sh') ? (['bash', ['-eu', file]] as const) : ([process.execPath, [file]] as const);
  const { stdout } = await run(command[0], command[1], { cwd, env, timeout: 60_000 });
  const seconds = (performance.now() - begun) / 1000;
  const lines = [program, ...Object.values(others)].join('').trim().split('\n').length;
  table.push(`${name.padEnd(16)} ${String(lines).padStart(5)} ${seconds.toFixed(1).padStart(9)}`);
  return { stdout, read: (made: string) => readFile(join(cwd, made)) };
}

beforeAll(async () => {
  folder = await temporaryFolder();
  const archives = [await packed('platen', folder.path), await packed('platen-client', folder.path)];
  await writeFile(join(folder.path, 'package.json'), '{"private": true, "type": "module"}');
  const begun = performance.now();
  const { stderr } = await run('npm', ['install', ...quietly, ...archives], {
    cwd: folder.path,
  });
  installing = (performance.now() - begun) / 1000;
  expect(stderr).not.toContain('EBADENGINE');
  const platen = join(folder.path, 'node_modules/platen/bin/platen.mjs');
  const settings = { PLATEN_ALLOW_PRIVATE_NETWORKS: '127.0.0.0/8' };
  const data = join(folder.path, 'data');
  server = await startProcess(data, settings, [process.execPath, platen, 'serve']);
  env = { ...process.env, PLATEN_DATA: data, PLATEN_URL: server.url };
  for (const [, name = '', value = ''] of server.printed.matchAll(/export (\w+)=(\S+)/g)) env[name] = value;
  const key = ['key', 'create', '--kind', 'live', '--scope', 'manage-secrets', '--json'];
  const { stdout } = await run(process.execPath, [platen, ...key], { env });
  env.PLATEN_SECRETS_KEY = JSON.parse(stdout).key;
}, 300_000);
afterAll(async () => {
  console.log(
    `installing both packages: ${installing.toFixed(1)} s\n\nuser             lines   seconds\n${table.join('\n')}`,
  );
  await server?.[Symbol.asyncDispose]();
  await folder?.[Symbol.asyncDispose]();
});

const isPng = (file: Buffer) => file.toString('latin1', 1, 4) === 'PNG';

test('the command line draws a picture', async () => {
  const made = await user('command line', 'draw.sh', 'npx platen render card.json -o card.png\n', {
    'card.json': CARD,
  });
  expect(isPng(await made.read('card.png'))).toBe(true);
});

test('the API draws a picture', async () => {
  const made = await user('first picture', 'picture.sh', PICTURE);
  expect(isPng(await made.read('picture.png'))).toBe(true);
});

test('the client has the bytes', async () => {
  const made = await user('bytes', 'bytes.js', BYTES);
  expect((await made.read('picture.webp')).toString('latin1', 8, 12)).toBe('WEBP');
});

test.skipIf(!hasChromium || !poppler)('an invoice has two pages, which are numbered', async () => {
  const pdf = await (await user('invoice', 'invoice.js', INVOICE)).read('invoice.pdf');
  expect(sizesOf(pdf)).toHaveLength(2);
  const words = wordsOf(pdf);
  for (const text of ['Item 60', 'page 1 of 2', 'page 2 of 2']) expect(words).toContain(text);
  expect(words.match(/Item Price/g)).toHaveLength(2);
});

test('a webhook arrives on localhost, and its signature is right', async () => {
  expect((await user('webhook', 'webhook.js', WEBHOOK)).stdout.trim()).toBe('done');
});

test('the edge draws a picture', async () => {
  const made = await user('edge', 'edge.js', EDGE, { 'card.json': CARD });
  expect([isPng(await made.read('edge.png')), made.stdout.trim()]).toEqual([true, '0']);
});
