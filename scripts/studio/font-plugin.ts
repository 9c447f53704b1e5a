// Subsets the catalogue's fonts to WOFF2 for the interface: `url('…/Inter_400Regular.ttf?interface')`.

import { basename } from 'node:path';
import type { Plugin } from 'vite';
import { interfaceFont } from './interface-font.ts';

export function fontPlugin(): Plugin {
  return {
    name: 'platen-fonts',
    enforce: 'pre',
    async transform(code, id) {
      if (!id.endsWith('.css') || !code.includes('?interface')) return null;
      let changed = code;
      for (const [address, , specifier = ''] of code.matchAll(/url\((["'])([^"']+)\?interface\1\)/g)) {
        const source = await interfaceFont(specifier);
        const fileName = basename(specifier).replace(/\.ttf$/, '.woff2');
        const url =
          this.environment.mode === 'build'
            ? `__VITE_ASSET__${this.emitFile({ type: 'asset', name: fileName, source })}__`
            : `data:font/woff2;base64,${Buffer.from(source).toString('base64')}`;
        changed = changed.replace(address, `url('${url}')`);
      }
      return { code: changed, map: null };
    },
  };
}
