// The editor's host in the studio and in pages of other sites: only the account's routes on the server.

import { toast, toastError } from '../parts/toast.tsx';
import { ApiError, accountPath, call, get, getAll, post, send } from '../shell/api.ts';
import { STUDIO } from '../shell/base.ts';
import type {
  Brand,
  BrandHead,
  By,
  Draft,
  ImagePage,
  ListPage,
  TemplateCard,
  TemplateDetail,
  VersionDetail,
} from '../shell/contract.ts';
import { drawDocument } from '../shell/drawn-file.ts';
import { onUploadsChanged, uploadImage } from '../shell/uploads.ts';
import type { Kept } from './core/clock.ts';
import type { MaterialSource } from './core/design/designs.ts';
import type { DraftStore, EditorHost, PictureList } from './core/host.ts';
import type { FontListing, FontSample, FontSource } from './core/scene/fonts.ts';
import { MissingUpload, type ReadImage } from './core/scene/images.ts';
import { dataUriBytes } from './picture-opener.ts';

interface ServerHostOptions {
  readonly accountId: string;
  readonly templateId: string;
  /** Whether the draft is saved on the server. */
  readonly isSaved: boolean;
  /** Whether files may be uploaded into the account. */
  readonly mayUpload: boolean;
  /** Whether the account's pictures, brands and templates are shown: to its own people. */
  readonly showsAccount: boolean;
  /** What this browser keeps. */
  readonly kept: Kept;
  /** All brands and components that may be read; absent = those of the account. */
  readonly materials?: Draft['materials'] | undefined;
}

export function serverHost({ accountId, templateId, ...may }: ServerHostOptions): EditorHost {
  const page = `${STUDIO}/a/${accountId}`;
  return {
    key: templateId,
    kept: may.kept,
    tell: toast,
    tellError: toastError,
    fonts: fontSource(accountId, may.mayUpload && may.showsAccount),
    readImage: imageReader(accountId),
    materials: may.showsAccount ? materialSource(accountId) : givenMaterials(may.materials),
    pictures: {
      list: may.showsAccount ? (search, folder) => listPictures(accountId, search, folder) : null,
      upload: may.mayUpload
        ? async (file, folder) => {
            const { id, width, height } = await uploadImage(accountId, file, folder);
            return { src: id, width, height };
          }
        : null,
      isUpload: (source) => uploadNamed(source) !== null,
      onChanged: (listener) => onUploadsChanged(accountId, listener),
    },
    drafts: may.isSaved ? draftStore(accountId, templateId) : null,
    brands: may.showsAccount
      ? {
          list: () => getAll<BrandHead>(accountPath(accountId, 'brands')),
          address: (name) => `${page}/brands?open=${name}`,
        }
      : null,
    templates: may.showsAccount
      ? {
          list: async (search) => {
            const path = accountPath(accountId, 'templates');
            const { items } = await get<ListPage<TemplateCard>>(path, { search, limit: 100 });
            return items
              .filter(({ engine, id }) => engine === 'layers' && id !== templateId)
              .map(({ id, name, version, folder, thumbnail }) => ({ id, name, version, folder, picture: thumbnail }));
          },
          find: (id) => get<TemplateDetail>(accountPath(accountId, 'templates', id)),
          create: (document) => post<TemplateCard>(accountPath(accountId, 'templates'), { document }),
          address: (id) => `${page}/templates/${id}/edit`,
        }
      : null,
    draw: (document, request, signal) => drawDocument(accountId, document, request, signal),
  };
}

export function draftStore(accountId: string, templateId: string): DraftStore {
  const path = accountPath(accountId, 'templates', templateId);
  const ifMatch = (revision: number) => ({ 'if-match': `"${revision}"` });
  return {
    key: templateId,
    read: () => get<Draft>(`${path}/draft`),
    async save(document, baseVersion, on) {
      const body = { document, ...(baseVersion > 0 ? { baseVersion } : {}) };
      try {
        const options = { body, headers: ifMatch(on) };
        const { revision, savedAt } = await call<{ revision: number; savedAt: string }>(
          'PUT',
          `${path}/draft`,
          options,
        );
        return { kind: 'saved', revision, savedAt };
      } catch (error) {
        // A 4xx answer is certain not to have stored it; no answer, or one from a proxy, is not.
        if (!(error instanceof ApiError && error.status >= 400 && error.status < 500)) throw error;
        if (error.status !== 412) return { kind: 'refused', message: error.message };
        const { savedBy = null, savedAt = null } = error.detail as { savedBy?: By; savedAt?: string };
        return { kind: 'changed', by: savedBy, at: savedAt };
      }
    },
    publish: (note, over, on) =>
      call('POST', `${path}/publish`, {
        body: { ...(note === '' ? {} : { note }), ...(over === undefined ? {} : { over }) },
        headers: ifMatch(on),
      }),
    copy: async (document) => (await post<{ id: string }>(accountPath(accountId, 'templates'), { document })).id,
  };
}

async function listPictures(accountId: string, search: string, folder?: string): Promise<PictureList> {
  const path = accountPath(accountId, 'images');
  const { items, folders } = await get<ImagePage>(path, { search, folder, limit: 100 });
  const pictures = items.map(({ id, name, width, height }) => ({
    ...{ src: id, name: name ?? id, address: `${path}/${id}/file` },
    ...(width !== null && height !== null && { size: { width, height } }),
  }));
  return { pictures, folders: folders.map(({ name }) => name) };
}

function fontSource(accountId: string, mayAdd: boolean): FontSource {
  return {
    listing: () => get<FontListing>(accountPath(accountId, 'fonts')),
    coverage: () => get<Readonly<Record<string, string>>>(accountPath(accountId, 'fonts', 'coverage')),
    async face(id) {
      const response = await send('GET', accountPath(accountId, 'fonts', 'faces', id));
      return new Uint8Array(await response.arrayBuffer());
    },
    ...(mayAdd && {
      add: async (family) => {
        await post(accountPath(accountId, 'fonts', 'catalogue'), { family });
      },
    }),
    samples: async () => (await import('../../../fonts/samples.json')).default as unknown as Record<string, FontSample>,
  };
}

function materialSource(accountId: string): MaterialSource {
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

function givenMaterials(given: Draft['materials']): MaterialSource {
  const find = async (kind: 'brands' | 'templates', reference: string) => {
    const found = given?.[kind][reference];
    if (found === undefined) throw new Error('this editor shows only the brands and components of its template');
    return found;
  };
  return { brand: (reference) => find('brands', reference), template: (reference) => find('templates', reference) };
}

/** Size in px with which external pictures are requested. */
const LARGEST = 4_096;

function imageReader(accountId: string): ReadImage {
  return async (source) => {
    if (source.startsWith('data:')) return dataUriBytes(source);
    const id = uploadNamed(source);
    if (id !== null) return uploadedFile(accountId, id);
    return drawnByServer(accountId, source);
  };
}

/** The id of the upload that a source names by id or by its address here; null for other sources. */
function uploadNamed(source: string): string | null {
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
    { document: document(1, 1) },
  ).catch(({ message }: Error) => {
    // The canvas names the layer itself.
    throw new Error(message.split(' could not be loaded: ').at(-1));
  });
  const [{ width, height } = { width: 1, height: 1 }] = layers;
  const scale = Math.min(1, LARGEST / Math.max(width, height));
  const response = await send('POST', accountPath(accountId, 'preview'), {
    body: { document: document(Math.max(1, Math.round(width)), Math.max(1, Math.round(height))), scale, output: 'png' },
  });
  return new Uint8Array(await response.arrayBuffer());
}
