// Tests using templates in the studio and the records of it: keys, signed URLs, renders, batches, webhooks, usage, files.

import { expect, test, vi } from 'vitest';
import { readPdf } from '#draw/output/pdf/read-pdf.ts';
import { receiver } from '../../../webhook-receiver.ts';
import { SHAPES } from '../server-under-test.ts';
import { type As, type StudioUnderTest, studioUnderTest } from './studio-under-test.ts';

const CARD = {
  ...SHAPES,
  layers: [...SHAPES.layers, { name: 'title', type: 'text', text: 'x', width: 40, height: 20, fontSize: 10 }],
};

const made = async ({ ask }: StudioUnderTest, document: object = CARD) =>
  String((await ask('/templates', { method: 'POST', json: { document } })).json.id);

const post = ({ ask }: StudioUnderTest, path: string, json?: object, as: As = {}) =>
  ask(path, { method: 'POST', ...(json ? { json } : {}), ...as });

const until = (check: () => Promise<void>) => vi.waitFor(check, { timeout: 20_000, interval: 50 });

test('a key is made, shown once, used, listed with its last use, and retired at once', async () => {
  await using studio = await studioUnderTest();
  const { server, ask } = studio;
  const key = (await post(studio, '/keys', { name: 'Website', kind: 'live' })).json;
  const account = () => server.ask('/v1/account', { key: String(key.key) });
  expect((await account()).status).toBe(200);
  const { items } = (await ask('/keys')).json as { items: Record<string, unknown>[] };
  const listed = items.find(({ id }) => id === key.id);
  expect(listed).toMatchObject({ name: 'Website', kind: 'live', lastFour: String(key.key).slice(-4), revokedAt: null });
  expect(listed).toMatchObject({ createdBy: { name: 'owner' }, lastUsedAt: '2026-11-21T12:00:00.000Z' });
  expect(JSON.stringify(items)).not.toContain(key.key);
  expect((await ask(`/keys/${key.id}`, { as: 'editor', method: 'DELETE' })).status).toBe(403);
  expect((await ask(`/keys/${key.id}`, { method: 'DELETE' })).status).toBe(204);
  expect((await account()).status).toBe(401);
  expect((await post(studio, '/keys', { name: 'x', kind: 'live' }, { as: 'editor' })).json.code).toBe('forbidden');
  const test = (await post(studio, '/keys', { name: 'x', kind: 'test' }, { as: 'editor' })).json;
  expect((await ask(`/keys/${test.id}`, { as: 'editor', method: 'DELETE' })).status).toBe(204);
});

test('secrets are listed by their last four, shown, rotated and retired', async () => {
  await using studio = await studioUnderTest();
  const { secret } = (await post(studio, '/secrets/signing/show')).json;
  expect(secret).toBe(studio.server.signingSecret);
  const rotated = String((await post(studio, '/secrets/signing/rotate')).json.secret);
  expect((await studio.ask('/secrets')).json.items).toMatchObject([
    { purpose: 'signing', lastFour: rotated.slice(-4), previous: 1 },
    { purpose: 'webhook', previous: 0 },
  ]);
  expect((await post(studio, '/secrets/signing/retire')).json).toEqual({ retired: 1 });
  expect((await post(studio, '/secrets/gold/show')).status).toBe(404);
});

test('a signed URL that the studio makes opens, until it ends', async () => {
  let now = new Date('2026-11-21T12:00:00Z');
  await using studio = await studioUnderTest({}, { clock: () => now });
  const id = await made(studio);
  const expires = '2026-11-21T13:00:00.000Z';
  const wanted = { extension: 'webp', parameters: { title: 'Ünïcode & more' }, scale: 2, expires, version: 1 };
  const { url } = (await post(studio, `/templates/${id}/signed-url`, wanted)).json;
  const open = () => studio.server.ask(String(url).replace(studio.server.url, ''), { key: null });
  expect(String(url)).toContain(`/v1/templates/${id}@1/render.webp?`);
  expect((await open()).headers['content-type']).toBe('image/webp');
  now = new Date('2026-11-21T13:00:01Z');
  expect((await open()).status).toBe(403);
  const bad = await post(studio, `/templates/${id}/signed-url`, { extension: 'png', parameters: { sig: 'x' } });
  expect(bad.json.error).toMatch(/^parameters: /);
  expect((await post(studio, `/templates/tpl_none/signed-url`, { extension: 'png' })).status).toBe(404);
});

