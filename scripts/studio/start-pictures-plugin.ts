// Writes what the start page (src/server/http/start-page.ts) shows into the studio's build: samples as Platen draws them, and
// the studio's font under a name that is known.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'vite';

const RENDERED = join(import.meta.dirname, '../../samples/rendered');
const SAMPLES = ['social-card', 'event-ticket', 'invoice'];

export function startPicturesPlugin(): Plugin {
  return {
    name: 'platen-start-pictures',
    apply: 'build',
    generateBundle(_options, bundle) {
      for (const { fileName, type, ...asset } of Object.values(bundle)) {
        const [, weight] = /\/Inter_(400|600)\w+-[\w-]+\.woff2$/.exec(fileName) ?? [];
        if (weight && type === 'asset' && 'source' in asset)
          this.emitFile({ type: 'asset', fileName: `start/inter-${weight}.woff2`, source: asset.source });
      }
      for (const sample of SAMPLES) {
        const source = readFileSync(join(RENDERED, `${sample}.webp`));
        this.emitFile({ type: 'asset', fileName: `start/${sample}.webp`, source });
      }
    },
  };
}
