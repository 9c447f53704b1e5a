// A server for tests of the editor. It serves the built studio and the catalogue's fonts, keeps drafts in memory, and
// draws with Platen's own renderer.
//
// `node test/studio/editor/editor-server.ts [port]` serves the samples, each at `…/templates/sample-<name>/edit`.

import { readdirSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { extname, join } from 'node:path';
import { ValidationError } from '#core/diagnostics.ts';
import type { Coverage } from '#core/fonts/coverage.ts';
import { Families } from '#core/fonts/families.ts';
import { parseBrand } from '#design/brand.ts';
import { fileFinder, findPackage, readCatalog } from '#draw/fonts/catalog.ts';
import { drawAs } from '../../golden/render-case.ts';

const ROOT = join(import.meta.dirname, '../../..');
const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
  '.wasm': 'application/wasm',
};
/** The same policy as the real server's (src/server/http/studio). */
const POLICY =
  "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' data: blob:; " +
  "font-src 'self' data: blob:; connect-src 'self' data: blob:; worker-src 'self' blob:; frame-src 'self' blob:; " +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; " +
  'trusted-types platen default';

const catalog = readCatalog();
const families = Families.of(catalog, fileFinder(findPackage), []);
const faces = new Map(families.all.flatMap((family) => family.faces.map((face) => [face.id, face])));

const fontListing = {
  families: families.all.map(({ name, category, scripts, faces: list }) => ({
    family: name,
    own: false,
    scripts,
    faces: list.map(({ id, weight, width, style, axes }) => {
      return { id, fontId: null, weight, width, style, axes, isEmoji: category === 'emoji', size: null };
    }),
  })),
  generic: Object.fromEntries(families.generic),
  installable: families.installable,
  canAdd: true,
};

const coverageAnswer = Object.fromEntries(
  [...faces].map(([id, { coverage }]): [string, string] => [id, (coverage as Coverage).toString()]),
);

type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/**
 * Replaces references to image files of `folder` by data URLs, because a page cannot resolve the relative paths.
 *
 * @param areValues whether `value` is modifications, where the key of an image is its layer's name
 */
export function withPictures(value: Json, folder: string, areValues = false): Json {
  if (Array.isArray(value)) return value.map((one) => withPictures(one, folder, areValues));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => {
      const mayBeFile =
        /^(src|fallback)$/.test(key) ||
        (areValues && typeof inner === 'string' && /^assets\/|\.(png|jpg|svg|webp)$/.test(inner));
      if (!mayBeFile || typeof inner !== 'string' || /^(data:|https?:|$)/.test(inner)) {
        return [key, withPictures(inner, folder, areValues)];
      }
      try {
        return [key, `data:application/octet-stream;base64,${readFileSync(join(folder, inner)).toString('base64')}`];
      } catch {
        return [key, inner];
      }
    }),
  );
}

export interface StoredDraft {
  document: Json;
  revision: number;
  version: number;
}

