// Tests the JavaScript client against the real server, its retries against a failing server, and its signatures against
// the test vectors.

import { readFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { expect, test, vi } from 'vitest';
import { JobFailedError, Platen, PlatenError, signUrl, verifyWebhook, WebhookError } from '../../clients/js/index.ts';
import { serve } from '../listen.ts';
import { SHAPES, serverUnderTest } from '../server/http/server-under-test.ts';

const vectors = JSON.parse(readFileSync('test/corpora/signed-url.json', 'utf8'));

async function started() {
  await using parts = new AsyncDisposableStack();
  const server = parts.use(await serverUnderTest());
  const platen = new Platen({ baseUrl: server.url, apiKey: server.key });
  const { id: template } = await platen.templates.create(SHAPES);
  const owned = parts.move();
  return { server, platen, template, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

/** Stores a template that cannot be drawn. */
async function brokenTemplate({ platen }: { readonly platen: Platen }): Promise<string> {
  const layers = [{ name: 'photo', type: 'image', src: 'img_gone' }] as const;
  return (await platen.templates.create({ name: 'Gone', width: 4, height: 4, layers })).id;
}

test('renders, with what was odd', async () => {
  await using at = await started();
  const made = await at.platen.renders.create({ template: at.template, modifications: { bo: '#f00' } });
  expect(made).toMatchObject({ id: expect.stringMatching(/^rnd_/), output: 'png' });
  expect(made.warnings).toEqual([expect.stringContaining('box')]);
  expect((await fetch(made.url)).status).toBe(200);
  const { results, ok } = await at.platen.renders.batch({ template: at.template, items: [{}, { box: { x: 'no' } }] });
  expect([results.length, ok]).toEqual([2, 1]);
  expect((await at.platen.usage()).used).toBe(2);
});

test('a render is downloaded, with its id and address', async () => {
  await using at = await started();
  const made = await at.platen.renders.download({ template: SHAPES, output: 'webp', modifications: { bo: '#f00' } });
  expect(made).toMatchObject({ id: expect.stringMatching(/^rnd_/), type: 'image/webp' });
  expect(made.warnings).toEqual([expect.stringContaining('box')]);
  expect(await (await fetch(made.url)).arrayBuffer()).toEqual(made.bytes);
});

test('renders are listed by page with their metadata, and deleted', async () => {
  await using at = await started();
  const made = await at.platen.renders.create({ template: at.template, metadata: { order: 'A-1' } });
  expect(made.metadata).toEqual({ order: 'A-1' });
  await at.platen.renders.create({ template: at.template });
  const { renders, next } = await at.platen.renders.list({ limit: 1, status: 'done' });
  expect(renders).toHaveLength(1);
  const rest = await at.platen.renders.list({ after: next ?? '' });
  expect(rest.renders).toHaveLength(1);
  await at.platen.renders.delete(made.id);
  await expect(at.platen.jobs.get(made.id)).rejects.toThrow('job not found');
});

test('a job is waited for, or given up', async () => {
  await using at = await started();
  const { id } = await at.platen.renders.enqueue({ template: at.template, output: 'pdf' });
  expect(await at.platen.jobs.wait(id)).toMatchObject({ id, output: 'pdf' });
  const late = await at.platen.renders.enqueue({ template: at.template });
  await expect(at.platen.jobs.wait(late.id, { signal: AbortSignal.abort() })).rejects.toThrow('aborted');
  const failing = await at.platen.renders.enqueue({ template: await brokenTemplate(at) });
  await expect(at.platen.jobs.wait(failing.id)).rejects.toThrow(JobFailedError);
});

test('a batch is waited for, and its file streamed', async () => {
  await using at = await started();
  const items = [{ box: '#f00' }, { box: '#0f0' }];
  const { id, count } = await at.platen.batches.create({ template: at.template, merge: 'pdf', name: 'Zwei’s', items });
  expect(count).toBe(2);
  const over = await at.platen.batches.wait(id);
  expect(over).toMatchObject({ id, done: 2, failed: 0, file: expect.stringContaining(`/v1/batches/${id}/file`) });
  const { name, type, body } = await at.platen.batches.download(id);
  expect([name, type]).toEqual(['Zwei’s.pdf', 'application/pdf']);
  expect((await new Response(body).text()).slice(0, 5)).toBe('%PDF-');
  await expect(at.platen.batches.download('blk_none')).rejects.toMatchObject({ status: 404 });
  const none = await at.platen.batches.create({ template: await brokenTemplate(at), merge: 'zip', items: [{}] });
  await expect(at.platen.batches.wait(none.id)).rejects.toThrow(JobFailedError);
});

test('templates, images and the account', async () => {
  await using at = await started();
  const read = await at.platen.templates.get(at.template);
  expect((await at.platen.templates.replace(at.template, { ...SHAPES, name: 'Other' })).version).toBe(2);
  expect(read.version).toBe(1);
  expect((await at.platen.templates.versions(at.template)).map(({ version }) => version)).toEqual([2, 1]);
  expect((await at.platen.templates.list()).map(({ name }) => name)).toContain('Other');
  expect((await at.platen.templates.layout(at.template)).layers).toHaveLength(1);
  const png = await at.platen.templates.preview(at.template);
  const image = await at.platen.images.upload({ body: png });
  expect(image).toMatchObject({ width: 40, height: 20, format: 'png' });
  expect(await at.platen.images.list()).toEqual([image]);
  await at.platen.images.delete(image.id);
  await expect(at.platen.images.get(image.id)).rejects.toMatchObject({ name: 'PlatenError', status: 404 });
  expect(await at.platen.account()).toMatchObject({ plan: 'free' });
});

test('secrets are listed, shown, made and retired, by a key with the right to them', async () => {
  await using at = await started();
  const { server } = at;
  const scope = { rights: ['manage-secrets'], templates: null } as const;
  const { key } = await server.services.keys.create(server.account, 'live', undefined, scope);
  const { secrets } = new Platen({ baseUrl: server.url, apiKey: key });
  const shown = await secrets.show('webhook');
  expect((await secrets.list()).map(({ last_four }) => last_four)).toContain(shown.slice(-4));
  expect(await secrets.rotate('webhook')).not.toBe(shown);
  expect(await secrets.retire('webhook')).toBe(1);
  await expect(at.platen.secrets.show('webhook')).rejects.toMatchObject({ status: 403 });
});

test('the server’s own sentence is the error’s', async () => {
  await using at = await started();
  const wrong = at.platen.renders.create({ template: at.template, modifications: { box: { opacity: 2 } } });
  await expect(wrong).rejects.toThrow('modifications.box.opacity');
  const stranger = new Platen({ baseUrl: at.server.url, apiKey: 'plt_live_x' });
  await expect(stranger.account()).rejects.toMatchObject({ status: 401 });
});

/** Starts a server that answers with these statuses in turn (0 = closes the connection), then with a render. */
async function failing(statuses: readonly number[], headers: Record<string, string> = {}) {
  const asked: IncomingMessage[] = [];
  const server = await serve((incoming, outgoing) => {
    const status = statuses[asked.push(incoming) - 1];
    incoming.resume();
    if (status === 0) outgoing.destroy();
    else outgoing.writeHead(status ?? 200, headers).end(JSON.stringify(status ? { error: 'busy' } : { id: 'rnd_1' }));
  });
  return { ...server, asked };
}

test.each([
  [[503, 0], 3],
  [[500], 2],
  [[], 1],
])('after %j it asks again, under the same Idempotency-Key', async (statuses, times) => {
  await using server = await failing(statuses);
  const platen = new Platen({ baseUrl: server.url, apiKey: 'plt_test_x' });
  expect(await platen.renders.create({ template: 'tpl_1' })).toMatchObject({ id: 'rnd_1' });
  expect(server.asked).toHaveLength(times);
  expect(new Set(server.asked.map(({ headers }) => headers['idempotency-key'])).size).toBe(1);
});

test('it gives up after its tries, at a refusal, and where the server asks for too long a pause', async () => {
  for (const [statuses, headers, times] of [
    [[503, 503, 503, 503], {}, 2],
    [[400], {}, 1],
    [[503], { 'retry-after': '3600' }, 1],
  ] as const) {
    await using server = await failing(statuses, headers);
    const platen = new Platen({ baseUrl: server.url, apiKey: 'plt_test_x', retries: 1 });
    await expect(platen.renders.create({ template: 'tpl_1' })).rejects.toBeInstanceOf(PlatenError);
    expect(server.asked).toHaveLength(times);
  }
});

test('what may have been done is not done twice, and an answer that breaks off is asked for again', async () => {
  const asked: string[] = [];
  // It breaks off its first answer to each method; a second DELETE finds nothing.
  await using server = await serve((incoming, outgoing) => {
    const isFirst = !asked.includes(incoming.method ?? '');
    asked.push(incoming.method ?? '');
    incoming.resume();
    const status = incoming.method === 'DELETE' && !isFirst ? 404 : 200;
    outgoing.writeHead(status, { 'content-length': isFirst ? 100 : 14 }).write('{"plan":"pro"}', () => {
      if (isFirst) outgoing.destroy();
      else outgoing.end();
    });
  });
  const platen = new Platen({ baseUrl: server.url, apiKey: 'plt_test_x' });
  expect(await platen.account()).toEqual({ plan: 'pro' });
  await expect(platen.templates.replace('tpl_1', SHAPES)).rejects.toMatchObject({ name: 'PlatenError', status: 0 });
  await platen.templates.delete('tpl_1');
  expect(asked).toEqual(['GET', 'GET', 'PUT', 'DELETE', 'DELETE']);
});

test('a job is waited for as long as asked, whether the server answers or not', async () => {
  for (const body of ['{"status":"processing","result":null}', null]) {
    await using server = await serve((_incoming, outgoing) => void (body && outgoing.end(body)));
    const platen = new Platen({ baseUrl: server.url, apiKey: 'plt_test_x', timeout: 5_000 });
    const start = performance.now();
    await expect(platen.jobs.wait('job_1', { timeout: 1_000 })).rejects.toMatchObject({
      name: 'PlatenError',
      status: 0,
      message: 'The job is not over after 1000 ms.',
    });
    const took = performance.now() - start;
    expect(took).toBeGreaterThan(990);
    expect(took).toBeLessThan(4_000);
  }
});

test('signed URLs are those of the vectors', async () => {
  for (const { template, ext, canon, sig } of vectors.accept) {
    const [, end] = /^(\d+)\./.exec(sig) ?? [];
    const parameters = Object.fromEntries(new URLSearchParams(canon.replaceAll('+', '%2B')));
    const url = await signUrl({
      baseUrl: 'https://img.example.com/',
      secret: vectors.signing_secret,
      template,
      extension: ext,
      parameters,
      ...(end === undefined ? {} : { expires: new Date(Number(end) * 1_000) }),
    });
    const expected = `${canon}${canon === '' ? '' : '&'}sig=${sig}`;
    expect(url, canon).toBe(`https://img.example.com/v1/templates/${template}/render.${ext}?${expected}`);
  }
});

test('a webhook is believed by either header, and by nothing less', async () => {
  const { secret, body, note: _, ...headers } = vectors.webhook;
  vi.useFakeTimers({ now: 1_767_225_600_000, toFake: ['Date'] });
  try {
    expect(await verifyWebhook({ secret, body, headers })).toMatchObject({ id: 'job_1', status: 'done' });
    const ours = { 'X-Platen-Signature': headers['x-platen-signature'] };
    expect(await verifyWebhook({ secret: ['whsec_AAAA', secret], body, headers: new Headers(ours) })).toMatchObject({
      id: 'job_1',
    });
    for (const wrong of [
      { body: `${body} `, headers },
      { body: `${body} `, headers: ours },
      { body, headers: { ...headers, 'webhook-id': 'msg_02' } },
      { body, headers: {} },
    ]) {
      await expect(verifyWebhook({ secret, ...wrong })).rejects.toThrow(WebhookError);
    }
    expect(await verifyWebhook({ secret: ['whsec_?', secret], body, headers })).toMatchObject({ id: 'job_1' });
    for (const none of ['', 'whsec_', 'whsec_?', [], ['', secret]]) {
      await expect(verifyWebhook({ secret: none, body, headers })).rejects.toThrow(WebhookError);
    }
    vi.setSystemTime(1_767_225_600_000 + 301_000);
    await expect(verifyWebhook({ secret, body, headers })).rejects.toThrow('too old');
  } finally {
    vi.useRealTimers();
  }
});
