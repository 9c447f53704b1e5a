// Compares the examples, drawn without a browser by both renderers, with their recorded pictures, by the measure of the
// goldens.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { AppError } from '#base/errors.ts';
import { compareRasterizers } from '../../../golden/compare-rasterizers.ts';
import { decodePicture, type Picture } from '../../../golden/picture.ts';
import { drawExample, drawOwnExample } from './draw-example.ts';
import { CANVAS, EXAMPLES, type Example } from './examples.ts';

/** Examples that are refused, with what the sentence names. */
const REFUSED: Readonly<Record<string, string>> = {
  'layout/columns': 'class "columns-3": the property columns',
  'layout/box-decoration-break': 'class "box-decoration-clone": the property box-decoration-break',
  'flex and grid/grid-template-columns 3': 'class "grid-cols-subgrid": grid-template-columns: subgrid',
  'effects/mask-clip': 'class "mask-clip-padding": mask-clip: padding-box',
  'effects/mask-composite': 'class "mask-exclude": mask-composite: exclude',
  'effects/mask-mode': 'class "mask-luminance": mask-mode: luminance',
  'effects/mask-origin': 'class "mask-origin-content": mask-origin: content-box',
  'transforms/perspective': 'class "perspective-normal": the property perspective',
  'transforms/transform-style': 'class "transform-3d": the property transform-style',
};

/** Examples that differ, by the reason; docs/html.md names all of them. */
const DIFFERENT: Readonly<Record<string, readonly string[]>> = {
  'a text is a fraction of a px wider, as satori rounds its width up, and what follows moves': [
    'layout/display 4',
    'flex and grid/flex-direction',
    'flex and grid/grid-auto-columns',
    'flex and grid/justify-content',
    'flex and grid/justify-content 3',
    'flex and grid/align-items',
    'flex and grid/align-items 2',
    'flex and grid/align-items 3',
    'flex and grid/align-self',
    'spacing/padding',
    'spacing/padding 2',
    'spacing/margin',
    'spacing/space between',
    'spacing/space between 3',
    'sizing/height',
    'sizing/min-height',
    'sizing/max-height',
  ],
  'the lines of text decorations are a px higher or thicker': [
    'typography/text-decoration-line',
    'typography/text-decoration-style',
    'typography/wavy decoration',
    'typography/text-decoration-thickness',
  ],
  'borders that collapse lie half a px lower and further right': [
    'tables/border-collapse',
    'tables/table-layout',
    'tables/table-layout 2',
  ],
  'a text beside two floats': ['layout/clear'],
  'width: min-content in a column of flexbox': ['sizing/width 3'],
  'lines break at other places': ['typography/overflow-wrap anywhere'],
};
const DIFFERENT_NAMES = new Set(Object.values(DIFFERENT).flat());

const counts = { alike: 0, different: 0, refused: 0 };

for (const example of EXAMPLES) {
  test(example.name, async () => {
    const drawn = await drawExample(example).catch((error: unknown) => {
      if (error instanceof AppError) return error.message;
      throw error;
    });
    if (typeof drawn === 'string') {
      counts.refused += 1;
      expect(drawn).toContain(REFUSED[example.name] ?? 'nothing: it should be drawn');
      return;
    }
    expect(REFUSED[example.name]).toBeUndefined();
    const { agrees } = compareRasterizers(await recordedPicture(example), drawn.picture, drawn.glyphs);
    counts[agrees ? 'alike' : 'different'] += 1;
    expect(agrees).toBe(!DIFFERENT_NAMES.has(example.name));
  });
}

/** Examples that our own engine draws otherwise; all are named by a warning. */
const OTHERWISE: readonly string[] = [
  'layout/box-decoration-break',
  'flex and grid/grid-template-columns 3',
  'typography/text-decoration-style',
  'typography/wavy decoration',
  'effects/background-blend-mode',
  'effects/mask-clip',
  'effects/mask-composite',
  'effects/mask-image 2',
  'effects/mask-image 5',
  'effects/mask-origin',
  'effects/mask-position',
  'effects/mask-repeat',
  'effects/mask-size',
  'transforms/perspective',
  'others/responsive design 2',
];

test('with renderer "platen" all but those are alike, and those are named', async () => {
  const otherwise: string[] = [];
  const unsaid: string[] = [];
  for (const example of EXAMPLES) {
    const { picture, glyphs, diagnostics } = await drawOwnExample(example);
    if (compareRasterizers(await recordedPicture(example), picture, glyphs).agrees) continue;
    otherwise.push(example.name);
    if (diagnostics.length === 0) unsaid.push(example.name);
  }
  expect(otherwise).toEqual(OTHERWISE);
  expect(unsaid).toEqual([]);
  const words = readFileSync(join(import.meta.dirname, '../../../../docs/html.md'), 'utf8').replace(/\s+/g, ' ');
  expect(words).toContain(`\`platen\` draws ${EXAMPLES.length - otherwise.length} of them alike`);
}, 120_000);

test('the documentation says how many', () => {
  const words = readFileSync(join(import.meta.dirname, '../../../../docs/html.md'), 'utf8').replace(/\s+/g, ' ');
  const { alike, different, refused } = counts;
  expect(words).toContain(
    `Of ${EXAMPLES.length} static examples in the manner of Tailwind's documentation, ${alike} look the same as in Chromium, ${refused} are refused and ${different} differ`,
  );
});

const sheets = new Map<string, Promise<Picture>>();

async function recordedPicture({ group, name }: Example): Promise<Picture> {
  const file = join(import.meta.dirname, `recorded/${group.replaceAll(' ', '-')}.png`);
  const reading = sheets.get(group) ?? decodePicture(readFileSync(file));
  sheets.set(group, reading);
  const { pixels } = await reading;
  const index = EXAMPLES.filter((each) => each.group === group).findIndex((each) => each.name === name);
  const size = 4 * CANVAS.width * CANVAS.height;
  return { ...CANVAS, pixels: pixels.subarray(index * size, (index + 1) * size) };
}
