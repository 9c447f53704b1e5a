// Bundles the studio: `src/studio` into `dist/studio`, served under /studio/.

import { join } from 'node:path';
import { defineConfig } from 'vite';
import { elementPlugin } from './scripts/studio/element-plugin.ts';
import { fewChunks } from './scripts/studio/few-chunks.ts';
import { fontPlugin } from './scripts/studio/font-plugin.ts';
import { iconPlugin } from './scripts/studio/icon-plugin.ts';
import { licencePlugin } from './scripts/studio/licence-plugin.ts';
import { startPicturesPlugin } from './scripts/studio/start-pictures-plugin.ts';
import { weightPlugin } from './scripts/studio/weight-plugin.ts';

const ROOT = import.meta.dirname;

export default defineConfig(({ command }) => {
  // What is shipped is the same wherever it is built: Vite goes by NODE_ENV where it is set, as tests and developers set it.
  if (command === 'build') process.env.NODE_ENV = 'production';
  return {
    root: join(ROOT, 'src/studio'),
    base: '/studio/',
    // The server may lie below a path, which it writes into the pages (src/server/http/static-site.ts).
    experimental: { renderBuiltUrl: (_file, { hostType }) => (hostType === 'html' ? undefined : { relative: true }) },
    appType: 'spa',
    plugins: [iconPlugin(), fontPlugin(), weightPlugin(), licencePlugin(), startPicturesPlugin(), elementPlugin()],
    oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
    resolve: { dedupe: ['preact', '@preact/signals'] },
    build: {
      outDir: join(ROOT, 'dist/studio'),
      emptyOutDir: true,
      rolldownOptions: {
        input: ['index.html', 'embed.html'].map((page) => join(ROOT, 'src/studio', page)),
        output: { codeSplitting: fewChunks() },
      },
      target: ['chrome123', 'firefox125', 'safari17.5'],
      // The page's content security policy allows data: URLs for pictures only.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      chunkSizeWarningLimit: 1_600,
      reportCompressedSize: false,
      manifest: 'manifest.json',
    },
    worker: { format: 'es', plugins: () => [iconPlugin(), fontPlugin()] },
    server: { fs: { allow: [ROOT] } },
  };
});
