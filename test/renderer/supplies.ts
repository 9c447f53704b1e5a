// What a job is supplied with in the tests of this room: a template, and images by their source.

import { parseTemplate, type Template } from '#core/template/template.ts';
import { DEFAULT_EXPORT, type Output } from '#output/formats.ts';
import type { DrawingJob, Supplies } from '#renderer/renderer.ts';

export interface CountedSupplies extends Supplies {
  /** What was asked for, in order. */
  readonly asked: string[];
}

/** @param images bytes, or the id of an upload, which is `uploads[id]` */
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
      // Bytes that cross to another thread are given away.
      return typeof image === 'string' ? image : Uint8Array.from(image);
    },
    async upload(id) {
      asked.push(`upload ${id}`);
      return Uint8Array.from(uploads[id] ?? []);
    },
  };
}

/** A template of such layers, 60 × 40 px. */
export const templateOf = (...layers: readonly object[]): Template =>
  parseTemplate({ name: 'Layers', width: 60, height: 40, layers });

export const jobOf = (rest: Partial<DrawingJob> = {}, output: Output = 'png'): DrawingJob => ({
  turn: 'acc_a',
  template: 'tpl_a@1',
  fonts: '',
  modifications: {},
  time: 0,
  uploads: {},
  output,
  options: DEFAULT_EXPORT,
  ...rest,
});

/** One that is never aborted. */
export const patience = (): AbortSignal => new AbortController().signal;

/** What is said of an error, or that there was none. */
export const outcome = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'done',
    (error: Error & { code?: string }) => `${error.code ?? error.name}: ${error.message}`,
  );
