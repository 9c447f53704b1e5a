// Tests that each page and each form names exactly the resources that it uses, and that no form contains itself.

import { expect, test } from 'vitest';
import type { PaintOp } from '#core/paint/display-list.ts';
import { isDict, PdfFile, PdfStream, type PdfValue, Ref } from '../../../golden/pdf-file.ts';
import { fill, group, page, rect, rgb, solid } from './page.ts';
import { samplePage } from './sample-page.ts';

const SQUARE = rect(10, 20, 30, 40);
const FADING: PaintOp = {
  kind: 'fill',
  path: SQUARE,
  rule: 'nonzero',
  brush: {
    kind: 'linear',
    from: { x: 10, y: 0 },
    to: { x: 40, y: 0 },
    stops: [
      { offset: 0, color: rgb(255, 0, 0, 0) },
      { offset: 1, color: rgb(0, 0, 255) },
    ],
  },
};
const BLACK = fill(SQUARE, solid(0, 0, 0));
/** Opacity, blending and soft masks, nested in each other. */
const NESTED = group(
  [BLACK, FADING, group([FADING, group([BLACK, FADING], { opacity: 0.3 })], { blend: 'multiply', opacity: 0.5 })],
  { opacity: 0.7 },
);

/** The names of a stream's resources: those that its operators use, and those that its dictionary lists. */
function namesOf(file: PdfFile, content: PdfValue, resources: PdfValue | undefined) {
  const text = content instanceof PdfStream ? Buffer.from(content.data()).toString('latin1') : '';
  const used = new Set([...text.matchAll(/\/([A-Z]\d+) /g)].map(([, name]) => `/${name}`));
  const named = [...file.dict(resources).values()].flatMap((kind) => [...file.dict(kind).keys()]);
  return { used: [...used].sort(), named: named.sort() };
}

/**
 * Calls `visit` for everything reachable from a value, except through parent references. `way` has the object numbers
 * on the path.
 */
function walk(file: PdfFile, value: PdfValue, way: readonly number[], visit: (value: PdfValue) => void): void {
  if (value instanceof Ref) {
    expect(way, 'the objects that lead to an object').not.toContain(value.number);
    walk(file, file.resolve(value), [...way, value.number], visit);
    return;
  }
  visit(value);
  const dict = value instanceof PdfStream ? value.dict : value;
  if (isDict(dict)) {
    for (const [key, each] of dict) if (key !== '/Parent' && key !== '/P') walk(file, each, way, visit);
  } else if (Array.isArray(dict)) for (const each of dict) walk(file, each, way, visit);
}

test.each([
  ['nested groups', () => page([NESTED, FADING])],
  ['blending with the canvas', () => page([BLACK, group([NESTED, FADING], { blend: 'screen' })])],
  ['a page of everything', samplePage],
])('%s', async (_, make) => {
  const file = new PdfFile(await make());
  let forms = 0;
  walk(file, file.trailer.get('/Root') ?? null, [], (value) => {
    const dict = value instanceof PdfStream ? value.dict : value;
    if (!isDict(dict)) return;
    const isForm = dict.get('/Subtype') === '/Form';
    if (!isForm && dict.get('/Type') !== '/Page') return;
    if (isForm) forms += 1;
    const { used, named } = namesOf(file, isForm ? value : file.resolve(dict.get('/Contents')), dict.get('/Resources'));
    expect(named).toEqual(used);
  });
  expect(forms).toBeGreaterThan(0);
});
