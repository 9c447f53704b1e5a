// Tests what `platen/og` fetches, in Node: pictures from a server of the test's own, and emoji.

import { once } from 'node:events';
import { afterEach, expect, test, vi } from 'vitest';
import { loadEmoji } from '#edge/og/emoji.ts';
import { takePictures } from '#edge/og/tree-pictures.ts';
import { serve } from '../net/servers.ts';

afterEach(() => void vi.unstubAllGlobals());

test('an emoji that could not be had is asked for again, and one that could is not', async () => {
  let asked = 0;
  vi.stubGlobal('fetch', async () => {
    asked += 1;
    return asked === 1 ? new Response('busy', { status: 503 }) : new Response('<svg/>');
  });
  expect(await loadEmoji('noto', '🚀')).toBe(null);
  const drawn = `data:image/svg+xml;base64,${btoa('<svg/>')}`;
  expect([await loadEmoji('noto', '🚀'), await loadEmoji('noto', '🚀'), asked]).toEqual([drawn, drawn, 2]);
});

const picturesOf = (port: number, count: number) =>
  Array.from({ length: count }, (_, i) => ({ type: 'img', props: { src: `http://127.0.0.1:${port}/${i}` } }));

test('no more bytes are fetched than all pictures may have, and the rest is given up', async () => {
  const ends: Promise<unknown>[] = [];
  // Too little for the limit of one picture; 19 of them are too much together.
  const part = Buffer.alloc(3 * 1024 * 1024);
  await using server = await serve(({ url }, answer) => {
    ends.push(once(answer, 'close'));
    // Pictures that have not yet begun are given up too, and the error does not name them.
    if (url !== '/0') answer.write(part);
  });
  await expect(takePictures(picturesOf(server.port, 20))).rejects.toMatchObject({
    code: 'invalid_request',
    message: 'All images together are larger than 48 MiB.',
  });
  await Promise.all(ends);
});

test('a picture that breaks off is named', async () => {
  await using server = await serve((_, answer) => {
    answer.write(Buffer.alloc(1024), () => answer.destroy());
  });
  await expect(takePictures(picturesOf(server.port, 1))).rejects.toMatchObject({
    code: 'invalid_request',
    message: `Image http://127.0.0.1:${server.port}/0: could not be fetched.`,
  });
});
