import { expect, test } from 'vitest';
import { chartRows } from '#core/template/chart-rows.ts';
import { readChartSheet, writeChartSheet } from '../../../src/studio/editor/core/document/chart-data.ts';

const read = (text: string) => {
  const { data, series } = readChartSheet(text);
  return { data, ...(series && { series }) };
};

test('lines of numbers, with labels, series and gaps', () => {
  expect(read('3\n5')).toEqual({ data: [3, 5] });
  expect(read('May, 12\nJune, ')).toEqual({
    data: [
      { label: 'May', value: 12 },
      { label: 'June', value: null },
    ],
  });
  expect(read(', Online, Shops\nMay, 1, 2')).toEqual({
    data: [{ label: 'May', value: [1, 2] }],
    series: ['Online', 'Shops'],
  });
});

test('rows of a spreadsheet, whose numbers may have decimal commas', () => {
  expect(read('May\t1,5\nJune\t2')).toEqual({
    data: [
      { label: 'May', value: 1.5 },
      { label: 'June', value: 2 },
    ],
  });
});

test('what is no number is named by its line', () => {
  expect(() => read('May, 12\nJune, many')).toThrow('Line 2: “many” is not a number.');
});

test('what is written is read back', () => {
  const entries = [
    { label: 'May, early', value: [1, null, 3] },
    { label: '2024', value: [4, 5, -6.5] },
  ];
  const text = writeChartSheet(chartRows(entries), ['One', 'Two', 'Three']);
  expect(read(text)).toEqual({ data: entries, series: ['One', 'Two', 'Three'] });
  expect(read(writeChartSheet(chartRows([2, 4]), []))).toEqual({ data: [2, 4] });
});