test('renders are listed with what they were asked for, and done again', { timeout: 30_000 }, async () => {
  await using studio = await studioUnderTest();
  const { server, ask } = studio;
  const id = await made(studio);
  const modifications = { title: 'Hello' };
  const direct = await server.post('/v1/renders', { template: id, modifications, scale: 2 });
  const long = { title: 'x'.repeat(40_000), box: { visible: false } };
  await server.post('/v1/renders', { template: id, modifications: long, output: 'jpeg' });
  const job = (await post(studio, `/templates/${id}/render`, { modifications, output: 'pdf' })).json.id;
  await until(async () => expect((await ask(`/renders/${job}`)).json.status).toBe('done'));

  expect((await ask(`/renders/${direct.json.id}`)).json).toMatchObject({
    ...{ status: 'done', kind: 'render', output: 'png', modifications, url: direct.json.url },
    template: { id, name: 'Shapes', version: 1 },
  });
  expect((await ask(`/renders/${job}`)).json).toMatchObject({ output: 'pdf', modifications });
  const listed = async (query: string) => ((await ask(`/renders?${query}`)).json.items as object[]).length;
  expect([
    await listed(''),
    await listed('output=jpeg'),
    await listed(`template=${id}`),
    await listed('status=error'),
  ]).toEqual([3, 1, 3, 0]);
  const page = (await ask('/renders?limit=2')).json;
  expect((await ask(`/renders?limit=2&after=${page.next}`)).json).toMatchObject({ items: [{}], next: null });

  const again = (await post(studio, `/renders/${direct.json.id}/again`)).json.id;
  await until(async () => expect((await ask(`/renders/${again}`)).json.status).toBe('done'));
  const bytes = async (render: unknown) => (await server.ask(`/assets/${render}.png`, { key: null })).body;
  expect((await bytes(again)).equals(await bytes(direct.json.id))).toBe(true);
  const [{ id: tooLong } = {}] = (await ask('/renders?output=jpeg')).json.items as { id: string }[];
  expect((await ask(`/renders/${tooLong}`)).json.modifications).toBeNull();
  expect((await post(studio, `/renders/${tooLong}/again`)).json.error).toMatch(/too long/);
});

test('usage is shown by day and template', async () => {
  await using studio = await studioUnderTest();
  const { server, ask } = studio;
  const id = await made(studio);
  for (const _ of [1, 2]) await server.post('/v1/renders', { template: id });
  const { url } = (await post(studio, `/templates/${id}/signed-url`, { extension: 'png' })).json;
  await server.ask(String(url).replace(server.url, ''), { key: null });
  expect((await ask('/usage')).json).toEqual({
    ...{ plan: 'free', period: '2026-11', quota: 100, blocks: true, used: 3, reserved: 0, overage: 0, other: 0 },
    days: [{ day: '2026-11-21', count: 3 }],
    templates: [{ id, name: 'Shapes', count: 3 }],
    ...{ storedBytes: expect.any(Number), storageLimit: 512 * 2 ** 20 },
    stored: (await server.ask('/v1/usage')).json.stored,
  });
  expect((await ask('/usage?period=2026-10')).json).toMatchObject({ used: 0, days: [] });
  expect((await ask('/usage?period=2026-13')).json.error).toMatch(/^period: /);
});

test('five rows become one zip with names from the rows', { timeout: 30_000 }, async () => {
  await using studio = await studioUnderTest();
  const { ask, server } = studio;
  const id = await made(studio);
  const rows = ['Ada', 'Bob', '../Ada', 'ada', 'Ünï'].map((name) => ({ name, modifications: { title: name } }));
  const bad = await post(studio, `/templates/${id}/batch`, {
    rows: [...rows, { modifications: { title: { fontSize: -1 } } }],
    archive: 'zip',
  });
  expect([bad.status, bad.json.error]).toEqual([
    400,
    expect.stringMatching(/^rows\[5\]\.modifications\.title\.fontSize/),
  ]);
  const begun = await post(studio, `/templates/${id}/batch`, { rows, archive: 'zip' });
  expect([begun.status, begun.json]).toMatchObject([202, { total: 5, file: null }]);
  const batch = `/batches/${begun.json.id}`;
  await until(async () => expect((await ask(batch)).json).toMatchObject({ done: 5, failed: 0, errors: [] }));
  const file = await ask(`${batch}/file`);
  expect(file.headers).toMatchObject({ 'content-type': 'application/zip', 'content-length': String(file.body.length) });
  expect(namesInZip(file.body)).toEqual(['Ada.png', 'Bob.png', '_-Ada.png', 'ada-2.png', 'Ünï.png']);
  expect((await ask('/usage')).json).toMatchObject({ used: 5, templates: [{ id, count: 5 }] });
  expect((await ask(batch, { as: 'stranger' })).status).toBe(404);

  // Files whose time to live is over are no longer in it, and no list or look-up gives their address.
  const expired = await server.services.storage.renders.expireAssets(new Date('2030-01-01'), 2);
  expect(expired).toHaveLength(2);
  const [render] = (expired[0] ?? '').split('.');
  expect((await server.ask(`/v1/renders/${render}`)).json).toMatchObject({ status: 'done', result: null });
  const none = { result: null, size: null };
  const { renders } = (await server.ask('/v1/history')).json as { renders: { id: string }[] };
  expect(renders.find(({ id: one }) => one === render)).toMatchObject(none);
  expect((await ask(`/renders/${render}`)).json).toMatchObject({ url: null, size: null });
  expect((await ask(batch)).json).toMatchObject({ done: 3, failed: 2, file: expect.any(String) });
  expect(namesInZip((await ask(`${batch}/file`)).body)).toHaveLength(3);
});

