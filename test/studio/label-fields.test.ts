// Tests what sheets of labels begin with, and what a request says of them.

import { expect, test } from 'vitest';
import { LabelSheet } from '../../src/design/label-sheet.ts';
import { fittingLabels, sheetOf } from '../../src/studio/pages/use/batch/label-fields.ts';

const px = (mm: number) => (mm / 25.4) * 96;

test('a sheet begins with as many labels as it has room for', () => {
  const counts = (width: number, height: number, paper: 'A4' | 'Letter') => {
    const { columns, rows } = fittingLabels(paper, { width: px(width), height: px(height) });
    return [columns, rows];
  };
  // 24 labels of 70 × 37 mm, also where the canvas is rounded to whole px.
  expect(counts(70, 37, 'A4')).toEqual(['3', '8']);
  expect(fittingLabels('A4', { width: 265, height: 140 })).toMatchObject({ columns: '3', rows: '8' });
  expect(counts(66.7, 25.4, 'Letter')).toEqual(['3', '11']);
  expect(counts(400, 400, 'A4')).toEqual(['1', '1']);
});

test('a request says lengths in mm, and what is no number as it was typed, which the server names', () => {
  const fields = { size: 'A4', columns: '3', rows: '7', across: '2,5', down: '', start: '4' } as const;
  expect(sheetOf(fields)).toEqual({ size: 'A4', columns: 3, rows: 7, gap: ['2.5mm', '0mm'], start: 4 });
  expect(LabelSheet.safeParse(sheetOf(fields)).success).toBe(true);
  expect(LabelSheet.safeParse(sheetOf({ ...fields, rows: 'seven' })).error?.issues[0]?.path).toEqual(['rows']);
});
