// Tests which chunk of the studio's build each module goes into.

import { expect, test } from 'vitest';
import { assigned } from '../../scripts/studio/few-chunks.ts';

/** What each module imports; with `?` when it is first needed. */
const GRAPH: Readonly<Record<string, readonly string[]>> = {
  '/src/studio/shell/main.tsx': ['/src/studio/shell/app.tsx'],
  '/src/studio/shell/app.tsx': ['/button.tsx', '?/src/studio/pages/use/use.tsx', '?/src/studio/editor/editor.tsx'],
  '/src/studio/pages/use/use.tsx': ['/button.tsx', '/sheet.tsx', '/snippets.ts'],
  '/src/studio/editor/editor.tsx': [
    '/sheet.tsx',
    '/canvas.tsx',
    '?/src/studio/editor/json/json-editor.ts',
    '?/barcode.ts',
  ],
  '/src/studio/editor/json/json-editor.ts': ['/canvas.tsx', '/codemirror.js'],
  '/barcode.ts': ['/canvas.tsx'],
};

test('a module is where all that loads it loads it anyway, and once', () => {
  const of = (id: string, isLater: boolean) =>
    (GRAPH[id] ?? []).filter((one) => one.startsWith('?') === isLater).map((one) => one.replace('?', ''));
  const from = (id: string, isLater: boolean) => Object.keys(GRAPH).filter((one) => of(one, isLater).includes(id));
  const infoOf = (id: string) => ({
    importedIds: of(id, false),
    dynamicallyImportedIds: of(id, true),
    importers: from(id, false),
    dynamicImporters: from(id, true),
  });
  expect(Object.fromEntries(assigned('/canvas.tsx', infoOf))).toEqual({
    '/src/studio/shell/app.tsx': 'shell',
    '/button.tsx': 'shell',
    '/src/studio/pages/use/use.tsx': 'pages',
    '/snippets.ts': 'pages',
    '/sheet.tsx': 'fields',
    '/src/studio/editor/editor.tsx': 'editor',
    '/canvas.tsx': 'editor',
    '/src/studio/editor/json/json-editor.ts': 'code',
    '/codemirror.js': 'code',
  });
});
