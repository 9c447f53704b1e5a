import { expect, test } from 'vitest';
import { addDecimals, averageText, decimalText, divideDecimal, parseDecimal, ZERO } from '../../src/core/decimal.ts';

const read = (text: string) => parseDecimal(text) ?? ZERO;
const sum = (...texts: readonly string[]) => decimalText(texts.map(read).reduce(addDecimals, ZERO));
const divide = (text: string, by: number, places = 2) => decimalText(divideDecimal(read(text), by, places));

test('sums are exact', () => {
  expect(sum('0.1', '0.2')).toBe('0.3');
  expect(sum('12.50', '-12.5')).toBe('0.00');
  expect(sum('99999999999999999999.99', '0.01')).toBe('100000000000000000000.00');
  expect(sum('.5', '-1', '+2.')).toBe('1.5');
  expect(sum('-0.05')).toBe('-0.05');
});
test('quotients are rounded half away from zero', () => {
  expect(divide('10', 3)).toBe('3.33');
  expect(divide('0.05', 2, 0)).toBe('0.03');
  expect(divide('-0.05', 2, 0)).toBe('-0.03');
  expect(divide('1', 8, 3)).toBe('0.125');
});
test('averages have no zeros at the end', () => {
  const averages = [100, '4.50', '0', '-0.30', '1'].map((value) => averageText(read(String(value)), 3));
  expect(averages).toEqual(['33.33333333333333333333', '1.5', '0', '-0.1', '0.33333333333333333333']);
  expect(averageText(read('300'), 3)).toBe('100');
  expect(averageText(ZERO, 0)).toBe('');
});
test('anything else than digits, a sign and a point is no number', () => {
  for (const text of ['', '.', '-', '1,5', '1e3', '0x10', 'Infinity', '１', '1 2', '9'.repeat(61)]) {
    expect(parseDecimal(text), text).toBeNull();
  }
});
