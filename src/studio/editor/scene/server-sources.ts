// Sources of fonts and pictures for the page: only the account's routes on the server.

import { ApiError, accountPath, get, post, send } from '../../shell/api.ts';
import type { Brand, TemplateDetail, VersionDetail } from '../../shell/contract.ts';
import type { MaterialSource } from '../design/designs.ts';
import type { FontListing, FontSource } from './fonts.ts';
import { MissingUpload, type ReadImage } from './images.ts';

export function fontSource(accountId: string): FontSource {
  return {
    listing: () => get<FontListing>(accountPath(accountId, 'fonts')),
    coverage: () => get<Readonly<Record<string, string>>>(accountPath(accountId, 'fonts', 'coverage')),
    async face(id) {
      const response = await send('GET', accountPath(accountId, 'fonts', 'faces', id));
      return new Uint8Array(await response.arrayBuffer());
    },
  };
}

export function materialSource(accountId: string): MaterialSource {
  return {
    async brand(reference) {
      const {
        name: _name,
        version: _version,
        ...brand
      } = await get<Brand>(accountPath(accountId, 'brands', reference));
      return brand;
    },
    async template(reference) {
      const [id = '', version] = reference.split('@');
      const path = accountPath(accountId, 'templates', id);
      const found =
        version === undefined ? get<TemplateDetail>(path) : get<VersionDetail>(`${path}/versions/${version}`);
      return (await found).document;
    },
  };
}

/** Size in px with which external pictures are requested. */
const LARGEST = 4_096;

export function imageReader(accountId: string): ReadImage {
  return async (source) => {
    if (source.startsWith('data:')) return dataUriBytes(source);
    const id = uploadNamed(source);
    if (id !== null) return uploadedFile(accountId, id);
    return drawnByServer(accountId, source);
  };
}

/** The id of the upload that a source names by id or by its address here; null for other sources. */
export function uploadNamed(source: string): string | null {
  const path = source.startsWith(`${location.origin}/images/`) ? source.replace(/\.\w+$/, '') : source;
  return /(?:^|\/)(img_[\w-]+)$/.exec(path)?.[1] ?? null;
}

async function uploadedFile(accountId: string, id: string): Promise<Uint8Array<ArrayBuffer>> {
  try {
    const response = await send('GET', accountPath(accountId, 'images', id, 'file'));
    return new Uint8Array(await response.arrayBuffer());
  } catch (error) {
    // The server's sentence about a render, so that the canvas warns in the same words.
    if (error instanceof ApiError && error.status === 404) throw new MissingUpload(id);
    throw error;
  }
}

/** The page contacts no other host: the server fetches the picture, by its own rules, and draws it alone. */
async function drawnByServer(accountId: string, src: string): Promise<Uint8Array<ArrayBuffer>> {
  const document = (width: number, height: number) => ({
    name: 'picture',
    width,
    height,
    layers: [{ type: 'image', name: 'picture', src }],
  });
  const { layers } = await post<{ layers: readonly { width: number; height: number }[] }>(
    accountPath(accountId, 'layout'),
    {
      document: document(1, 1),
    },
  );
  const [{ width, height } = { width: 1, height: 1 }] = layers;
  const scale = Math.min(1, LARGEST / Math.max(width, height));
  const response = await send('POST', accountPath(accountId, 'preview'), {
    body: { document: document(Math.max(1, Math.round(width)), Math.max(1, Math.round(height))), scale, output: 'png' },
  });
  return new Uint8Array(await response.arrayBuffer());
}

function dataUriBytes(uri: string): Uint8Array<ArrayBuffer> {
  const comma = uri.indexOf(',');
  const [head, body] = [uri.slice(5, comma), uri.slice(comma + 1)];
  if (comma < 0) throw new Error('The data: address has no comma.');
  if (!/;\s*base64\s*$/i.test(head)) return new TextEncoder().encode(decodeURIComponent(body));
  const text = atob(decodeURIComponent(body).replace(/\s+/g, ''));
  return Uint8Array.from(text, (character) => character.charCodeAt(0));
}
