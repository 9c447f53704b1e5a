// Makes one document with one writer in a process of its own: `node bench/documents/child.ts <writer> <rows> <seed>
// <file>`. Its parent reads what its processes took, so it stays until its standard input closes.

import { createRequire } from 'node:module';
import { rowsOf } from './report.ts';
import type { OpenWriter } from './writer.ts';

const WRITERS: Readonly<Record<string, () => Promise<{ open: OpenWriter }>>> = {
  platen: () => import('./platen.ts'),
  'platen-html': () => import('./platen-html.ts'),
  typst: () => import('./typst.ts'),
  forme: () => import('./forme.ts'),
  pdfmake: () => import('./pdfmake.ts'),
  'react-pdf': () => import('./react-pdf.ts'),
  weasyprint: () => import('./weasyprint.ts'),
  chromium: () => import('./chromium.ts'),
};

export const WRITER_NAMES: readonly string[] = Object.keys(WRITERS);

async function main([name = '', count, seed, file = '']: readonly string[]): Promise<void> {
  const load = WRITERS[name];
  if (!load) throw new Error(`no writer "${name}"`);
  const find = createRequire(import.meta.url).resolve;
  const write = await (await load()).open({
    regular: find('@expo-google-fonts/inter/400Regular/Inter_400Regular.ttf'),
    bold: find('@expo-google-fonts/inter/700Bold/Inter_700Bold.ttf'),
  });
  const rows = rowsOf(Number(count), Number(seed));
  process.send?.('ready');
  process.on('message', async () => {
    const start = performance.now();
    await write(rows, file);
    process.send?.(performance.now() - start);
  });
}

if (import.meta.main) await main(process.argv.slice(2));
