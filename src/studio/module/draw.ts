// Draws a document to a file in the page, with the editor's own fonts and pictures and the engine of `platen/edge`.

import './wasm.ts';
import { compose, composePages } from '#core/compose.ts';
import { resolve } from '#core/resolve/resolve.ts';
import type { Scene } from '#core/resolve/scene.ts';
import type { ImageResource, Resources } from '#core/resources.ts';
import { writeSvg } from '#core/svg/write-svg.ts';
import { CONTENT_TYPE } from '#draw/output/formats.ts';
import { provideSvg } from '#edge/decode-picture.ts';
import { drawList } from '#edge/draw-list.ts';
import { checkedOptions } from '#edge/encode-picture.ts';
import { writeEdgePdf } from '#edge/write-pdf.ts';
import type { RawDocument, Values } from '../editor/core/document/document.ts';
import type { Compositor, Picture } from '../editor/core/scene/compositor.ts';
import type { FileRequest } from '../shell/contract.ts';

/** Fonts, then pictures, then components of components: no document needs to be composed as often. */
const MOST_TRIES = 20;

/** @throws Error saying why it cannot be drawn */
export async function drawFile(
  compositor: Compositor,
  document: RawDocument,
  { output, scale = 1, modifications = {} }: FileRequest,
): Promise<Blob> {
  if (!(scale >= 0.1 && scale <= 3)) throw new Error('scale: must be from 0.1 to 3.');
  const { scene, resources } = await composed(compositor, document, modifications);
  if (output === 'svg') return blobOf(writeSvg(compose(scene, resources).list, resources), output);
  const readable = { ...resources, images: await readableImages(resources.images) };
  if (output === 'pdf') return blobOf(await writeEdgePdf(composePages(scene, readable, {}).lists, readable), output);
  const encoding = checkedOptions({ output: output as never });
  return blobOf(await drawList(compose(scene, readable).list, readable, scale, encoding), output);
}

const blobOf = (content: string | Uint8Array, output: FileRequest['output']) =>
  new Blob([content as BlobPart], { type: CONTENT_TYPE[output] });

/** The scene with what it needs, without the placeholders of the canvas. */
async function composed(
  compositor: Compositor,
  document: RawDocument,
  values: Values,
): Promise<{ scene: Scene; resources: Resources }> {
  let picture: Picture | Promise<void> = compositor.compose(document, values);
  for (let tries = 0; picture instanceof Promise; tries++) {
    if (tries === MOST_TRIES) throw new Error('The fonts and pictures of the document cannot be loaded.');
    await picture;
    picture = compositor.compose(document, values);
  }
  const { template, resources, diagnostics } = picture;
  const images = new Map([...resources.images].filter(([, { bytes }]) => bytes.length > 0));
  // The canvas has all pages on one sheet.
  const scene = resolve(template, values);
  for (const { key, layer, sources, optional } of scene.needs.images) {
    // Where no picture is chosen, there is none to wait for.
    if (optional || images.has(key) || sources.every((source) => source === '')) continue;
    const reason = diagnostics.find((found) => found.code === 'image-left-out' && found.layer === layer)?.message;
    throw new Error(
      reason?.replace(/ It was left out\.$/, '') ?? `Image of layer ${JSON.stringify(layer)} is missing.`,
    );
  }
  return { scene, resources: { ...resources, images } };
}

/** GIF and AVIF become PNG: the browser decodes them, our engine does not. */
async function readableImages(images: Resources['images']): Promise<Resources['images']> {
  const made = [...images].map(async ([key, image]): Promise<[string, ImageResource]> => {
    if (image.format !== 'gif' && image.format !== 'avif') return [key, image];
    const bitmap = await createImageBitmap(new Blob([image.bytes as BlobPart]));
    const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
    canvas.getContext('2d')?.drawImage(bitmap, 0, 0);
    bitmap.close();
    const png = await canvas.convertToBlob({ type: 'image/png' });
    return [key, { ...image, format: 'png', bytes: new Uint8Array(await png.arrayBuffer()) }];
  });
  return new Map(await Promise.all(made));
}

// The browser draws SVG pictures, as it does on the canvas.
provideSvg(async (svg, { width, height }) => {
  const address = URL.createObjectURL(new Blob([svg as BlobPart], { type: 'image/svg+xml' }));
  try {
    const image = new Image(width, height);
    image.src = address;
    await image.decode();
    const canvas = new OffscreenCanvas(width, height);
    const context = canvas.getContext('2d');
    if (!context) throw new Error('This browser has no canvas.');
    context.drawImage(image, 0, 0, width, height);
    return { width, height, data: context.getImageData(0, 0, width, height).data };
  } finally {
    URL.revokeObjectURL(address);
  }
});
