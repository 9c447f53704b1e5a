// Bundles `platen/editor` into `dist/editor`: the editor as an ES module, its parts that are loaded later, and its
// WebAssembly files.
//
// Its style sheet is inside the script, for a shadow tree, so pages and bundlers need to find none. All other files are
// named by `new URL(…, import.meta.url)`, which browsers and bundlers understand.

import { join } from 'node:path';
import { build, type Plugin } from 'vite';
import { woff2Codec } from './build-edge.ts';
import { fewChunks } from './studio/few-chunks.ts';
import { fontPlugin } from './studio/font-plugin.ts';
import { iconPlugin } from './studio/icon-plugin.ts';
import { licencePlugin } from './studio/licence-plugin.ts';
import { weightPlugin } from './studio/weight-plugin.ts';

const ROOT = join(import.meta.dirname, '..');
const MODULE = join(ROOT, 'src/studio/module');
const WOFF2 = join(ROOT, 'node_modules/wawoff2/build/decompress_binding.js');

/** @param folder the output folder */
export async function buildEditor(folder = join(ROOT, 'dist/editor')): Promise<void> {
  await build({
    configFile: false,
    root: MODULE,
    base: './',
    publicDir: false,
    logLevel: 'warn',
    plugins: [
      iconPlugin(),
      fontPlugin(),
      weightPlugin([join(MODULE, 'page-fonts.ts')]),
      modulePlugin(),
      licencePlugin(),
      stylesPlugin(),
    ],
    oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
    resolve: {
      dedupe: ['preact', '@preact/signals'],
      conditions: ['platen-edge', 'module', 'browser', 'import', 'default'],
    },
    define: { 'process.env.NODE_ENV': '"production"' },
    build: {
      outDir: folder,
      emptyOutDir: true,
      rolldownOptions: {
        input: { editor: join(MODULE, 'main.ts') },
        preserveEntrySignatures: 'allow-extension',
        output: {
          codeSplitting: fewChunks(),
          entryFileNames: '[name].js',
          chunkFileNames: 'chunks/[name]-[hash].js',
          assetFileNames: 'chunks/[name]-[hash][extname]',
        },
      },
      target: ['chrome123', 'firefox125', 'safari17.5'],
      assetsInlineLimit: 0,
      cssCodeSplit: false,
      modulePreload: false,
      chunkSizeWarningLimit: 1_600,
      reportCompressedSize: false,
      manifest: 'manifest.json',
    },
  });
}

/** Changes libraries so that they leave the page around alone: no code is compiled from text, and no global is set. */
function modulePlugin(): Plugin {
  return {
    name: 'platen-module',
    enforce: 'pre',
    async transform(code, id) {
      if (id.endsWith('/zod/v4/core/core.js')) {
        const written = code
          .replace(/\(_a = globalThis\)\.__zod_globalConfig [^;]*;/, '')
          .replace('globalConfig = globalThis.__zod_globalConfig;', 'globalConfig = { jitless: true };');
        if (!written.includes('jitless')) throw new Error('zod keeps its settings elsewhere; look at build-editor.ts.');
        return { code: written, map: null };
      }
      if (id.endsWith('/zod/v4/core/registries.js')) {
        const written = code
          .replace(/\(_a = globalThis\)\.__zod_globalRegistry [^;]*;/, '')
          .replace('globalThis.__zod_globalRegistry;', 'registry();');
        return { code: written, map: null };
      }
      // Messages in fifty languages, of which only English is used.
      if (id.endsWith('/zod/v4/locales/index.js'))
        return { code: "export { default as en } from './en.js';", map: null };
      if (id === WOFF2) {
        const { contents } = await woff2Codec(id);
        // What it has for Node, which is never executed.
        const code = contents.replace(/module\["exports"\]=Module/, '').replaceAll(/require\("\w+"\)/g, 'null');
        return { code, map: null };
      }
      if (id === join(MODULE, 'wasm.ts')) {
        const file = this.emitFile({ type: 'asset', name: 'woff2.wasm', source: (await woff2Codec(WOFF2)).wasm });
        const written = code.replace("new URL('./woff2.wasm', import.meta.url)", `"__VITE_ASSET__${file}__"`);
        return { code: written, map: null };
      }
      return null;
    },
  };
}

/** Puts the style sheet and the interface's fonts into the script (src/studio/module/open.tsx). */
function stylesPlugin(): Plugin {
  return {
    name: 'platen-styles',
    enforce: 'post',
    generateBundle(_options, bundle) {
      const sheets = Object.values(bundle).filter((file) => file.type === 'asset' && file.fileName.endsWith('.css'));
      const css = sheets.map((file) => (file.type === 'asset' ? String(file.source) : '')).join('');
      for (const { fileName } of sheets) delete bundle[fileName];
      const { rules, fonts } = forShadowTree(css);
      const holder = Object.values(bundle).find(
        (file) => file.type === 'chunk' && file.code.includes('__PLATEN_STYLES__'),
      );
      if (holder?.type !== 'chunk' || fonts.length === 0) this.error('There is no place for the styles, or no font.');
      const list = fonts.map(
        ([family, weight, file]) =>
          `[${JSON.stringify(family)},${JSON.stringify(weight)},new URL(${JSON.stringify(file)},import.meta.url).href]`,
      );
      holder.code = holder.code
        .replace(/(["'`])__PLATEN_STYLES__\1/, () => JSON.stringify(rules))
        .replace(/\[(["'`])__PLATEN_FONTS__\1,\s*(["'`])\2,\s*\2\2\]/, () => list.join());
    },
  };
}

/** The rules for a tree whose root is `.platen-ui`, and the fonts that they declare. */
function forShadowTree(css: string) {
  const fonts: (readonly [family: string, weight: string, file: string])[] = [];
  const rules = css
    .replaceAll(/@font-face\s*\{([^}]*)\}/g, (_all, body: string) => {
      const field = (name: RegExp) => name.exec(body)?.[1]?.replaceAll(/["']/g, '').trim() ?? '';
      const file = field(/src:\s*url\(([^)]*)\)/);
      fonts.push([field(/font-family:([^;]*)/), field(/font-weight:([^;]*)/), `./${file.split('/').at(-1)}`]);
      return '';
    })
    .replaceAll(':root', '.platen-ui')
    .replaceAll(/(?<=^|[},\s])(?:html,\s*body|body|html)(?=\s*[,{])/g, '.platen-ui');
  return { rules, fonts };
}

if (import.meta.main) await buildEditor(process.argv[2]);
