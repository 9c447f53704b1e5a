// Writes the pictures of the start page (src/server/http/start-page.ts) into the studio's build: samples as Platen draws them.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'vite';

const RENDERED = join(import.meta.dirname, '../../samples/rendered');
const SAMPLES = ['social-card', 'event-ticket', 'invoice'];

export function startPicturesPlugin(): Plugin {
  return {
    name: 'platen-start-pictures',
    apply: 'build',
    generateBundle() {
      for (const sample of SAMPLES) {
        const source = readFileSync(join(RENDERED, `${sample}.webp`));
        this.emitFile({ type: 'asset', fileName: `start/${sample}.webp`, source });
      }
    },
  };
}
