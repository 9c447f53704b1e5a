// Serves the files of a built site from memory. Each is compressed on first demand, has an ETag, and is cached by
// browsers for good if its name contains a hash.

import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { extname, join, sep } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { clientHas } from './middleware/file-response.ts';
import type { RequestContext } from './middleware/request-context.ts';

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.jpg': 'image/jpeg',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.ttf': 'font/ttf',
  '.txt': 'text/plain; charset=utf-8',
  '.wasm': 'application/wasm',
  '.webmanifest': 'application/manifest+json',
  '.webp': 'image/webp',
  '.woff': 'font/woff',
  '.woff2': 'font/woff2',
};
/** Types worth compressing; others are compressed already. */
const SHRINKS = /^(text|application)\/|svg|font\/ttf/;
/** Below this size, compression saves less than it costs, bytes. */
const WORTH_PACKING = 1_024;

type Encoding = 'br' | 'gzip';

/** A file in memory, compressed on first demand. */
export class SiteFile {
  readonly bytes: Buffer;
  readonly type: string;
  /** Whether its name contains a hash of it, so that it never changes. */
  readonly isHashed: boolean;
  readonly etag: string;
  readonly #packed = new Map<Encoding, Promise<Buffer>>();

  constructor(name: string, bytes: Buffer, etag: string, packed: Partial<Record<Encoding, Buffer>>) {
    this.bytes = bytes;
    this.etag = etag;
    this.type = TYPES[extname(name)] ?? 'application/octet-stream';
    // As the bundler, and the documentation, name files: `main-BxO3kP0a.js`.
    this.isHashed = name.startsWith('assets/') && /[.-][\w-]{8,40}\.\w{1,8}$/.test(name);
    for (const [encoding, file] of Object.entries(packed)) {
      this.#packed.set(encoding as Encoding, Promise.resolve(file));
    }
  }

  /** The bytes in the best encoding that the client accepts. */
  async encoded(accepted: readonly Encoding[]): Promise<{ bytes: Buffer; encoding: Encoding | null }> {
    const [encoding] = accepted;
    if (!encoding || this.bytes.length < WORTH_PACKING || !SHRINKS.test(this.type)) {
      return { bytes: this.bytes, encoding: null };
    }
    let packed = this.#packed.get(encoding);
    if (!packed) {
      packed = PACK[encoding](this.bytes);
      this.#packed.set(encoding, packed);
    }
    return { bytes: await packed, encoding };
  }
}

const PACK: Readonly<Record<Encoding, (bytes: Buffer) => Promise<Buffer>>> = {
  br: (bytes) => promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }),
  gzip: (bytes) => promisify(gzip)(bytes, { level: 9 }),
};

/** Whether a name is that of a resource rather than a page. */
export const isFileName = (name: string) => name.startsWith('assets/') || Object.hasOwn(TYPES, extname(name));

/**
 * A site's files by path below its folder, read on first demand. While `index.html` is missing they are looked for
 * again each time, as the site may be built meanwhile.
 *
 * @param base a path that is put before the absolute ones of the pages
 */
export function siteFiles(folder: string, base = ''): () => Promise<ReadonlyMap<string, SiteFile>> {
  let files: Promise<ReadonlyMap<string, SiteFile>> | null = null;
  return async () => {
    files ??= readFiles(folder, base);
    const found = await files.catch((error) => {
      files = null;
      throw error;
    });
    if (!found.has('index.html')) files = null;
    return found;
  };
}

/** Sets the headers common to all files of a site. @param policy the Content-Security-Policy */
export function setSiteHeaders(koa: RequestContext, policy: string): void {
  koa.set('content-security-policy', policy);
  koa.set('referrer-policy', 'no-referrer');
  koa.set('x-frame-options', 'DENY');
  koa.set('cross-origin-opener-policy', 'same-origin');
  koa.set('cross-origin-resource-policy', 'same-origin');
  koa.set('permissions-policy', 'camera=(), geolocation=(), microphone=(), payment=(), usb=()');
}

/**
 * @param keepPages whether pages may be cached and revalidated by ETag; otherwise they are never stored
 */
export async function sendSiteFile(koa: RequestContext, file: SiteFile, keepPages: boolean): Promise<void> {
  const isStored = keepPages || !file.type.startsWith('text/html');
  koa.set('cache-control', file.isHashed ? 'public, max-age=31536000, immutable' : isStored ? 'no-cache' : 'no-store');
  koa.set('vary', 'accept-encoding');
  if (isStored) {
    koa.set('etag', `"${file.etag}"`);
    if (clientHas(koa, file.etag)) {
      koa.status = 304;
      return;
    }
  }
  const accepted = (['br', 'gzip'] as const).filter((encoding) => koa.acceptsEncodings(encoding) === encoding);
  const { bytes, encoding } = await file.encoded(accepted);
  if (encoding) koa.set('content-encoding', encoding);
  koa.body = bytes;
  koa.set('content-type', file.type);
}

/** By path below the folder; empty when there is no build. */
async function readFiles(folder: string, base: string): Promise<ReadonlyMap<string, SiteFile>> {
  if (!existsSync(join(folder, 'index.html'))) return new Map();
  const { hash } = await import('node:crypto');
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const names = entries
    .filter((entry) => entry.isFile())
    .map((entry) =>
      join(entry.parentPath, entry.name)
        .slice(folder.length + 1)
        .replaceAll(sep, '/'),
    );
  const read = new Map(
    await Promise.all(names.map(async (name) => [name, await readFile(join(folder, name))] as const)),
  );
  const files = new Map<string, SiteFile>();
  for (const [name, built] of read) {
    if (/\.(br|gz|map)$/.test(name)) continue;
    const isMoved = base !== '' && name.endsWith('.html');
    const bytes = isMoved ? withBase(built, base) : built;
    const [br, gz] = isMoved ? [] : [read.get(`${name}.br`), read.get(`${name}.gz`)];
    const packed = { ...(br ? { br } : {}), ...(gz ? { gzip: gz } : {}) };
    files.set(name, new SiteFile(name, bytes, hash('sha256', bytes, 'base64url').slice(0, 22), packed));
  }
  return files;
}

const withBase = (page: Buffer, base: string) =>
  Buffer.from(page.toString('utf8').replace(/ (src|href)="\/(?!\/)/g, (_, name: string) => ` ${name}="${base}/`));
