// Serves the files that pages of an account's html templates may name besides the web: fonts of the server and the
// account by family, and the account's uploaded images by id or URL.
//
// They are served from here, under a host name that never resolves. A font file is read when a page first uses it.

import { readFile } from 'node:fs/promises';
import { sniffFormat } from '#core/sniff.ts';
import type { FontLibrary, LibraryFace } from '#draw/fonts/font-library.ts';
import type { ImageSources } from '#draw/renderer/load-resources.ts';
import type { PageFiles } from '#server/chromium/html-document.ts';

/** RFC 6761: this name never resolves. */
const HOST = 'platen.invalid';
const TIMEOUT = 10_000;

/**
 * @param images reads the account's uploads
 * @param address the server's own URL, without a trailing slash
 */
export function pageFiles(
  library: Pick<FontLibrary, 'faces' | 'generic'>,
  images: ImageSources,
  address: string,
): PageFiles {
  const faces = library.faces;
  const readUpload = async (source: string) => {
    const bytes = await images.read(source, AbortSignal.timeout(TIMEOUT)).catch(() => null);
    const format = bytes && sniffFormat(bytes);
    return bytes && format ? { type: `image/${format === 'svg' ? 'svg+xml' : format}`, bytes } : null;
  };
  return {
    base: `http://${HOST}/`,
    generic: library.generic,
    // Of several files of one face, CSS takes the last for a character that they share, and the library the first.
    css: faces
      .map((face, index) => fontFaceRule(face, `http://${HOST}/fonts/${index}`))
      .reverse()
      .join('\n'),
    read(url) {
      const isOwn = url.hostname === HOST;
      const [, upload] = /^\/(?:images\/)?(img_\w+)(?:\.\w+)?$/.exec(url.pathname) ?? [];
      if (upload !== undefined && (isOwn || url.href.startsWith(`${address}/images/`))) return readUpload(upload);
      if (!isOwn) return null;
      const [, index = ''] = /^\/fonts\/(\d{1,4})$/.exec(url.pathname) ?? [];
      const face = index === '' ? undefined : faces[Number(index)];
      return face ? readFace(face) : Promise.resolve(null);
    },
  };
}

/** Media types by extension; a page loads styles and scripts only under theirs. */
const TYPES: Readonly<Record<string, string>> = {
  avif: 'image/avif',
  css: 'text/css',
  gif: 'image/gif',
  html: 'text/html',
  ico: 'image/x-icon',
  jpeg: 'image/jpeg',
  jpg: 'image/jpeg',
  js: 'text/javascript',
  json: 'application/json',
  mjs: 'text/javascript',
  otf: 'font/otf',
  png: 'image/png',
  svg: 'image/svg+xml',
  ttf: 'font/ttf',
  webp: 'image/webp',
  woff: 'font/woff',
  woff2: 'font/woff2',
};

/** Adds files that came with a page. It finds them by their names alone, whatever folder it names. */
export function withFiles(files: PageFiles, own: ReadonlyMap<string, Uint8Array>): PageFiles {
  const read = (url: URL) => {
    const name = url.hostname === HOST ? decoded(url.pathname.split('/').at(-1) ?? '') : '';
    const bytes = own.get(name);
    if (!bytes) return files.read(url);
    const extension = /\.(\w{1,5})$/.exec(name)?.[1]?.toLowerCase() ?? '';
    return Promise.resolve({ type: TYPES[extension] ?? 'application/octet-stream', bytes });
  };
  return { ...files, read };
}

function decoded(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

async function readFace({ path }: LibraryFace) {
  const bytes = await readFile(path).catch(() => null);
  return bytes && { type: 'font/otf', bytes };
}

/** CSS Fonts 4 §4. A family name holds only letters, digits and the like, or comes from a file and is escaped. */
function fontFaceRule({ family, weight, weights, style }: LibraryFace, url: string): string {
  const name = family.replace(/[^\w -]/g, (char) => `\\${(char.codePointAt(0) ?? 0).toString(16)} `);
  const range = weights ? `${weights[0]} ${weights[1]}` : String(weight);
  return `@font-face{font-family:"${name}";font-weight:${range};font-style:${style};src:url("${url}")}`;
}
