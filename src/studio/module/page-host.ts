// The editor's host where there is no server: the page around gives fonts and pictures, and files are drawn here.

import { MAX_IMAGE_BYTES } from '#draw/images/limits.ts';
import type { EditorImages, EditorMaterials, EditorOptions } from '../../editor.ts';
import { MemoryStorage } from '../editor/core/clock.ts';
import type { EditorHost } from '../editor/core/host.ts';
import type { ReadImage } from '../editor/core/scene/images.ts';
import { dataUriBytes } from '../editor/picture-opener.ts';
import type { Messages } from '../parts/toast.tsx';
import { pageFonts } from './page-fonts.ts';

/** @throws Error naming the font that cannot be used */
export async function pageHost(
  { fonts, images = {}, materials = {} }: EditorOptions,
  { toast, toastError }: Messages,
  draw: EditorHost['draw'],
): Promise<EditorHost> {
  const { list, upload } = images;
  return {
    key: null,
    kept: new MemoryStorage(),
    tell: toast,
    tellError: toastError,
    fonts: await pageFonts(fonts),
    readImage: imageReader(images),
    materials: { brand: found(materials, 'brand'), template: found(materials, 'template') },
    pictures: {
      list: list
        ? async () =>
            (await list.call(images)).map(({ src, name = src, preview = src }) => ({ src, name, address: preview }))
        : null,
      upload: upload ? async (file) => ({ ...(await sizeOf(file)), src: (await upload.call(images, file)).src }) : null,
      isUpload: () => false,
      onChanged: () => () => {},
    },
    drafts: null,
    brands: null,
    templates: null,
    draw,
  };
}

function imageReader({ load = loaded }: EditorImages): ReadImage {
  return async (source) => {
    if (source.startsWith('data:')) return dataUriBytes(source);
    const blob = await load(source);
    if (blob.size > MAX_IMAGE_BYTES) throw new Error(`It is larger than ${MAX_IMAGE_BYTES / 2 ** 20} MiB.`);
    return new Uint8Array(await blob.arrayBuffer());
  };
}

async function loaded(source: string): Promise<Blob> {
  const response = await fetch(source).catch(() => {
    throw new Error('It cannot be loaded. If it is on another site, that must allow it by CORS.');
  });
  if (!response.ok) throw new Error(`Its address answered ${response.status}.`);
  return response.blob();
}

function found(materials: EditorMaterials, kind: keyof EditorMaterials) {
  return async (reference: string): Promise<unknown> => {
    const document = await materials[kind]?.(reference);
    if (document === undefined) throw new Error(`The page gives no ${kind} ${JSON.stringify(reference)}.`);
    return document;
  };
}

/** px; null where the browser cannot tell. */
async function sizeOf(file: File): Promise<{ readonly width: number | null; readonly height: number | null }> {
  const bitmap = await createImageBitmap(file).catch(() => null);
  const { width, height } = bitmap ?? { width: null, height: null };
  bitmap?.close();
  return { width, height };
}
