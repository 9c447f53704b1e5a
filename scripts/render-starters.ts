// Draws the starters for the studio's gallery, and lists them: `npm run starters`.
//
// Writes one WebP each to starters/rendered; names, kinds, sizes, languages and words for the search to
// starters/index.json. Fails on any warning, in any size and language.

import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { withSheetSize } from '#core/template/template.ts';
import { renderFile, renderFiles } from '../src/cli/render-file.ts';
import { readTemplateFile } from '../src/cli/template-file.ts';
import { DEFAULT_EXPORT } from '../src/draw/output/formats.ts';

const STARTERS = 'starters';
const RENDERED = join(STARTERS, 'rendered');
/** Longest side of a picture, px: twice the size of the gallery's tiles. */
const LONGEST = 420;

/** What the list says of a template. */
interface StarterDocument {
  readonly name: string;
  readonly width: number;
  readonly height: number;
  readonly page?: { readonly size: string | readonly string[] };
  readonly sizes?: Readonly<Record<string, unknown>>;
  readonly lang?: string;
  /** By layer, then by language. */
  readonly texts?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

await mkdir(RENDERED, { recursive: true });
const kinds: Readonly<Record<string, readonly string[]>> = JSON.parse(
  await readFile(join(STARTERS, 'kinds.json'), 'utf8'),
);
const words: Readonly<Record<string, string>> = JSON.parse(await readFile(join(STARTERS, 'search.json'), 'utf8'));
const wanted = process.argv.slice(2);
const views = await mkdtemp(join(tmpdir(), 'platen-starters-'));
const starters = [];
for (const [kind, ids] of Object.entries(kinds)) {
  for (const id of ids) {
    const own = join(STARTERS, `${id}.json`);
    const file = existsSync(own) ? own : join('samples/documents', `${id}.json`);
    const { template } = await readTemplateFile(file);
    const { name, width, height, page, sizes, lang, texts } = withSheetSize(template as StarterDocument);
    const several = sizes && {
      sizes: 1 + Object.keys(sizes).length,
      languages: [...new Set([lang ?? 'en', ...Object.values(texts ?? {}).flatMap(Object.keys)])],
    };
    const pages = page && { page: typeof page.size === 'string' ? page.size : `${width} × ${height}` };
    starters.push({ id, name, kind, width, height, ...pages, ...several, words: words[id] });
    if (wanted.length > 0 && !wanted.includes(id)) continue;
    const scale = Math.min(3, LONGEST / Math.max(width, height));
    const out = join(RENDERED, `${id}.webp`);
    const { size, warnings } = await renderFile(file, {
      ...DEFAULT_EXPORT,
      compression: 'small',
      quality: 82,
      out,
      set: [],
      scale,
    });
    if (warnings.length > 0) throw new Error(`${id}: ${JSON.stringify(warnings)}`);
    if (several) {
      const all = { size: 'all', lang: several.languages.join(','), brand: undefined };
      const target = { ...DEFAULT_EXPORT, scale: 0.1, set: [], out: join(views, `${id}.png`) };
      for (const view of await renderFiles(file, { ...target, ...all }))
        if (view.warnings.length > 0) throw new Error(`${view.file}: ${JSON.stringify(view.warnings)}`);
    }
    process.stdout.write(`${out}: ${size} bytes\n`);
  }
}
await rm(views, { recursive: true });
await writeFile(join(STARTERS, 'index.json'), `${JSON.stringify({ starters }, null, 2)}\n`);
