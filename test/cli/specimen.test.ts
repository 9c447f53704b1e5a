// Tests that the specimen sheet is complete: no glyph is missing, no text is cut.

import { expect, test } from 'vitest';
import { describeLayout } from '#core/layout/describe-layout.ts';
import { layOut } from '#core/layout/layout.ts';
import { lostContent } from '#core/lost-content.ts';
import { resolve } from '#core/resolve/resolve.ts';
import { parseTemplate } from '#core/template/template.ts';
import { openFontLibrary } from '#fonts/font-library.ts';
import { specimenSheet } from '#specimen/sheet.ts';

const fonts = await openFontLibrary({ folders: [] });

test.skipIf(fonts.missing.length > 0)('the specimen is drawn whole', async () => {
  const scene = resolve(parseTemplate(specimenSheet(100)), {});
  const loaded = await fonts.load(scene.needs.fonts);
  const { boxes, diagnostics } = layOut(scene, {
    fonts: loaded.fonts,
    images: new Map(),
    codes: new Map(),
    hyphenators: new Map(),
  });
  const height = Math.max(...boxes.map(({ rect }) => rect.y + rect.height));
  expect([...loaded.diagnostics, ...diagnostics, ...lostContent({ ...scene, height }, boxes, loaded.fonts)]).toEqual(
    [],
  );
  const [sheet, ...layers] = describeLayout(scene, boxes).layers;
  expect(layers.filter(({ text }) => text?.overflows).map(({ name }) => name)).toEqual([]);
  const right = Math.max(...layers.map(({ x, width }) => x + width));
  expect(right).toBeLessThanOrEqual((sheet?.width ?? 0) - 70);
});
