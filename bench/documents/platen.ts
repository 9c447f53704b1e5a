// Platen's own pipeline, as the server runs it: from a stored template and a list as a modification to the file.

import { writeFile } from 'node:fs/promises';
import { composePages } from '../../src/core/compose.ts';
import { resolve } from '../../src/core/resolve/resolve.ts';
import { parseTemplate } from '../../src/core/template/template.ts';
import { openFontLibrary } from '../../src/draw/fonts/font-library.ts';
import { exportAs } from '../../src/draw/output/export.ts';
import { DEFAULT_EXPORT } from '../../src/draw/output/formats.ts';
import { loadResources } from '../../src/draw/renderer/load-resources.ts';
import { CELL_PADDING, FONT_SIZE, HEADER, isRight, MARGIN, WIDTHS } from './report.ts';
import type { OpenWriter } from './writer.ts';

const px = (pt: number) => (pt * 96) / 72;
const names = HEADER.map((_, column) => `c${column}`);

const TEMPLATE = parseTemplate({
  name: 'Report',
  page: { size: 'A4', margin: px(MARGIN) },
  background: '#ffffff',
  layers: [
    {
      name: 'number',
      type: 'text',
      right: px(MARGIN),
      bottom: px(28),
      fontSize: px(8),
      spans: [{ text: 'Page ' }, { counter: 'page' }, { text: ' of ' }, { counter: 'pages' }],
    },
    {
      name: 'body',
      type: 'frame',
      flow: true,
      children: [
        {
          name: 'rows',
          type: 'table',
          columns: WIDTHS.map((width, column) => ({
            width: width === null ? 'fill' : px(width),
            align: isRight(column) ? 'end' : 'start',
          })),
          header: HEADER,
          row: names.map((name) => ({ name })),
          cell: {
            fontSize: px(FONT_SIZE),
            padding: [px(CELL_PADDING.y), px(CELL_PADDING.x), px(CELL_PADDING.y), px(CELL_PADDING.x)],
          },
          headerCell: { fontWeight: 700 },
          rule: { width: px(0.5), color: '#cccccc' },
          headerRule: { width: px(0.5), color: '#cccccc' },
        },
      ],
    },
  ],
});

export const open: OpenWriter = async () => {
  // The catalogue's Inter consists of the same files as the others get.
  const fonts = await openFontLibrary({ folders: [] });
  const files = {
    async read(source: string): Promise<never> {
      throw new Error(`no image "${source}"`);
    },
  };
  return async (rows, file) => {
    const entries = rows.map((row) => Object.fromEntries(row.map((text, column) => [names[column], text])));
    const scene = resolve(TEMPLATE, { rows: entries });
    const { resources } = await loadResources(scene.needs, fonts, files, new AbortController().signal, 'header');
    const { lists } = composePages(scene, resources, {});
    await writeFile(file, await exportAs('pdf', lists, resources, DEFAULT_EXPORT));
  };
};
