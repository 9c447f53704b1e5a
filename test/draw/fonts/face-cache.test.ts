// Tests that opened faces stay within their limit: also those that grow while they are used, and those of one picture.

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { afterAll, expect, test } from 'vitest';
import { Coverage } from '#core/fonts/coverage.ts';
import type { FaceMatch } from '#core/fonts/match-face.ts';
import type { FontFace } from '#core/text/font-face.ts';
import { FaceCache, PictureFaces } from '#draw/fonts/face-cache.ts';
import { fontPath } from '../../core/text/faces.ts';
import { temporaryFolder } from '../../temporary-folder.ts';

const parts = new AsyncDisposableStack();
afterAll(() => parts.disposeAsync());

const folder = parts.use(await temporaryFolder()).path;
const mono = readFileSync(fontPath('mono'));
const SIZE = mono.length;

/** A face whose file is a copy of a font. */
function match(name: string): FaceMatch {
  const path = join(folder, name);
  writeFileSync(path, mono);
  const face = { family: name, weight: 400, width: 5, style: 'normal', axes: {}, coverage: Coverage.of([]), path };
  return { face: { ...face, id: name } as unknown as FaceMatch['face'], variations: {}, slant: 0, embolden: false };
}

const [A, B] = [match('A'), match('B')];
const LATIN = { direction: 'ltr', script: 'Latn', language: null, features: {} } as const;

test('a face that has grown beyond the limit is closed before the next picture', async () => {
  const cache = new FaceCache({ limit: 2 * SIZE + 200_000 });
  const face = await cache.open(A, new PictureFaces());
  cache.trim();
  expect(cache.open(A, new PictureFaces())).toBe(face);
  for (let word = 0; word < 1_000; word += 1) face.shape(`word ${word}`, LATIN);
  cache.trim();
  expect(await cache.open(A, new PictureFaces())).not.toBe(face);
});

test('the face used least recently is closed', async () => {
  const cache = new FaceCache({ limit: 3 * SIZE });
  const first = await cache.open(A, new PictureFaces());
  await cache.open(B, new PictureFaces());
  expect(await cache.open(A, new PictureFaces())).not.toBe(first);
});

test('closed faces are freed', async () => {
  const cache = new FaceCache({ limit: 3 * SIZE });
  const faces: WeakRef<FontFace>[] = [];
  for (const name of 'ABABABABABABABAB') {
    faces.push(new WeakRef(await cache.open(match(name), new PictureFaces())));
    // A WeakRef keeps what it was made from to the end of a turn.
    await turn();
  }
  expect(faces.filter((face) => face.deref()).length).toBeLessThan(4);
});

test('garbage is collected only when more than the limit is open', async () => {
  let collections = 0;
  const collect = () => {
    collections += 1;
  };
  const cache = new FaceCache({ limit: 5 * SIZE, collect });
  for (const face of [A, B, A, B]) await cache.open(face, new PictureFaces());
  expect(collections).toBe(0);
  for (const name of 'CDEF') await cache.open(match(name), new PictureFaces());
  expect(collections).toBeGreaterThan(0);
});

test('the files of one picture have a limit, in which each counts once', async () => {
  const cache = new FaceCache({ limit: 10 * SIZE, mostFileBytes: 1.5 * SIZE });
  const picture = new PictureFaces();
  await cache.open(A, picture);
  await cache.open(A, picture);
  await expect(async () => cache.open(B, picture)).rejects.toThrow(
    /^The font files of the picture have more than \d+ MiB in all; use fewer families, or smaller files\.$/,
  );
});
