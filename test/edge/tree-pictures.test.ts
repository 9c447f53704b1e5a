// Tests what `platen/og` fetches, in Node: pictures from a server of the test's own, and emoji.

import { once } from 'node:events';
import { afterEach, expect, test, vi } from 'vitest';
import { loadEmoji } from '#edge/og/emoji.ts';
import { takePictures } from '#edge/og/tree-pictures.ts';
import { ImageResponse } from '../../src/og.ts';
import { serve } from '../listen.ts';

afterEach(() => void vi.unstubAllGlobals());

test('an emoji that could not be had is asked for again, and one that could is not', async () => {
  let asked = 0;
  vi.stubGlobal('fetch', async () => {
    asked += 1;
    return asked === 1 ? new Response('busy', { status: 503 }) : new Response('<svg/>');
  });
  const warnings: string[] = [];
  const load = () => loadEmoji('noto', '🚀', (warning) => warnings.push(warning));
  expect(await load()).toBe(null);
  const drawn = `data:image/svg+xml;base64,${btoa('<svg/>')}`;
  expect([await load(), await load(), asked]).toEqual([drawn, drawn, 2]);
  expect(warnings).toEqual([
    'The emoji 🚀 has no picture: Image https://cdn.jsdelivr.net/npm/@svgmoji/noto@2.0.0/svg/1F680.svg: the server answered 503.',
  ]);
});

test('a picture that may lack an emoji is not cached for a year', async () => {
  vi.stubGlobal('fetch', async () => new Response('busy', { status: 503 }));
  const text = (children: unknown) => ({ type: 'div', props: { children } });
  const maxAge = (element: unknown) => {
    const response = new ImageResponse(element, { onWarning: () => {} });
    response.body?.cancel().catch(() => {});
    return /max-age=(\d+)/.exec(response.headers.get('cache-control') ?? '')?.[1];
  };
  const Title = ({ words }: { words: string }) => text(words);
  const Later = async () => text('Hello');
  const element = (type: unknown, props: object = {}) => text({ type, props });
  expect(maxAge(element(Title, { words: 'Version 2, ключ #1' }))).toBe('31536000');
  for (const words of ['🚀', '© 2026', '🏽', 'flag 🇳🇴', 'key 1️⃣', '❤️'])
    expect(maxAge(element(Title, { words })), words).toBe('3600');
  // Its text is not known when the headers are sent.
  expect(maxAge(element(Later))).toBe('3600');
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
  await expect(takePictures(picturesOf(server.port, 20), () => {})).rejects.toMatchObject({
    code: 'invalid_request',
    message: 'All images together are larger than 48 MiB.',
  });
  await Promise.all(ends);
});

test('a picture that breaks off is named', async () => {
  await using server = await serve((_, answer) => {
    answer.write(Buffer.alloc(1024), () => answer.destroy());
  });
  await expect(takePictures(picturesOf(server.port, 1), () => {})).rejects.toMatchObject({
    code: 'invalid_request',
    message: `Image http://127.0.0.1:${server.port}/0: could not be fetched.`,
  });
});
