// Tests the library, `import { render } from 'platen'`, with fonts of the program's own.

import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import * as library from '../src/index.ts';
import { temporaryFolder } from './temporary-folder.ts';

const FONT = join(import.meta.dirname, '../node_modules/bwip-js/fonts/OCRB7.ttf');
const text: library.LayerDocument = {
  name: 'title',
  type: 'text',
  text: '0123456789',
  fontSize: 20,
  fontFamily: 'OCRB',
};
const template: library.TemplateDocument = { name: 'Card', width: 200, height: 40, layers: [text] };

test('fontFolders: families of font files in them', async () => {
  await using folder = await temporaryFolder();
  await copyFile(FONT, join(folder.path, 'own.ttf'));
  const [own, without] = [
    await library.compose(template, { fontFolders: [folder.path] }),
    await library.compose(template),
  ];
  expect([own.warnings, without.warnings]).toEqual([[], [expect.stringContaining('"OCRB"')]]);
  expect(own.toSvg()).not.toBe(without.toSvg());
  const missing = join(folder.path, 'typo');
  await expect(library.compose(template, { fontFolders: [missing] })).rejects.toThrow(`"${missing}" is not a folder.`);
});

test('an unknown output or option is refused by a sentence, with an error class that is exported', async () => {
  const template = { name: 'T', width: 10, height: 10, layers: [] };
  const refusal = async (options: object) => {
    const error = await library.render(template, options).catch((reason) => reason);
    expect(error).toBeInstanceOf(library.AppError);
    return error.message;
  };
  expect(await refusal({ output: 'gif' })).toMatch(/^output: must be one of png, .*, not "gif"\.$/);
  expect(await refusal({ scael: 2 })).toBe('scael: is no option; did you mean scale?');
  await expect(library.compose(template, { output: 'png' } as object)).rejects.toThrow(
    /^output: is no option; there are /,
  );
  // @ts-expect-error: it has no size
  await expect(library.render({ name: 'T' })).rejects.toBeInstanceOf(library.ValidationError);
});

test('templates are typed', () => {
  const typed = (_template: library.TemplateDocument) => undefined;
  typed({ name: 'T', width: 9, height: 9, layers: [{ name: 'a', type: 'frame', children: [text] }] });
  typed({ name: 'T', width: 9, height: 9, layers: [{ name: 'a', type: 'shape', fill: '#fff' }] } as const);
  // A document that a compiler has read from a JSON file.
  const json = { name: 'T', width: 9, height: 9, layers: [{ name: 'a', type: 'text', text: 'Hi' }] };
  typed(json as library.TemplateDocument);
  // @ts-expect-error: no such type
  typed({ name: 'T', width: 9, height: 9, layers: [{ name: 'a', type: 'txt' }] });
  // @ts-expect-error: no such property
  typed({ name: 'T', width: 9, height: 9, layers: [{ name: 'a', type: 'text', colour: '#fff' }] });
  const frame = { name: 'a', type: 'frame' } as const;
  // @ts-expect-error: no such property, in a frame
  typed({ name: 'T', width: 9, height: 9, layers: [{ ...frame, children: [{ name: 'b', type: 'qr', txt: '1' }] }] });
});
