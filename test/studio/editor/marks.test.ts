// Tests that the selection, snap lines and guides can be seen on every ground, in both themes: each is a line with a white
// edge, so it is enough that these two differ.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Color, parseColor } from '#core/color.ts';
import { contrast } from '../../../src/studio/editor/core/scene/color-model.ts';

const CSS = readFileSync(join(import.meta.dirname, '../../../src/studio/editor/canvas/canvas.css'), 'utf8');

/** The values of a custom property in the light and in the dark theme. */
function colorsOf(property: string): readonly Color[] {
  const [, value = ''] = new RegExp(`${property}: (.+);`).exec(CSS) ?? [];
  const themes = /light-dark\((\S+), (\S+)\)/.exec(value)?.slice(1) ?? [value];
  return themes.map((theme) => parseColor(theme) ?? expect.fail(`${property}: ${theme}`));
}

const GROUNDS = [0, 64, 128, 192, 255].flatMap((r) =>
  [0, 64, 128, 192, 255].flatMap((g) => [0, 64, 128, 192, 255].map((b) => ({ r, g, b, a: 1 }))),
);
const ORANGE = { r: 255, g: 106, b: 61, a: 1 };

function over(top: Color, ground: Color): Color {
  const mix = (a: number, b: number) => a * top.a + b * (1 - top.a);
  return { r: mix(top.r, ground.r), g: mix(top.g, ground.g), b: mix(top.b, ground.b), a: 1 };
}

test.each(['--pick', '--mark', '--guide', '--label'])('%s and its edge differ on every ground', (property) => {
  const [edge] = colorsOf('--edge-of-marks');
  for (const line of colorsOf(property)) {
    for (const ground of [...GROUNDS, ORANGE]) {
      expect(contrast(line, over(edge ?? line, ground)), JSON.stringify(ground)).toBeGreaterThanOrEqual(3);
    }
  }
});