export function editorServer(studio = join(ROOT, 'dist/studio')) {
  const drafts = new Map<string, StoredDraft>();
  for (const file of readdirSync(join(ROOT, 'samples'))) {
    if (!file.endsWith('.json')) continue;
    const document = withPictures(JSON.parse(readFileSync(join(ROOT, 'samples', file), 'utf8')), join(ROOT, 'samples'));
    drafts.set(`sample-${file.slice(0, -'.json'.length)}`, { document, revision: 1, version: 1 });
  }
  const campaign = JSON.parse(readFileSync(join(ROOT, 'samples/campaign/campaign.json'), 'utf8'));
  drafts.set('sample-campaign', { document: campaign.template, revision: 1, version: 1 });
  const server: Server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost');
    const send = (status: number, type: string, body: string | Uint8Array) => {
      // The browser keeps what has its digest in its name, as with the real server.
      const caching = pathname.startsWith('/studio/assets/') ? { 'cache-control': 'max-age=31536000, immutable' } : {};
      response.writeHead(status, { 'content-type': type, 'content-security-policy': POLICY, ...caching });
      response.end(body);
    };
    const json = (status: number, body: unknown) => send(status, 'application/json', JSON.stringify(body));
    const answer = async () => {
      if (!pathname.startsWith('/v1/studio/')) {
        const name =
          pathname.startsWith('/studio/') && extname(pathname) ? pathname.slice('/studio/'.length) : 'index.html';
        return send(200, TYPES[extname(name)] ?? 'text/plain', await readFile(join(studio, name)));
      }
      const path = pathname.slice('/v1/studio/'.length).split('/').map(decodeURIComponent);
      if (path[0] === 'session') return json(200, SESSION);
      const [, , resource, id, part] = path;
      if (resource === 'fonts') {
        if (id === undefined) return json(200, fontListing);
        if (id === 'coverage') return json(200, coverageAnswer);
        if (id === 'catalogue') {
          const { family } = JSON.parse(await bodyOf(request));
          // As if its package had been fetched: a font that is there already, under its name.
          const [like] = fontListing.families;
          if (like) fontListing.families.push({ ...like, family, own: true });
          return json(201, { fonts: [] });
        }
        const face = faces.get(part ?? '');
        return face
          ? send(200, 'font/ttf', await readFile(face.path))
          : json(404, { error: 'No such face.', code: 'not_found' });
      }
      if (resource === 'brands') {
        const names = Object.keys(campaign.brands);
        const at = new Date(0).toISOString();
        if (id === undefined) return json(200, { items: names.map((name) => ({ name, version: 1, updatedAt: at })) });
        const [name = ''] = id.split('@');
        if (!names.includes(name)) return json(404, { error: `There is no brand "${name}".`, code: 'not_found' });
        return json(200, { name, version: 1, ...parseBrand(campaign.brands[name]) });
      }
      if (resource === 'images' && id === undefined) {
        const image = { id: 'img_map', name: 'map.svg', width: 300, height: 200 };
        const isFound = image.name.includes(searchParams.get('search') ?? '');
        return json(200, { items: isFound ? [image] : [], next: null, folders: [] });
      }
      if (resource === 'images') return send(200, 'image/svg+xml', MAP);
      if (resource === 'preview') {
        const { document, modifications = {}, output = 'png', page } = JSON.parse(await bodyOf(request));
        const isPdf = output === 'pdf';
        const file = await drawAs(isPdf ? 'pdf' : 'png', { template: document, modifications }, page);
        return send(200, isPdf ? 'application/pdf' : 'image/png', file);
      }
      if (resource === 'templates' && id === undefined && request.method === 'POST') {
        const { document } = JSON.parse(await bodyOf(request));
        const made = `tpl_made${drafts.size}`;
        drafts.set(made, { document, revision: 1, version: 1 });
        return json(201, { id: made, name: document.name, version: 1 });
      }
      if (resource === 'templates' && id === undefined) {
        const items = [...drafts].flatMap(([id, { document, version }]) => {
          const { name } = document as { name: string };
          const isFound = id.startsWith('tpl_') && name.toLowerCase().includes(searchParams.get('search') ?? '');
          const card = { id, name, version, engine: 'layers', folder: null, thumbnail: '/studio/icon.svg' };
          return isFound ? [card] : [];
        });
        return json(200, { items, next: null });
      }
      const draft = resource === 'templates' ? drafts.get(id ?? '') : undefined;
      if (!draft) return json(404, { error: 'Not found.', code: 'not_found' });
      if (request.method === 'GET') {
        const { document, revision, version } = draft;
        if (part === 'versions' && path.length > 5) return json(200, { document, version });
        if (part === undefined) return json(200, { id, name: 'A template', version, document });
        if (part === 'versions') return json(200, { items: [{ version, author: null, createdAt: 0 }], next: null });
        return json(200, { document, revision, baseVersion: version, savedAt: null, savedBy: null });
      }
      if (request.headers['if-match'] !== `"${draft.revision}"`) {
        return json(412, {
          error: 'Somebody saved it.',
          code: 'changed',
          revision: draft.revision,
          savedAt: null,
          savedBy: null,
        });
      }
      draft.revision += 1;
      const savedAt = new Date(0).toISOString();
      if (part === 'publish') {
        draft.version += 1;
        return json(201, { version: draft.version, revision: draft.revision, createdAt: savedAt });
      }
      draft.document = JSON.parse(await bodyOf(request)).document;
      return json(200, { revision: draft.revision, savedAt });
    };
    answer().catch((error: unknown) => {
      const status = error instanceof ValidationError ? 400 : 500;
      json(status, { error: error instanceof Error ? error.message : String(error), code: 'invalid_request' });
    });
  });
  return { server, drafts };
}

/** A picture that was uploaded. */
const MAP =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 300 200" width="300" height="200"><rect width="300" height="200" fill="#2a7"/><circle cx="150" cy="100" r="60" fill="#fff"/></svg>';

const SESSION = {
  person: { id: 'usr_1', name: 'Ada', email: 'ada@example.com' },
  accounts: [{ id: 'acc_1', name: 'Studio', role: 'owner', plan: 'pro' }],
  sudoUntil: null,
  claimed: true,
  insecure: null,
  minPassword: 12,
};

async function bodyOf(request: IncomingMessage): Promise<string> {
  let body = '';
  for await (const chunk of request) body += chunk;
  return body;
}

if (import.meta.main) {
  const port = Number(process.argv[2] ?? 4_100);
  editorServer().server.listen(port, '127.0.0.1', () =>
    console.log(`http://127.0.0.1:${port}/studio/a/acc_1/templates/sample-social-card/edit`),
  );
}
