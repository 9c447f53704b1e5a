// Tests the OpenAPI document with the tools that people use on it: two linters, two generators, and a gateway.
//
// They are installed into their own folder, as they need another TypeScript version (install-tools.ts).

import { execFile, spawn } from 'node:child_process';
import { copyFile, readFile, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { openApiDocument } from '#server/http/openapi/document.ts';
import { serve } from '../listen.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const run = promisify(execFile);
const HERE = join(import.meta.dirname, 'contract-tools');
const ROOT = join(import.meta.dirname, '../..');
const bin = (name: string) => join(HERE, 'node_modules/.bin', name);

/** Writes the document into a folder, which also takes the tools' output, and returns its path. */
async function documentIn(
  folder: string,
  address = 'http://127.0.0.1:3000',
  contract: 'all' | 'keys' = 'all',
): Promise<string> {
  const file = join(folder, 'openapi.json');
  await writeFile(file, JSON.stringify(openApiDocument(address, contract), null, 1));
  return file;
}

/** Returns the exit code of a command and what it printed, whether it succeeded or not. */
async function printed(
  command: string,
  args: readonly string[],
  cwd: string,
  env: Readonly<Record<string, string>> = {},
): Promise<{ code: number; text: string }> {
  try {
    const { stdout, stderr } = await run(command, args, { cwd, env: { ...process.env, CI: 'true', ...env } });
    return { code: 0, text: stdout + stderr };
  } catch (error) {
    const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string };
    return { code, text: stdout + stderr };
  }
}

test('Redocly finds no error', async () => {
  await using folder = await temporaryFolder();
  const { code, text } = await printed(bin('redocly'), ['lint', await documentIn(folder.path)], folder.path);
  expect(code, text).toBe(0);
});

test('Spectral finds nothing at all', async () => {
  await using folder = await temporaryFolder();
  await writeFile(join(folder.path, '.spectral.yaml'), 'extends: ["spectral:oas"]\n');
  const file = await documentIn(folder.path);
  const { code, text } = await printed(bin('spectral'), ['lint', '--fail-severity=hint', file], folder.path);
  expect(code, text).toBe(0);
});

test('openapi-typescript, with its defaults, makes types that a caller can use', async () => {
  await using folder = await temporaryFolder();
  const file = await documentIn(folder.path);
  await run(bin('openapi-typescript'), [file, '-o', join(folder.path, 'contract.ts')]);
  await copyFile(join(HERE, 'typed-client.ts'), join(folder.path, 'typed-client.ts'));
  const flags = ['--noEmit', '--strict', '--allowImportingTsExtensions', '--module', 'nodenext'];
  const { code, text } = await printed(bin('tsc'), [...flags, 'typed-client.ts'], folder.path);
  expect(code, text).toBe(0);
});

test('orval makes a client of the contract for keys that compiles as it stands', async () => {
  await using folder = await temporaryFolder();
  const file = await documentIn(folder.path, undefined, 'keys');
  const made = await printed(
    bin('orval'),
    ['--input', file, '--output', 'client.ts', '--client', 'fetch'],
    folder.path,
  );
  expect(made.code, made.text).toBe(0);
  const platform = ['--target', 'es2022', '--lib', 'es2022,dom,dom.iterable', '--module', 'nodenext'];
  const { code, text } = await printed(bin('tsc'), ['--noEmit', '--strict', ...platform, 'client.ts'], folder.path);
  expect(code, text).toBe(0);
  expect(await readFile(join(folder.path, 'client.ts'), 'utf8')).toContain('export const uploadImage = ');
});

/**
 * The HTTP tests to run through the gateway: those with requests and answers in JSON. Prism passes every body on as
 * text, which damages files; it answers HEAD with a length of 0, waits for the whole of a body, refuses one of 8 MiB,
 * and delays requests.
 */
const SUITE = ['samples', 'v1/instant-batch', 'v1/renders', 'v1/templates', 'v1/usage'];
const NOT_THROUGH_PRISM = ['8 MiB', 'before the body', 'an asset says', 'than may wait'];
/** Not sent through it either: two hundred equal requests, whose two answers others have too. Each takes Prism 100 ms. */
const REPEATED = process.env.WHOLE ? [] : ['of 200 at once'];

test('behind Prism the HTTP suite passes, and what is answered well was asked well', async () => {
  await using folder = await temporaryFolder();
  // The suite starts a server per test, but Prism has one upstream: this one forwards to the port in a header.
  await using dispatcher = await serve((incoming, outgoing) => {
    const { 'x-upstream': port, ...headers } = incoming.headers;
    const inner = request(
      { host: '127.0.0.1', port: Number(port), path: incoming.url, method: incoming.method, headers, agent: false },
      (answer) => {
        outgoing.writeHead(answer.statusCode ?? 500, answer.headers);
        answer.pipe(outgoing);
      },
    );
    inner.on('error', () => outgoing.destroy());
    incoming.pipe(inner);
  });
  const upstream = dispatcher.url;
  const port = 20_000 + (process.pid % 20_000);
  const file = await documentIn(folder.path, upstream);
  const prism = spawn(bin('prism'), ['proxy', file, upstream, '--port', String(port)], { stdio: 'pipe' });
  try {
    await new Promise<void>((resolve, reject) => {
      prism.stdout.on('data', (chunk: Buffer) => chunk.includes('listening') && resolve());
      prism.on('exit', (code) => reject(new Error(`Prism ended with ${code}`)));
    });
    const { code, text } = await printed(
      join(ROOT, 'node_modules/.bin/vitest'),
      [
        'run',
        '--no-color',
        '--project=more',
        `--testNamePattern=^(?!.*(${[...NOT_THROUGH_PRISM, ...REPEATED].join('|')}))`,
        ...SUITE.map((name) => `test/server/http/${name}.test.ts`),
      ],
      ROOT,
      { CONTRACT_GATEWAY: String(port) },
    );
    expect(code, text.slice(-8_000)).toBe(0);
    expect(text).toContain(`Test Files  ${SUITE.length} passed`);
  } finally {
    prism.kill();
  }
});
