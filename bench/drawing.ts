// Platen's drawing thread without a server around it: the base cost of a render.

import { DEFAULT_EXPORT } from '#draw/output/formats.ts';
import type { Supplies } from '#draw/renderer/renderer.ts';
import { ThreadedRenderer } from '#draw/renderer/threaded-renderer.ts';
import { loadAssets } from './assets.ts';
import type { Output } from './peers/peer.ts';
import { WORKLOADS } from './workloads.ts';

/** The images in the workloads. */
const UPLOADED = ['photo.jpg', 'portrait.jpg', 'logo.png'];

/** Opens the same renderer as the server does, with supplies for only what the thread asks for. */
export async function openDrawing(concurrency: number, keptMemory: number) {
  const { images } = await loadAssets();
  const renderer = new ThreadedRenderer({ fontFolders: [], concurrency, keptMemory });
  await renderer.warmUp();
  const signal = new AbortController().signal;
  return async (name: string, output: Output, i: number): Promise<void> => {
    const workload = WORKLOADS.find((one) => one.name === name);
    if (!workload) throw new Error(`no workload "${name}"`);
    const supplies: Supplies = {
      template: async () => JSON.stringify(workload.template),
      fonts: async () => [],
      image: async (source) => source,
      upload: async (id) => Uint8Array.from(images.get(id)?.bytes ?? []),
    };
    const uploads = Object.fromEntries(UPLOADED.map((image) => [image, image]));
    const modifications = workload.strings(i);
    const subject = { fairnessKey: '', template: name, fonts: '', modifications, time: 0, uploads };
    await renderer.draw({ ...subject, output, options: DEFAULT_EXPORT }, supplies, signal);
  };
}
