// A server for screenshots of the studio's pages: it serves the built studio, and answers that are always the same.
//
// `node test/studio/fake-server.ts [port]`. It ignores query strings: lists are never filtered, and nothing is stored.

import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { extname, join } from 'node:path';
import { FAKE_ANSWERS, PICTURES } from './fake-answers.ts';

const ROOT = join(import.meta.dirname, '../..');
const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
  '.ttf': 'font/ttf',
  '.webp': 'image/webp',
  '.jpg': 'image/jpeg',
  '.json': 'application/json',
  '.wasm': 'application/wasm',
};
const POLICY =
  "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' data: blob:; font-src 'self'; " +
  "connect-src 'self'; worker-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; " +
  "require-trusted-types-for 'script'; trusted-types platen";

/** @param answers added to those of fake-answers.ts, or replacing them, by path below `/v1/studio/` */
export function fakeServer(answers: Readonly<Record<string, unknown>> = {}): Server {
  const all: Readonly<Record<string, unknown>> = { ...FAKE_ANSWERS, ...answers };
  return createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    const send = (status: number, type: string, body: string | Buffer) => {
      // The browser keeps what has its digest in its name, as with the real server.
      const caching = pathname.startsWith('/studio/assets/') ? { 'cache-control': 'max-age=31536000, immutable' } : {};
      response.writeHead(status, { 'content-type': type, 'content-security-policy': POLICY, ...caching });
      response.end(body);
    };
    if (pathname.startsWith('/v1/studio/')) {
      const path = decodeURIComponent(pathname.slice('/v1/studio/'.length)).replace(/^accounts\/[^/]+\//, 'A/');
      const picture = PICTURES.find(([pattern]) => pattern.test(path))?.[1](path);
      if (picture) return send(200, TYPES[extname(picture)] ?? '', readFileSync(join(ROOT, picture)));
      const answer = all[path];
      if (answer === undefined) return send(404, 'application/json', '{"error":"Not found.","code":"not_found"}');
      // An answer with the code of a problem is one.
      const isProblem = typeof answer === 'object' && answer !== null && 'code' in answer && 'error' in answer;
      return send(isProblem ? 403 : 200, 'application/json', JSON.stringify(answer));
    }
    const file =
      pathname.startsWith('/studio/') && extname(pathname) ? pathname.slice('/studio/'.length) : 'index.html';
    try {
      send(200, TYPES[extname(file)] ?? 'text/plain', readFileSync(join(ROOT, 'dist/studio', file)));
    } catch {
      send(404, 'text/plain', 'Not found.');
    }
  });
}

if (import.meta.main) {
  const port = Number(process.argv[2] ?? 4_000);
  fakeServer().listen(port, '127.0.0.1', () => console.log(`http://127.0.0.1:${port}/studio/`));
}
