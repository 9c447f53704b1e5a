// Makes supplies (a template, and images by source) and jobs for the tests of the renderer.

import { parseTemplate, type Template } from '#core/template/template.ts';
import { DEFAULT_EXPORT, type Output } from '#draw/output/formats.ts';
import type { DrawingJob, Supplies } from '#draw/renderer/renderer.ts';

export interface CountedSupplies extends Supplies {
  /** What was requested, in order. */
  readonly asked: string[];
}

/** @param images bytes, or the id of an upload, whose bytes are `uploads[id]` */
export function suppliesOf(
  template: Template,
  images: Readonly<Record<string, Uint8Array | string>> = {},
  uploads: Readonly<Record<string, Uint8Array>> = {},
): CountedSupplies {
  const asked: string[] = [];
  return {
    asked,
    async template() {
      asked.push('template');
      return JSON.stringify(template);
    },
    async fonts() {
      asked.push('fonts');
      return [];
    },
    async image(source) {
      asked.push(source);
      const image = images[source] ?? '';
      // A copy, as bytes that are sent to another thread are transferred.
      return typeof image === 'string' ? image : { bytes: Uint8Array.from(image), warnings: [] };
    },
    async upload(id) {
      asked.push(`upload ${id}`);
      return Uint8Array.from(uploads[id] ?? []);
    },
  };
}

/** A template of these layers, 60 × 40 px. */
export const templateOf = (...layers: readonly object[]): Template =>
  parseTemplate({ name: 'Layers', width: 60, height: 40, layers });

export const jobOf = (rest: Partial<DrawingJob> = {}, output: Output = 'png'): DrawingJob => ({
  fairnessKey: 'acc_a',
  template: 'tpl_a@1',
  fonts: '',
  modifications: {},
  time: 0,
  uploads: {},
  output,
  options: DEFAULT_EXPORT,
  ...rest,
});

/** A signal that is never aborted. */
export const patience = (): AbortSignal => new AbortController().signal;

/** Resolves to `done`, or to the error's code and message. */
export const outcome = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'done',
    (error: Error & { code?: string }) => `${error.code ?? error.name}: ${error.message}`,
  );
