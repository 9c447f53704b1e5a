// Inlines icons of lucide-static: `import plus from 'lucide-static/icons/plus.svg?icon'` gives the list of its shapes.
//
// They are data rather than markup, because the studio's pages set no HTML (Trusted Types).

import { readFile } from 'node:fs/promises';
import type { Plugin } from 'vite';

export function iconPlugin(): Plugin {
  return {
    name: 'platen-icons',
    enforce: 'pre',
    async load(id) {
      const [file = '', query] = id.split('?');
      if (query !== 'icon') return null;
      const svg = await readFile(file, 'utf8');
      const body = svg.slice(svg.indexOf('>', svg.indexOf('<svg')) + 1, svg.lastIndexOf('</svg>'));
      const shapes = [...body.matchAll(/<(\w+)([^>]*?)\/>/g)].map(([, tag, attributes = '']) => [
        tag,
        Object.fromEntries([...attributes.matchAll(/([\w-]+)="([^"]*)"/g)].map(([, name, value]) => [name, value])),
      ]);
      return { code: `export default ${JSON.stringify(shapes)}`, map: null, moduleType: 'js' };
    },
  };
}
