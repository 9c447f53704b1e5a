import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { uploadSources } from '../../src/cli/template.ts';
import { temporaryFolder } from '../temporary-folder.ts';

test('the pictures beside a template are uploaded once each, and named by their ids', async () => {
  await using folder = await temporaryFolder();
  await mkdir(join(folder.path, 'cards'));
  await writeFile(join(folder.path, 'above.svg'), 'above');
  await writeFile(join(folder.path, 'cards/own.svg'), 'own');
  const upload = async (bytes: Uint8Array) => `img_${Buffer.from(bytes)}`;
  const document = {
    layers: [
      { type: 'image', src: 'own.svg', fallback: 'above.svg' },
      { type: 'frame', children: [{ type: 'image', src: 'own.svg' }] },
      { type: 'image', src: 'https://example.com/a.png' },
      { type: 'text', text: 'own.svg' },
    ],
    html: `<img alt="x" src="own.svg"><img src='https://example.com/a.png'><svg><image href='above.svg'/></svg>`,
  };
  const made = await uploadSources(document, join(folder.path, 'cards'), upload);
  expect(made.document).toEqual({
    layers: [
      { type: 'image', src: 'img_own', fallback: 'img_above' },
      { type: 'frame', children: [{ type: 'image', src: 'img_own' }] },
      { type: 'image', src: 'https://example.com/a.png' },
      { type: 'text', text: 'own.svg' },
    ],
    html: `<img alt="x" src="img_own"><img src='https://example.com/a.png'><svg><image href="img_above"/></svg>`,
  });
  expect(made.uploaded.map(({ source }) => source)).toEqual(['own.svg', 'above.svg']);
  await expect(uploadSources({ src: 'none.png' }, folder.path, upload)).rejects.toThrow(
    'There is no file none.png beside the template',
  );
});
