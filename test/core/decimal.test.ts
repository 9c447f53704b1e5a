import { expect, test } from 'vitest';
import {
  addDecimals,
  averageOf,
  decimalText,
  divideDecimal,
  multiplyDecimals,
  parseDecimal,
  roundDecimal,
  shortest,
  ZERO,
} from '../../src/core/decimal.ts';

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
test('products are exact', () => {
  const product = (a: string, b: string) => decimalText(multiplyDecimals(read(a), read(b)));
  expect(product('0.1', '0.2')).toBe('0.02');
  expect(product('-12.50', '4')).toBe('-50.00');
  expect(product('99999999999999999999.99', '0.01')).toBe('999999999999999999.9999');
});
test('halves are rounded away from zero, or to the even digit', () => {
  const rounded = (value: string, places: number) =>
    (['half-up', 'half-even'] as const).map((how) => decimalText(roundDecimal(read(value), places, how)));
  expect(rounded('0.125', 2)).toEqual(['0.13', '0.12']);
  expect(rounded('0.135', 2)).toEqual(['0.14', '0.14']);
  expect(rounded('-2.5', 0)).toEqual(['-3', '-2']);
  expect(rounded('-2.51', 0)).toEqual(['-3', '-3']);
  expect(rounded('0.1249999', 2)).toEqual(['0.12', '0.12']);
  expect(rounded('7', 2)).toEqual(['7.00', '7.00']);
});
test('averages have no zeros at the end', () => {
  const averages = [100, '4.50', '0', '-0.30', '1'].map((value) =>
    decimalText(averageOf(read(String(value)), 3) ?? ZERO),
  );
  expect(averages).toEqual(['33.33333333333333333333', '1.5', '0', '-0.1', '0.33333333333333333333']);
  expect(decimalText(averageOf(read('300'), 3) ?? ZERO)).toBe('100');
  expect(averageOf(ZERO, 0)).toBeNull();
  expect(shortest(read('12.500'))).toEqual(read('12.5'));
});
test('anything else than digits, a sign and a point is no number', () => {
  for (const text of ['', '.', '-', '1,5', '1e3', '0x10', 'Infinity', '１', '1 2', '9'.repeat(61)]) {
    expect(parseDecimal(text), text).toBeNull();
  }
});
