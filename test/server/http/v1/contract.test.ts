// Tests that the contract is valid OpenAPI 3.1.0 and describes what the server does (product section 5).
//
// Every answer in the tests of this folder is checked against it too: see `ask` in server-under-test.ts.

import { expect, test } from 'vitest';
import { z } from 'zod';
import { type Json, openApiDocument } from '#server/http/openapi/document.ts';
import { routes, type ServerContext } from '#server/http/server.ts';
import { apiReference } from '../../../../scripts/docs/api-reference.ts';
import { document, validator } from '../contract-of.ts';
import { SHAPES, serverUnderTest } from '../server-under-test.ts';

const Schema = z.union([z.looseObject({}), z.boolean()]);
const Media = z.record(
  z.string().regex(/^[a-z]+\/[a-z0-9.+-]+$/),
  z.strictObject({ schema: Schema.optional(), example: z.unknown().optional() }),
);
const Header = z.strictObject({ description: z.string(), schema: Schema });
const Parameter = z.strictObject({
  name: z.string().min(1),
  in: z.enum(['path', 'query', 'header']),
  required: z.boolean().optional(),
  description: z.string().optional(),
  schema: Schema,
});
const Operation = z.strictObject({
  operationId: z
    .string()
    .regex(/^[a-z][A-Za-z]+$/)
    .optional(),
  tags: z.array(z.string()).length(1).optional(),
  summary: z.string().min(1),
  description: z.string().min(1),
  security: z.array(z.record(z.string(), z.array(z.string()))).optional(),
  parameters: z.array(Parameter).optional(),
  requestBody: z.strictObject({ required: z.literal(true), content: Media }).optional(),
  responses: z.record(
    z.string().regex(/^[1-5](\d\d|XX)$/),
    z.strictObject({
      description: z.string().min(1),
      content: Media.optional(),
      headers: z.record(z.string(), Header).optional(),
    }),
  ),
  callbacks: z.record(z.string(), z.unknown()).optional(),
});

/** The part of OpenAPI 3.1.0 that the document may use. */
const OpenApi = z.strictObject({
  openapi: z.literal('3.1.0'),
  info: z.strictObject({
    title: z.string(),
    version: z.literal('1.0.0'),
    summary: z.string(),
    description: z.string(),
    contact: z.strictObject({ name: z.string(), url: z.url() }),
    license: z.strictObject({ name: z.string(), identifier: z.string() }),
  }),
  servers: z.array(z.strictObject({ url: z.url() })),
  tags: z.array(z.strictObject({ name: z.string(), description: z.string() })),
  paths: z.record(z.string().startsWith('/'), z.partialRecord(z.enum(['get', 'post', 'put', 'delete']), Operation)),
  webhooks: z.record(z.string(), z.strictObject({ post: Operation })),
  components: z.strictObject({
    schemas: z.record(z.string().regex(/^[A-Za-z0-9._-]+$/), Schema),
    securitySchemes: z.record(z.string(), z.looseObject({ type: z.enum(['http', 'apiKey']) })),
  }),
});

const operations = Object.entries(OpenApi.parse(document).paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
);

test('the document has the structure of OpenAPI 3.1.0', () => {
  const ids = operations.map(({ operation }) => operation.operationId);
  expect(new Set(ids).size).toBe(ids.length);
  const tags = document.tags.map(({ name }) => name);
  for (const { path, operation } of operations) {
    expect(tags).toEqual(expect.arrayContaining(operation.tags ?? []));
    const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    const declared = (operation.parameters ?? []).filter((parameter) => parameter.in === 'path');
    expect(declared.map(({ name }) => name)).toEqual(inPath);
    expect(declared.every(({ required }) => required)).toBe(true);
    for (const scheme of (operation.security ?? []).flatMap((one) => Object.keys(one))) {
      expect(Object.keys(document.components.securitySchemes)).toContain(scheme);
    }
  }
});

test('every reference is to something in it, and every schema is referred to', () => {
  const text = JSON.stringify(document);
  const references = [...text.matchAll(/"\$ref":"([^"]+)"/g)].map(([, target = '']) => target);
  const names = Object.keys(document.components.schemas).map((name) => `#/components/schemas/${name}`);
  expect([...new Set(references)].filter((target) => !names.includes(target))).toEqual([]);
  expect(names.filter((name) => !references.includes(name))).toEqual([]);
});

