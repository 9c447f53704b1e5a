// Inlines icons of Lucide: `import plus from '@iconify-json/lucide/icons.json?icon=plus'` gives the list of its shapes.
//
// They are data rather than markup, because the studio's pages set no HTML (Trusted Types).

import { readFile } from 'node:fs/promises';
import type { Plugin } from 'vite';

/** What the file holds of an icon (iconify.design's format): SVG without its root element. */
interface IconSet {
  readonly icons: Readonly<Record<string, { readonly body: string }>>;
  /** Former names. */
  readonly aliases?: Readonly<Record<string, { readonly parent: string }>>;
}

export function iconPlugin(): Plugin {
  let read: Promise<IconSet> | null = null;
  return {
    name: 'platen-icons',
    enforce: 'pre',
    async load(id) {
      const [file = '', name] = id.split('?icon=');
      if (name === undefined) return null;
      read ??= readFile(file, 'utf8').then(JSON.parse);
      const { icons, aliases = {} } = await read;
      const icon = icons[aliases[name]?.parent ?? name];
      if (!icon) this.error(`Lucide has no icon ${JSON.stringify(name)}.`);
      const shapes = [...icon.body.matchAll(/<(\w+)([^>]*?)\/>/g)].map(([, tag, attributes = '']) => [
        tag,
        Object.fromEntries([...attributes.matchAll(/([\w-]+)="([^"]*)"/g)].map(([, key, value]) => [key, value])),
      ]);
      return { code: `export default ${JSON.stringify(shapes)}`, map: null, moduleType: 'js' };
    },
  };
}
