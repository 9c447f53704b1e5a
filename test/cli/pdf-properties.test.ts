import { expect, test } from 'vitest';
import { readPdfProperties } from '../../src/cli/pdf-properties.ts';

test('every property of the request, in its own type', () => {
  expect(
    readPdfProperties([
      ['title', '42'],
      ['author', 'Me'],
      ['subject', 'true'],
      ['keywords', 'a,b'],
      ['language', 'de'],
      ['density', '150.5'],
      ['reproducible', 'true'],
      ['pageLabel.style', 'null'],
      ['pageLabel.prefix', '7-'],
      ['pageLabel.start', '3'],
      ['viewer.hideToolbar', 'false'],
      ['viewer.printScaling', 'none'],
    ]),
  ).toEqual({
    title: '42',
    author: 'Me',
    subject: 'true',
    keywords: ['a', 'b'],
    language: 'de',
    density: 150.5,
    reproducible: true,
    pageLabel: { style: null, prefix: '7-', start: 3 },
    viewer: { hideToolbar: false, printScaling: 'none' },
  });
  expect(readPdfProperties([])).toBeUndefined();
});

test.each([
  ['density', '9', 'pdf.density: must be at least 72'],
  ['reproducible', 'maybe', 'pdf.reproducible: must be a boolean'],
  ['viewer.fitWindow', '7', 'pdf.viewer.fitWindow: must be a boolean'],
  ['pageLabel.start', 'x', 'pdf.pageLabel.start: must be a number'],
  ['titel', 'x', 'pdf: unknown property "titel"; did you mean "title"?'],
  ['title.short', 'x', 'pdf: unknown property "title.short"'],
])('%s=%s is refused by name', (name, text, complaint) => {
  expect(() => readPdfProperties([[name, text]])).toThrow(complaint);
});
