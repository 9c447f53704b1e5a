import { expect, test } from 'vitest';
import { findJsonFault, placeOf } from '#server/http/middleware/json-fault.ts';

function fault(text: string): string | null {
  const found = findJsonFault(text);
  if (found === null) return null;
  const { line, column } = placeOf(text, found.at);
  return `${line}:${column} ${found.problem}`;
}

test.each([
  ['{"a": 1,}', '1:8 a comma may not stand before "}"'],
  ['[1, 2,\n]', '1:6 a comma may not stand before "]"'],
  ["{'a': 1}", '1:2 expected a name in double quotes, not "\'"'],
  ['{"a": \'b\'}', "1:7 strings stand in double quotes, not '"],
  ['{a: 1}', '1:2 expected a name in double quotes, not "a"'],
  ['{\n  "a": undefined\n}', '2:8 expected a value, not "undefined"'],
  ['{"a": True}', '1:7 expected a value, not "True"'],
  ['{"a" 1}', '1:6 expected a colon after the name, not "1"'],
  ['{"a": 1 "b": 2}', '1:9 expected a comma or "}", not "\\""'],
  ['{"a": 1', '1:8 the text ends before the "}" of line 1, column 1'],
  ['{"a": {"b": [1, 2', '1:18 the text ends before the "]" of line 1, column 13'],
  ['{"a":', '1:6 expected a value, not the end of the text'],
  ['{"a": "b\nc"}', '1:9 a string has a line break; write \\n'],
  ['{"a": "b\tc"}', '1:9 a string has a tab; write \\t'],
  ['{"a": "b\u0001c"}', '1:9 a string has a control character; escape it'],
  ['{"a": "C:\\logo"}', '1:10 a backslash in a string begins no escape; write \\\\ for a backslash'],
  ['{"a": "b}', '1:7 a string begins here and is never closed'],
  ['{"a": 01}', '1:8 expected a comma or "}", not "1"'],
  ['{"a": .5}', '1:7 expected a value, not "."'],
  ['{"a": 1} // b', '1:10 expected the end of the text, not a comment, which JSON does not have'],
  ['// b\n{}', '1:1 expected a value, not a comment, which JSON does not have'],
  ['', '1:1 expected a value, not the end of the text'],
  ['\ufeff{}', '1:1 it begins with a byte order mark, which JSON may not have'],
  ['{"🎉": x}', '1:8 expected a value, not "x"'],
])('%j', (text, expected) => {
  expect(() => JSON.parse(text)).toThrow();
  expect(fault(text)).toBe(expected);
});

test('agrees with JSON.parse about every text that differs from JSON in one character', () => {
  const text = '{"a": [1, -2.5e+3, "x\\u00e9\\n", true, null], "b": {"c": {}, "d": []}}';
  const isJson = (changed: string) => {
    try {
      JSON.parse(changed);
      return true;
    } catch {
      return false;
    }
  };
  for (let at = 0; at <= text.length; at += 1) {
    for (const put of ['', ...'{}[]",:\\ 0a-.e\n']) {
      const replaced = text.slice(0, at) + put + text.slice(at + 1);
      const inserted = text.slice(0, at) + put + text.slice(at);
      for (const changed of [replaced, inserted]) expect(fault(changed) === null, changed).toBe(isJson(changed));
    }
  }
});