test('rows become one PDF, a page each', { timeout: 30_000 }, async () => {
  await using studio = await studioUnderTest();
  const { ask } = studio;
  const id = await made(studio);
  const rows = ['Ada (5 0 R)', 'Bob'].map((title) => ({ modifications: { title } }));
  const refused = await post(studio, `/templates/${id}/batch`, { rows, archive: 'pdf', output: 'png' });
  expect(refused.json.error).toMatch(/^output: must be "pdf"/);
  const begun = await post(studio, `/templates/${id}/batch`, { rows, archive: 'pdf' });
  const batch = `/batches/${begun.json.id}`;
  await until(async () => expect((await ask(batch)).json).toMatchObject({ done: 2, file: expect.any(String) }));
  const file = await ask(`${batch}/file`);
  expect(file.headers['content-type']).toBe('application/pdf');
  const { objects } = await readPdf(file.body);
  const pages = [...objects.values()].filter(({ text }) => /\/Type \/Page\s/.test(text));
  expect(pages).toHaveLength(2);
});

test('rows become sheets of labels, a cell each', { timeout: 30_000 }, async () => {
  await using studio = await studioUnderTest();
  const { ask } = studio;
  const id = await made(studio);
  const rows = ['Ada', 'Bob', 'Eve'].map((title) => ({ modifications: { title } }));
  const sheet = { size: 'A4', columns: 2, rows: 2, start: 3 };
  const refused = await post(studio, `/templates/${id}/batch`, { rows, archive: 'zip', sheet });
  expect([refused.status, refused.json.error]).toEqual([400, 'sheet: is for one PDF; ask for archive "pdf"']);
  const wrong = await post(studio, `/templates/${id}/batch`, { rows, archive: 'pdf', sheet: { ...sheet, rows: 'x' } });
  expect(wrong.json.error).toMatch(/^sheet\.rows: /);
  const begun = await post(studio, `/templates/${id}/batch`, { rows, archive: 'pdf', sheet });
  const batch = `/batches/${begun.json.id}`;
  await until(async () => expect((await ask(batch)).json).toMatchObject({ done: 3, file: expect.any(String) }));
  const { objects } = await readPdf((await ask(`${batch}/file`)).body);
  const pages = [...objects.values()].filter(({ text }) => /\/Type \/Page\s/.test(text));
  // The first sheet has two cells left.
  expect(pages).toHaveLength(2);
});

/** The names in the central directory of a zip, each checked against its local header. */
function namesInZip(zip: Buffer): string[] {
  const end = zip.length - 22;
  expect(zip.toString('latin1', end, end + 4)).toBe('PK\x05\x06');
  let at = zip.readUInt32LE(end + 16);
  return Array.from({ length: zip.readUInt16LE(end + 10) }, () => {
    const length = zip.readUInt16LE(at + 28);
    const name = zip.toString('utf8', at + 46, at + 46 + length);
    const local = zip.readUInt32LE(at + 42);
    expect(zip.toString('utf8', local + 30, local + 30 + length)).toBe(name);
    expect(zip.toString('latin1', local + 30 + length + 1, local + 30 + length + 4)).toBe('PNG');
    at += 46 + length;
    return name;
  });
}

