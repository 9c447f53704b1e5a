// Tests the start page at `/`: what it says to whom, its policy, and that its links lead somewhere.

import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { studioUnderTest } from './studio-under-test.ts';

const HTML = { accept: 'text/html' };

test('browsers get a page, whose policy allows its style sheet and nothing else that is inline', async () => {
  await using studio = await studioUnderTest();
  const { status, headers, text } = await studio.server.ask('/', { key: null, headers: HTML });
  expect([status, headers['content-type'], headers['cache-control']]).toEqual([
    200,
    'text/html; charset=utf-8',
    'no-store',
  ]);
  const style = /<style>(.*)<\/style>/s.exec(text)?.[1] ?? '';
  const hash = createHash('sha256').update(style).digest('base64');
  expect(headers['content-security-policy']).toContain(`style-src 'sha256-${hash}'`);
  expect(headers['content-security-policy']).toContain("default-src 'none'");
  expect(text).not.toMatch(/<script|\son\w+=|\sstyle=/);
  expect(text).toContain(`curl ${studio.server.url}/v1/renders`);
});

test('each link of the page leads to a page', async () => {
  await using studio = await studioUnderTest();
  const { text } = await studio.server.ask('/', { key: null, headers: HTML });
  const links = [...text.matchAll(/<a [^>]*href="([^"]*)"/g)].map(([, link = '']) => link);
  expect(links).toEqual(expect.arrayContaining(['studio/', 'docs/', 'docs/api', 'v1/openapi.json']));
  for (const link of new Set(links)) {
    const { status } = await studio.server.ask(new URL(link, 'http://localhost/').pathname, {
      key: null,
      headers: HTML,
    });
    expect([link, status]).toEqual([link, 200]);
  }
});

test('who is signed in goes on to the studio; an ended session sees the page', async () => {
  await using studio = await studioUnderTest();
  const open = (cookie: string) => studio.server.ask('/', { key: null, headers: { ...HTML, cookie } });
  const { status, headers } = await open(studio.cookieOf('owner'));
  expect([status, headers.location, headers['cache-control']]).toEqual([302, 'studio/', 'no-store']);
  expect(headers.vary).toMatch(/cookie/i);
  expect((await open('__Host-platen=pls_nothing')).status).toBe(200);
});

test('other clients get a line of text', async () => {
  await using studio = await studioUnderTest();
  const { headers, text } = await studio.server.ask('/', { key: null, headers: { accept: '*/*' } });
  expect(headers['content-type']).toMatch(/^text\/plain/);
  expect(text).toMatch(/^Platen renders .*\n$/);
});
