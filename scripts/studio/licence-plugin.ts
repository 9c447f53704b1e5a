// Writes LICENSES.txt into the studio's bundle: the licences of all packages of which it contains code.

import { join, relative } from 'node:path';
import type { Plugin } from 'vite';
import { licencesOf } from '../licences.ts';

const ROOT = join(import.meta.dirname, '../..');

export function licencePlugin(): Plugin {
  return {
    name: 'platen-licences',
    apply: 'build',
    async generateBundle(_options, bundle) {
      const files = Object.values(bundle).flatMap((file) => (file.type === 'chunk' ? file.moduleIds : []));
      const source = await licencesOf(
        files.map((file) => relative(ROOT, file)),
        ROOT,
      );
      this.emitFile({ type: 'asset', fileName: 'LICENSES.txt', source });
    },
  };
}
