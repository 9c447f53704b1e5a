// Clients that are generated from the contract write null for fields that they leave out.

import { expect, test } from 'vitest';
import type { z } from 'zod';
import { parse } from '#core/template/validation.ts';
import type { Json } from '#server/http/openapi/document.ts';
import { BODY_EXAMPLES } from '#server/http/openapi/examples.ts';
import { STUDIO_REQUESTS } from '#server/http/studio/schemas.ts';
import { readScreenshotRequest, ScreenshotBody } from '#server/service/pages/screenshot-options.ts';
import { document } from './contract-of.ts';
import { type ServerUnderTest, serverUnderTest } from './server-under-test.ts';

type Path = readonly PropertyKey[];
type Given = Readonly<Record<PropertyKey, unknown>>;
interface Schema {
  readonly $ref?: string;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema & { readonly const?: unknown }>>;
  readonly items?: Schema;
}

const isObject = (value: unknown): value is Given => typeof value === 'object' && value !== null;

/** The schemas that describe the value, of those that are alternatives. */
function formsOf({ $ref, anyOf = [], oneOf = [], ...schema }: Schema, value: Given): readonly Schema[] {
  const at = (parent: unknown, key: string) => (parent as Given)[key];
  if ($ref)
    return formsOf(
      $ref
        .split('/')
        .slice(1)
        .reduce(at, document as unknown) as Schema,
      value,
    );
  const { required = [], properties = {} } = schema;
  const isIt = required.every((name) => value[name] === (properties[name]?.const ?? value[name]) && name in value);
  return [...(isIt ? [schema] : []), ...[...anyOf, ...oneOf].flatMap((each) => formsOf(each, value))];
}

/** The paths of what may be left out: in the value, and in objects that it could have. */
function* optionalIn(schema: Schema, value: unknown, path: Path = []): Generator<Path> {
  const given = isObject(value) ? value : {};
  for (const { properties = {}, required = [], items } of formsOf(schema, given)) {
    for (const [name, inner] of Object.entries(properties)) {
      if (!required.includes(name)) yield [...path, name];
      yield* optionalIn(inner, given[name], [...path, name]);
    }
    if (items && Array.isArray(value)) {
      for (const [i, item] of value.entries()) yield* optionalIn(items, item, [...path, i]);
    }
  }
}

function withNull(value: unknown, [first = '', ...rest]: Path): unknown {
  const copy = Array.isArray(value) ? [...value] : { ...(value as Given) };
  (copy as Record<PropertyKey, unknown>)[first] =
    rest.length === 0 ? null : withNull((value as Given | undefined)?.[first], rest);
  return copy;
}

/** Without one of these the body says nothing: another one is then required. */
const NEEDED = ['template', 'url'];

/** Sends or reads a body; returns what is wrong with it, or ''. */
type Read = (body: unknown) => Promise<string> | string;

async function refusedNulls(schema: Schema, example: unknown, read: Read): Promise<readonly string[]> {
  expect(await read(example)).toBe('');
  const refused: string[] = [];
  // What several entries of a list have is tried in one of them.
  const paths = new Map([...optionalIn(schema, example)].map((path) => [path.join('.').replace(/\b\d+\b/, '*'), path]));
  for (const [name, path] of paths) {
    if (NEEDED.includes(name)) continue;
    const wrong = await read(withNull(example, path));
    if (wrong !== '') refused.push(`${name}: ${wrong}`);
  }
  return refused;
}

function message(read: () => unknown): string {
  try {
    read();
    return '';
  } catch (error) {
    return (error as Error).message;
  }
}

/** A body that is right ends with what its ids do not name, or with a brand. */
const sentTo =
  (server: ServerUnderTest, method: string, path: string): Read =>
  async (json) => {
    const address = path.replace('{name}', 'acme').replace('{id}', 'tpl_2Vb8nQe5rT1yUi6oPa9sDf');
    const { status, text } = await server.ask(address, { method: method.toUpperCase(), json });
    return status === 400 ? text : '';
  };

const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods as Readonly<Record<string, Json>>).flatMap(([method, operation]) => {
    const body = operation.requestBody as { content: Readonly<Record<string, Json>> } | undefined;
    const json = body?.content['application/json'] as { schema: Schema; example?: unknown } | undefined;
    return json?.schema.$ref ? [{ method, path, ...json }] : [];
  }),
);

test('each optional field of every body for keys may be null, at any depth', async () => {
  await using server = await serverUnderTest();
  const walked = operations.filter(({ path }) => !/^\/v1\/(studio|editor-tokens)\//.test(path));
  expect(walked.length).toBeGreaterThan(9);
  for (const { method, path, schema, example } of walked) {
    // A template is stored by one of the two routes that read it alike; a page would be captured.
    if (`${method} ${path}` === 'post /v1/templates') continue;
    const read: Read =
      path === '/v1/screenshots'
        ? (body) => message(() => readScreenshotRequest(body as Given))
        : sentTo(server, method, path);
    expect(await refusedNulls(schema, example, read), `${method} ${path}`).toEqual([]);
    // It is read before it is answered.
    expect(await read(example)).toBe('');
    expect(await read([])).not.toBe('');
  }
});

test('each optional field of every body for sessions may be null', async () => {
  for (const [name, schema] of Object.entries<z.ZodType>(STUDIO_REQUESTS)) {
    const example = BODY_EXAMPLES[name as keyof typeof BODY_EXAMPLES];
    const described = { $ref: `#/components/schemas/${name}` };
    const read = (body: unknown) => message(() => parse(schema, body));
    expect(await refusedNulls(described, example, read), name).toEqual([]);
  }
});

test('what is wrong beside a null is told, and so is what is required', () => {
  const url = 'https://example.com/';
  expect(() => readScreenshotRequest({ url, width: null, scale: 9 })).toThrow('scale: must be at most 3');
  expect(() => parse(ScreenshotBody.shape.cookies, [{ name: null, value: 'x' }])).toThrow('[0].name: ');
});
