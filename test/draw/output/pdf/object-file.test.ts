// Tests the structure of PDF files: where objects are, how their streams are stored, and the file's id.

import { createHash } from 'node:crypto';
import { deflateSync, inflateSync } from 'node:zlib';
import { expect, test } from 'vitest';
import type { Dictionary } from '#draw/output/pdf/object.ts';
import { ObjectFile } from '#draw/output/pdf/object-file.ts';
import { PdfFile, PdfStream, Ref } from '../../../golden/pdf-file.ts';

/** A file whose third object is the one to test. */
function fileWith(data: Dictionary, stream?: string | Uint8Array): Buffer {
  const file = new ObjectFile();
  const [root, info, object] = [file.reserve(), file.reserve(), file.reserve()];
  file.write(root, { Type: 'Catalog' });
  file.write(object, data, stream);
  file.write(info, {});
  return Buffer.from(file.finish(root, info));
}

/** The file's third object: its dictionary, and its stream as stored. */
function third(file: Buffer): { readonly dictionary: string; readonly bytes: Buffer } {
  const start = file.indexOf('3 0 obj\n') + 8;
  const stream = file.indexOf('\nstream\n', start);
  const dictionary = file.subarray(start, stream).toString('latin1');
  const from = stream + 8;
  return { dictionary, bytes: file.subarray(from, from + Number(/\/Length (\d+)/.exec(dictionary)?.[1])) };
}

test('every object is found, packed or with a stream of its own', () => {
  const file = new PdfFile(fileWith({ A: 1 }, Uint8Array.of(1, 200, 255)));
  expect(file.dict(file.trailer.get('/Root')).get('/Type')).toBe('/Catalog');
  expect(file.dict(new Ref(3)).get('/A')).toBe(1);
  expect(file.resolve(new Ref(3))).toMatchObject({ raw: Buffer.from([1, 200, 255]) });
});

test('more objects than one object stream takes are all found', () => {
  const file = new ObjectFile();
  const root = file.reserve();
  const objects = Array.from({ length: 2_000 }, (_, i) => ({ i, reference: file.reserve() }));
  for (const { i, reference } of objects) file.write(reference, { I: i });
  file.write(root, {});
  const read = new PdfFile(file.finish(root, root));
  expect(objects.filter(({ i, reference }) => read.dict(new Ref(reference.number)).get('/I') !== i)).toEqual([]);
});

test('the trailer names the catalogue and the information', () =>
  expect(fileWith({}).toString('latin1')).toMatch(/\/Root 1 0 R\n\/Info 2 0 R\n\/ID \[<(\w{32})> <\1>\]\n/));

function checkStream(stream: string | Uint8Array, isDeflated: boolean): void {
  const { dictionary, bytes } = third(fileWith({}, stream));
  expect(dictionary.includes('/Filter /FlateDecode')).toBe(isDeflated);
  expect((isDeflated ? inflateSync(bytes) : bytes).equals(Buffer.from(stream as string, 'latin1'))).toBe(true);
}

test('a stream is deflated where that shrinks it', () => {
  checkStream('0 0 m\n'.repeat(10), false);
  checkStream('0 0 m\n'.repeat(100), true);
  checkStream(new Uint8Array(5_000).fill(7), true);
  checkStream(createHash('shake256', { outputLength: 5_000 }).digest(), false);
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

test('a long file, which is gathered in chunks, has what was written', () => {
  const file = new ObjectFile();
  const [root = file.reserve(), ...references] = Array.from({ length: 60 }, () => file.reserve());
  // Some are compressed already, as pictures are, and some are longer than a chunk.
  const isReady = (i: number) => i % 3 === 0;
  const streams = references.map((_, i) => randomText(i % 20 === 19 ? 2 ** 20 + i : 90_000, i + 1));
  for (const [i, reference] of references.entries()) {
    const stream = streams[i] ?? '';
    if (isReady(i)) file.write(reference, { Filter: 'FlateDecode' }, deflateSync(Buffer.from(stream, 'latin1')));
    else file.write(reference, {}, stream);
  }
  file.write(root, {});
  const read = new PdfFile(file.finish(root, root));
  const wrong = references.filter(({ number }, i) => {
    const stream = read.resolve(new Ref(number));
    return !(stream instanceof PdfStream) || Buffer.from(stream.data()).toString('latin1') !== streams[i];
  });
  expect(wrong).toEqual([]);
});

/** Letters of a kind that hardly become smaller. */
function randomText(length: number, seed: number): string {
  const bytes = Buffer.alloc(length);
  let state = seed;
  for (let i = 0; i < length; i += 1) {
    state = (state * 16807) % 2147483647;
    bytes[i] = state & 0xff;
  }
  return bytes.toString('latin1');
}