test('webhooks are listed with their attempts, without the query of their address, and sent again', {
  timeout: 30_000,
}, async () => {
  await using inbox = await receiver();
  await using studio = await studioUnderTest({ PLATEN_ALLOW_PRIVATE_NETWORKS: '127.0.0.0/8' });
  const { server, ask } = studio;
  const id = await made(studio);
  const webhookUrl = `${inbox.url}hook?token=do-not-show`;
  await server.post('/v1/renders', { template: id, webhookUrl });
  await until(async () => expect((await ask('/deliveries')).json.items).toMatchObject([{ status: 'delivered' }]));
  const listed = await ask('/deliveries?status=delivered');
  expect(listed.text).not.toContain('do-not-show');
  const [delivery] = listed.json.items as { id: string; log: object[] }[];
  expect(delivery).toMatchObject({ attempts: 1, nextAttemptAt: null, log: [{ status: 204, error: null }] });
  expect((await post(studio, `/deliveries/${delivery?.id}/again`)).status).toBe(202);
  await until(async () =>
    expect((await ask('/deliveries')).json.items).toMatchObject([{ attempts: 2, log: [{}, {}] }]),
  );
  expect((await ask(`/deliveries/${delivery?.id}/again`, { as: 'stranger', method: 'POST' })).status).toBe(404);
});

test('images have names, focal points and uses; fonts have faces, coverage and files', async () => {
  await using studio = await studioUnderTest();
  const { ask } = studio;
  const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="60" height="30"><rect width="60" height="30"/></svg>';
  const headers = { 'content-type': 'image/svg+xml' };
  const image = (await ask('/images?name=Logo.svg', { method: 'POST', raw: svg, headers })).json;
  expect(image).toMatchObject({ name: 'Logo.svg', width: 60, format: 'svg', focus: null });
  const id = await made(studio, { ...SHAPES, layers: [{ name: 'logo', type: 'image', src: image.id }] });
  const change = (json: object) => ask(`/images/${image.id}`, { method: 'PUT', json });
  expect((await change({ focus: { x: 0.2, y: 1 } })).json).toMatchObject({ name: 'Logo.svg', focus: { x: 0.2, y: 1 } });
  expect((await change({ focus: { x: 2, y: 1 } })).json.error).toMatch(/^focus\.x: /);
  expect((await ask(`/images/${image.id}`)).json.usedBy).toEqual([{ id, name: 'Shapes', inDraft: false }]);
  const file = await ask(`/images/${image.id}/file`);
  expect(file.headers['content-security-policy']).toContain('sandbox');
  expect(file.text).toBe(svg);
  expect((await ask('/images?search=LOGO')).json.items).toHaveLength(1);
  expect((await ask(`/images/${image.id}`, { method: 'DELETE' })).status).toBe(200);
  expect((await ask('/images')).json).toEqual({ items: [], next: null, folders: [] });

  const { families, generic } = (await ask('/fonts')).json as {
    families: { family: string; faces: { id: string }[] }[];
    generic: object;
  };
  expect(families[0]).toMatchObject({ family: 'Inter', own: false });
  expect(generic).toMatchObject({ 'sans-serif': 'Inter' });
  const face = families[0]?.faces[3]?.id ?? '';
  const coverage = await ask('/fonts/coverage');
  expect(coverage.json[face]).toMatch(/\w/);
  const again = await ask('/fonts/coverage', { headers: { 'if-none-match': coverage.headers.etag } });
  expect([again.status, again.text]).toEqual([304, '']);
  const font = await ask(`/fonts/faces/${encodeURIComponent(face)}`);
  expect(font.headers['content-type']).toBe('font/ttf');
  expect((await ask('/fonts/faces/none')).status).toBe(404);
});

test('settings say what the doctor says, to owners', { timeout: 60_000 }, async () => {
  await using studio = await studioUnderTest();
  const { ask } = studio;
  expect((await ask('/settings')).json).toMatchObject({ plan: { name: 'free', quota: 100 }, insecure: null });
  expect((await ask('/settings/checks', { as: 'editor' })).status).toBe(403);
  const { server } = studio;
  const messages = async (account: string, as: As['as']) => {
    const { json } = await studio.api(`/accounts/${account}/settings/checks`, { as: as ?? null });
    return (json.checks as { message: string }[]).map(({ message }) => message).join();
  };
  const first = await messages(server.account, 'owner');
  const second = await messages(server.other, 'stranger');
  const operators = (await server.services.accounts.isOldest(server.account)) ? first : second;
  const others = operators === first ? second : first;
  expect(operators).toContain('Data in ');
  expect(others).not.toMatch(/Data in |\.sqlite|\//);
  const renamed = await ask('', { method: 'PUT', json: { name: 'Acme', email: null } });
  expect(renamed.json).toMatchObject({ name: 'Acme', email: null, role: 'owner' });
});
