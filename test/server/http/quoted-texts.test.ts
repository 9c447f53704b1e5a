// Tests that errors and warnings repeat a caller's text shortened, wherever a caller's text may stand.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { Places, textFields } from '../../heavy/text-growth/fields.ts';
import { document } from './contract-of.ts';
import { type StudioUnderTest, studioUnderTest } from './studio/studio-under-test.ts';

/** The longest answer there is to a text of any length, characters: eight problems, each with its path. */
const MOST = 2_500;

let studio: StudioUnderTest;
beforeAll(async () => {
  studio = await studioUnderTest();
});
afterAll(() => studio[Symbol.asyncDispose]());

const TEXTS = [(length: number) => 'x'.repeat(length), (length: number) => 'a "b": 1; '.repeat(length / 10)];

/** The longest sentence of an error that was thrown, or of the warnings in what was returned. */
async function longestSentence(read: () => unknown): Promise<string> {
  try {
    const result = (await read()) as { diagnostics?: { message: string }[] } | { message: string }[] | null | undefined;
    const warnings = Array.isArray(result) ? result : (result?.diagnostics ?? []);
    return warnings.reduce((longest, { message }) => (message?.length > longest.length ? message : longest), '');
  } catch (error) {
    return (error as Error).message;
  }
}

test('no sentence of what reads a text grows with it', async () => {
  const long: string[] = [];
  const seen = new Set<string>();
  for (const { name, limit, read } of textFields()) {
    // Those that need a server are sent below; properties of CSS are read alike behind each beginning.
    if (/^(query|header)/.test(name)) continue;
    const kind = name.replace(/^(html template: css, [\w-]+:).*/, '$1');
    if (seen.has(kind)) continue;
    seen.add(kind);
    const text = TEXTS[seen.size % 2]?.(Math.min(limit, 6_000)) ?? '';
    const sentence = await longestSentence(() => read(text));
    if (sentence.length > MOST) long.push(`${name}: ${sentence.length}, ${sentence.slice(0, 200)}`);
  }
  expect(long).toEqual([]);
  expect(seen.size).toBeGreaterThan(1_000);
}, 120_000);

test('no answer grows with a text that it refuses or warns of', async () => {
  const { server } = studio;
  const templates = [
    { name: 'T', width: 90, height: 40, layers: [{ name: 'title', type: 'text', text: 'Hello' }] },
    { name: 'T', width: 90, height: 40, engine: 'html', renderer: 'satori', html: '<p data-layer="title">Hello</p>' },
  ];
  const ids = await Promise.all(
    templates.map(async (one) => (await server.services.templates.create(server.account, one)).id),
  );
  const long: string[] = [];
  const asks: (() => Promise<void>)[] = [];
  for (const [path, operations] of Object.entries(document.paths)) {
    for (const [method, operation] of Object.entries(operations)) {
      const { content } =
        (operation as { requestBody?: { content?: Record<string, { schema: Readonly<Record<string, unknown>> }> } })
          .requestBody ?? {};
      const schema = content?.['application/json']?.schema;
      if (!schema) continue;
      const at = path.replace(/\{(\w+)\}/g, (_, name) => (name === 'account' ? server.account : (ids[0] ?? '')));
      const places = new Map<string, (text: string) => unknown>();
      const root = { ...document } as unknown as Readonly<Record<string, unknown>>;
      for (const { path: place, around } of new Places(root).of(schema, '', (value) => value, [])) {
        // What is in a template is read above.
        if (place.split('.').length < 3) places.set(place, around);
      }
      asks.push(
        ...[...places].map(([place, around]) => async () => {
          const ask = { method: method.toUpperCase(), json: around('x "y" '.repeat(1_000)) };
          const { status, headers, text } = path.startsWith('/v1/studio')
            ? await studio.api(at.slice('/v1/studio'.length), ask)
            : await server.ask(at, ask);
          const isJson = /json/.test(String(headers['content-type']));
          const { error = '', warnings = [] } = isJson ? JSON.parse(text) : { error: status < 300 ? '' : text };
          const sentences = [error, ...warnings.map(({ message }: { readonly message: string }) => message)];
          const length = Math.max(...sentences.map((sentence: unknown) => String(sentence).length));
          if (length > MOST) long.push(`${method} ${path}${place}: ${status}, ${text.slice(0, 200)}`);
        }),
      );
    }
  }
  expect(asks.length).toBeGreaterThan(150);
  while (asks.length > 0) await Promise.all(asks.splice(0, 4).map((ask) => ask()));
  expect(long).toEqual([]);
}, 120_000);
