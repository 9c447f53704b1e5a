// Writes `platen-editor.js` into the studio's build: the custom element for pages of other sites, in one small file.

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { transform } from 'esbuild';
import type { Plugin } from 'vite';

const ELEMENT = join(import.meta.dirname, '../../clients/editor/platen-editor.ts');

export function elementPlugin(): Plugin {
  return {
    name: 'platen-editor-element',
    apply: 'build',
    async generateBundle() {
      const { code } = await transform(await readFile(ELEMENT, 'utf8'), {
        loader: 'ts',
        format: 'esm',
        minify: true,
        target: 'es2022',
      });
      this.emitFile({ type: 'asset', fileName: 'platen-editor.js', source: code });
    },
  };
}