test('each operation and each error has an example, which fits its schema', () => {
  const missing: string[] = [];
  for (const { operation } of operations) {
    const bodies = [operation.requestBody, ...Object.values(operation.responses)];
    for (const media of bodies.flatMap((body) => Object.entries(body?.content ?? {}))) {
      const [type, { schema, example }] = media;
      if (type !== 'application/json' && type !== 'text/plain') continue;
      if (example === undefined) missing.push(String(operation.operationId));
      else expect(() => validator(schema as Json).parse(example), `${operation.operationId}`).not.toThrow();
    }
  }
  expect(missing).toEqual([]);
});

test('no request is said to need what has a default, and no list is without its items', () => {
  const text = JSON.stringify(document.components);
  expect([...text.matchAll(/"prefixItems":|"default":(?!\{)/g)]).toEqual([]);
  expect(document.components.schemas.Template).toMatchObject({ anyOf: [{}, {}] });
});

/** HTML pages, which are not part of the contract. */
const UNDOCUMENTED = [
  'GET /',
  'GET /docs',
  'GET /docs/{*path}',
  'GET /studio',
  'GET /studio/embed/{accountId}',
  'GET /studio/platen-editor.js',
  'GET /studio/{*path}',
];

test('each route is documented, and each documented route exists', () => {
  const ctx = { readiness: {} } as ServerContext;
  const routed = routes(ctx).stack.flatMap(({ path, methods }) =>
    // MCP is JSON-RPC and describes itself in its handshake.
    methods
      .filter((method) => method !== 'HEAD' && path !== '/mcp')
      .map((method) => `${method} ${String(path).replace(/:(\w+)/g, '{$1}')}`),
  );
  const documented = operations.map(({ path, method }) => `${method.toUpperCase()} ${path}`);
  expect([...documented, ...UNDOCUMENTED].sort()).toEqual(routed.sort());
});

test('a key or a session is asked for exactly where the document says so', async () => {
  await using server = await serverUnderTest();
  for (const { path, method, operation } of operations) {
    const headers = path.startsWith('/v1/studio/') ? { origin: server.url } : {};
    const { status } = await server.ask(path.replace(/\{\w+\}/g, 'x'), { method, key: null, headers });
    const isGuarded = operation.security?.some((one) => 'apiKey' in one || 'session' in one || 'editorToken' in one);
    expect(status === 401, `${method} ${path}`).toBe(isGuarded);
  }
});

test('/v1/openapi.json is served without a key, with the server’s own address', async () => {
  await using server = await serverUnderTest();
  const { status, headers, json } = await server.ask('/v1/openapi.json', { key: null });
  expect([status, headers['content-type']]).toEqual([200, 'application/json; charset=utf-8']);
  expect(json).toMatchObject({ openapi: '3.1.0', info: { version: '1.0.0' }, servers: [{ url: server.url }] });
});

test('keys and sessions have a document each, with only the schemas that it refers to', () => {
  const [keys, studio] = (['keys', 'studio'] as const).map((contract) =>
    openApiDocument('https://x.example', contract),
  );
  const pathsOf = (one: typeof keys) => Object.keys(one?.paths ?? {});
  expect(pathsOf(keys).filter((path) => path.startsWith('/v1/studio/'))).toEqual([]);
  expect(new Set([...pathsOf(keys), ...pathsOf(studio)])).toEqual(new Set(Object.keys(document.paths)));
  for (const one of [keys, studio]) {
    const { components, ...rest } = one!;
    const names = [...JSON.stringify(one).matchAll(/#\/components\/schemas\/(\w+)/g)].map(([, name]) => name);
    expect(new Set(names)).toEqual(new Set(Object.keys(components.schemas)));
    expect(JSON.stringify(rest)).toContain('"openapi":"3.1.0"');
  }
  // Generated clients are as large as this: it was 705 KB.
  expect(JSON.stringify(keys).length).toBeLessThan(424_000);
});

test('the page of the API has every path, and no link of its own leads nowhere', () => {
  const { html: text } = apiReference(document);
  expect(text).not.toMatch(/<script|<link|<img|\sstyle=|\son\w+=|undefined|\[object/);
  for (const { path } of operations) expect(text.replace(/<\/?i>/g, '')).toContain(path);
  const targets = [...text.matchAll(/href="#([^"]+)"/g)].map(([, target = '']) => target);
  expect([...new Set(targets)].filter((target) => !text.includes(`id="${target}"`))).toEqual([]);
});

test('a template that the schema of the document takes is taken, and its answer fits', async () => {
  await using server = await serverUnderTest();
  expect((await server.post('/v1/templates', SHAPES)).status).toBe(201);
});
