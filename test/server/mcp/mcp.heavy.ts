// Tests the Model Context Protocol server with the protocol's own client: over HTTP with a key, and over standard
// streams.

import { Client, InMemoryTransport, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { beforeAll, describe, expect, test } from 'vitest';
import { createMcp } from '#server/mcp/tools.ts';
import { commandLine } from '../../command.ts';
import { type ServerUnderTest, SHAPES, serverUnderTest } from '../http/server-under-test.ts';

let server: ServerUnderTest;
beforeAll(async () => {
  server = await serverUnderTest({ PLATEN_PREVIEWS_PER_MINUTE: '0', PLATEN_REQUESTS_AT_ONCE: '1' });
  return () => server[Symbol.asyncDispose]();
});

const overHttp = (key: string) =>
  new StreamableHTTPClientTransport(new URL(`${server.url}/mcp`), {
    requestInit: { headers: { authorization: `Bearer ${key}` } },
  });
const overStdio = () => {
  const [command, ...args] = commandLine('mcp', '--url', server.url);
  return new StdioClientTransport({
    command,
    args,
    env: { PATH: process.env.PATH ?? '', PLATEN_KEY: server.key },
    stderr: 'pipe',
  });
};

interface Content {
  readonly type: string;
  readonly text?: string;
  readonly data?: string;
  readonly mimeType?: string;
}

describe.each([
  ['over HTTP', () => overHttp(server.key)],
  ['over standard streams', overStdio],
])('%s', (_, open) => {
  let client: Client;
  beforeAll(async () => {
    client = new Client({ name: 'test', version: '1' });
    await client.connect(open());
    return () => client.close();
  });
  /** Returns the texts of the result, and the first bytes of its pictures. */
  async function call(name: string, args: Record<string, unknown> = {}): Promise<string[]> {
    const { content, isError } = await client.callTool({ name, arguments: args });
    const parts = (content as Content[]).map(({ type, text, data = '', mimeType }) =>
      type === 'text' ? (text ?? '') : `${mimeType} ${Buffer.from(data, 'base64').toString('latin1', 1, 4)}`,
    );
    return isError ? ['error', ...parts] : parts;
  }

  test('it has these tools', async () => {
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name).sort()).toEqual([
      'change_template',
      'create_template',
      'list_fonts',
      'list_templates',
      'measure_template',
      'preview_template',
      'read_template',
      'read_template_schema',
      'render_template',
      'screenshot',
      'upload',
    ]);
    expect(tools.find(({ name }) => name === 'create_template')?.inputSchema.required).toEqual(['template']);
  });

  test('a template: stored, read, changed, previewed, measured, rendered', async () => {
    const [stored = '', warnings, picture] = await call('create_template', { template: SHAPES });
    expect([warnings, picture]).toEqual(['warnings: none', 'image/png PNG']);
    const { id, version } = JSON.parse(stored);
    expect(version).toBe(1);
    expect((await call('list_templates'))[0]).toContain(id);
    expect(JSON.parse((await call('read_template', { id }))[0] ?? '')).toMatchObject({ id, name: 'Shapes' });
    const changed = await call('change_template', { id, template: { ...SHAPES, name: 'Other' } });
    expect(JSON.parse(changed[0] ?? '')).toEqual({ id, version: 2 });
    const odd = await call('preview_template', { id, modifications: { bix: '#fff' } });
    expect(odd[0]).toMatch(/^warnings: \["The template has no layer .*did you mean .*box/);
    expect(odd[1]).toBe('image/png PNG');
    expect((await call('measure_template', { id }))[0]).toContain('"box"');
    expect((await call('render_template', { id, output: 'pdf' }))[0]).toMatch(/"url":"http[^"]+\.pdf"/);
    const sent = await call('render_template', { template: SHAPES, modifications: { bix: '#fff' } });
    expect(sent).toEqual([
      expect.stringMatching(/"url":"http[^"]+\.png"/),
      expect.stringMatching(/^warnings: \["The template has no layer/),
    ]);
  });

  test('a template that is stored is no error, even if its picture is one', async () => {
    const photo = { name: 'photo', type: 'image', src: 'data:,none', width: 10, height: 10 };
    const template = { ...SHAPES, layers: [photo] };
    const failed = expect.stringMatching(/^It is stored; its preview failed: .*photo/);
    const created = await call('create_template', { template });
    expect(created).toEqual([expect.stringContaining('"version":1'), failed]);
    const { id } = JSON.parse(created[0] ?? '');
    expect(await call('change_template', { id, template })).toEqual([JSON.stringify({ id, version: 2 }), failed]);
    expect(await call('preview_template', { id })).toEqual(['error', expect.stringContaining('photo')]);
  });

  test('what the API refuses is an error, in its words', async () => {
    const bad = { ...SHAPES, width: -1 };
    expect(await call('create_template', { template: bad })).toEqual([
      'error',
      expect.stringMatching(/"error":"width: /),
    ]);
    expect(await call('read_template', { id: 'tpl_none' })).toEqual(['error', expect.stringContaining('not found')]);
    expect(await call('screenshot', { url: 'http://127.0.0.1/' })).toEqual([
      'error',
      expect.stringContaining('"error"'),
    ]);
    expect(await call('upload', { kind: 'font', data: 'AAAA' })).toEqual(['error', expect.stringContaining('font')]);
  });

  test('an upload, the fonts, and the schema', async () => {
    const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
    expect((await call('upload', { kind: 'image', data: pixel }))[0]).toMatch(/"id":"img_/);
    expect(await call('list_fonts')).toEqual(['{"fonts":[]}']);
    expect((await call('read_template_schema'))[0]).toContain('LayersTemplate = {');
    expect(JSON.parse((await call('read_template_schema', { part: 'QrLayer' }))[0] ?? '').type).toBe('object');
    expect((await call('read_template_schema', { part: 'Qr' }))[1]).toMatch(
      /^There is no part "Qr"; there are .*QrLayer/,
    );
  });
});

test('a template that is stored is no error, even if nobody answers about its picture', async () => {
  const stored = { status: 201, headers: {}, bytes: Buffer.from('{"id":"tpl_a","version":1,"width":4,"height":2}') };
  const mcp = createMcp(async (_method, path) => {
    if (path === '/v1/templates') return stored;
    throw new Error('No Platen server answers');
  });
  const [near, far] = InMemoryTransport.createLinkedPair();
  await mcp.connect(far);
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(near);
  const { content, isError } = await client.callTool({ name: 'create_template', arguments: { template: SHAPES } });
  expect([isError, content]).toMatchObject([
    undefined,
    [{ text: '{"id":"tpl_a","version":1}' }, { text: 'It is stored; its preview failed: No Platen server answers' }],
  ]);
  await client.close();
});

test('without a key, or with a wrong one, nothing is told', async () => {
  const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' });
  for (const authorization of [undefined, 'Bearer plt_live_wrong']) {
    const sent = { ...headers, ...(authorization === undefined ? {} : { authorization }) };
    const answer = await fetch(`${server.url}/mcp`, { method: 'POST', headers: sent, body });
    expect(answer.status).toBe(401);
  }
});

test('it answers whatever type the client takes, JSON or a stream', async () => {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' });
  const sent = { 'content-type': 'application/json', authorization: `Bearer ${server.key}` };
  const ask = async (headers: Record<string, string>) => {
    // Without a header of its own, fetch sends */*.
    const answer = await server.ask('/mcp', { method: 'POST', key: null, raw: body, headers: { ...sent, ...headers } });
    const type = String(answer.headers['content-type']).split(';')[0] ?? '';
    const data = type === 'text/event-stream' ? (/^data: (.*)$/m.exec(answer.text)?.[1] ?? '') : answer.text;
    return [answer.status, type, JSON.parse(data).result?.tools.length > 5];
  };
  expect(await ask({ accept: 'application/json' })).toEqual([200, 'application/json', true]);
  expect(await ask({ accept: 'text/event-stream' })).toEqual([200, 'text/event-stream', true]);
  for (const accept of ['*/*', 'application/*', 'application/json, text/event-stream', 'text/html, */*;q=0.1']) {
    expect([accept, ...(await ask({ accept }))]).toEqual([accept, 200, expect.any(String), true]);
  }
  expect((await ask({})).slice(0, 1)).toEqual([200]);
});

test('a method that MCP has not is a 405', async () => {
  for (const method of ['TRACE', 'PUT', 'PROPFIND', 'OPTIONS', 'HEAD']) {
    const { status, headers } = await server.ask('/mcp', { method });
    expect([method, status, headers.allow]).toEqual([method, 405, 'POST']);
  }
});

test('renders are counted to the account whose key it is', async () => {
  const used = async (key: string) => Number((await server.ask('/v1/usage', { key })).json.used);
  expect([await used(server.key), await used(server.otherKey)]).toEqual([4, 0]);
});

test('a PDF of sent markup: what is asked, and what was odd', async () => {
  const asked: unknown[] = [];
  const warnings = '["The text \\"x\\" is cut off."]';
  const mcp = createMcp(async (_method, path, body) => {
    asked.push([path, JSON.parse(String(body?.bytes))]);
    return { status: 200, headers: { 'platen-warnings': warnings }, bytes: Buffer.from('{"id":"rnd_1"}') };
  });
  const [near, far] = InMemoryTransport.createLinkedPair();
  await mcp.connect(far);
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(near);
  const page = { html: '<h1>Hi</h1>', output: 'pdf', pdf: { format: 'A4' } };
  const { content } = await client.callTool({ name: 'screenshot', arguments: page });
  expect(asked).toEqual([['/v1/screenshots', page]]);
  expect(content).toEqual([
    { type: 'text', text: '{"id":"rnd_1"}' },
    { type: 'text', text: `warnings: ${warnings}` },
  ]);
});
