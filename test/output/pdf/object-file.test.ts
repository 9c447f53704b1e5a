// The frame of a file: where its objects lie, what becomes of their streams, and what tells it from others.

import { inflateSync } from 'node:zlib';
import { expect, test } from 'vitest';
import type { Dictionary } from '#output/pdf/object.ts';
import { ObjectFile } from '#output/pdf/object-file.ts';

/** A file with one object of interest, number 3. */
function fileWith(data: Dictionary, stream?: string | Uint8Array): Buffer {
  const file = new ObjectFile();
  const [root, info, object] = [file.reserve(), file.reserve(), file.reserve()];
  file.write(root, { Type: 'Catalog' });
  file.write(object, data, stream);
  file.write(info, {});
  return Buffer.from(file.finish(root, info));
}

/** What the file's third object is: its dictionary, and its stream as it lies there. */
function third(file: Buffer): { readonly dictionary: string; readonly bytes: Buffer } {
  const start = file.indexOf('3 0 obj\n') + 8;
  const stream = file.indexOf('\nstream\n', start);
  const dictionary = file.subarray(start, stream).toString('latin1');
  const from = stream + 8;
  return { dictionary, bytes: file.subarray(from, from + Number(/\/Length (\d+)/.exec(dictionary)?.[1])) };
}

test('the table says where every object begins', () => {
  const text = fileWith({}, Uint8Array.of(1, 200, 255)).toString('latin1');
  const table = Number(/startxref\n(\d+)\n%%EOF\n$/.exec(text)?.[1]);
  expect(text.slice(table, table + 9)).toBe('xref\n0 4\n');
  const rows = text
    .slice(table + 9)
    .split('\n')
    .slice(0, 4);
  expect(rows[0]).toBe('0000000000 65535 f ');
  for (const [number, row] of rows.entries()) {
    expect(row).toHaveLength(19);
    if (number > 0) expect(text.slice(Number(row.slice(0, 10)))).toMatch(new RegExp(`^${number} 0 obj\n`));
  }
});

test('the trailer names the catalogue and the information', () =>
  expect(fileWith({}).toString('latin1')).toMatch(
    /trailer\n<<\n\/Size 4\n\/Root 1 0 R\n\/Info 2 0 R\n\/ID \[<(\w{32})> <\1>\]\n>>/,
  ));

function checkStream(stream: string | Uint8Array, isDeflated: boolean): void {
  const { dictionary, bytes } = third(fileWith({}, stream));
  expect(dictionary.includes('/Filter /FlateDecode')).toBe(isDeflated);
  expect((isDeflated ? inflateSync(bytes) : bytes).equals(Buffer.from(stream as string, 'latin1'))).toBe(true);
}

test('short text is not worth deflating, longer text is', () => {
  checkStream('0 0 m\n'.repeat(100), false);
  checkStream('0 0 m\n'.repeat(200), true);
});
test('bytes are worth it when there are many', () => {
  checkStream(new Uint8Array(5_000).fill(7), false);
  checkStream(new Uint8Array(9_000).fill(7), true);
});
test('what has a filter already stays as it is', () => {
  const { dictionary, bytes } = third(fileWith({ Filter: 'DCTDecode' }, new Uint8Array(9_000)));
  expect(dictionary).toContain('/Filter /DCTDecode\n/Length 9000');
  expect(bytes).toHaveLength(9_000);
});

test('an object that is reserved and never written is a bug', () => {
  const file = new ObjectFile();
  const root = file.reserve();
  file.write(root, {});
  expect(() => file.finish(root, file.reserve())).toThrow('never written');
});

test('whatever is in a file tells it from others', () => {
  const id = (file: Buffer) => /\/ID \[<(\w+)>/.exec(file.toString('latin1'))?.[1];
  const files = [
    fileWith({}),
    fileWith({ A: 1 }),
    fileWith({}, 'q Q'),
    fileWith({}, 'Q q'),
    fileWith({ Filter: 'DCTDecode' }, Uint8Array.of(1)),
    fileWith({ Filter: 'DCTDecode' }, Uint8Array.of(2)),
  ];
  expect(new Set(files.map(id)).size).toBe(files.length);
  expect(id(fileWith({ A: 1 }))).toBe(id(fileWith({ A: 1 })));
});
