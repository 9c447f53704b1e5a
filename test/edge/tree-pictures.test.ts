// Tests what `platen/og` fetches, in Node: pictures from a server of the test's own, and emoji.

import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
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

test('no more bytes are fetched than all pictures may have, and the rest is given up', async () => {
  const ends: Promise<unknown>[] = [];
  const part = Buffer.alloc(256 * 1024);
  const fill = (answer: ServerResponse) => {
    while (!answer.destroyed && answer.write(part));
  };
  await using server = await serve((_, answer) => {
    ends.push(once(answer, 'close'));
    answer.on('drain', () => fill(answer));
    fill(answer);
  });
  const images = Array.from({ length: 20 }, (_, i) => ({
    type: 'img',
    props: { src: `http://127.0.0.1:${server.port}/${i}` },
  }));
  await expect(takePictures(images)).rejects.toMatchObject({
    code: 'invalid_request',
    message: 'All images together are larger than 48 MiB.',
  });
  await Promise.all(ends);
});
