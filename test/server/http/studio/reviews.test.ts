// Tests review links: pictures of one template for people without an account, their comments, and what guards them.

import { expect, test } from 'vitest';
import { byCommandLine } from '#server/service/people/permit.ts';
import { openDatabase } from '#server/storage/open-database.ts';
import { rowsNaming } from '../../service/accounts/rows-naming.ts';
import { SHAPES } from '../server-under-test.ts';
import { type As, studioUnderTest } from './studio-under-test.ts';

const DAY = 86_400_000;
const START = new Date('2026-11-21T12:00:00Z');
/** Two sizes in two languages. */
const DESIGN = {
  ...SHAPES,
  lang: 'en',
  layers: [...SHAPES.layers, { name: 'word', type: 'text', text: 'Now', fontSize: 8, width: 40, height: 20 }],
  sizes: { tall: { width: 20, height: 40 } },
  texts: { word: { de: 'Jetzt' } },
};

async function reviewed(document: object = DESIGN) {
  let now = START;
  const studio = await studioUnderTest({}, { clock: () => now });
  const { ask, api } = studio;
  const { json } = await ask('/templates', { method: 'POST', json: { document } });
  const template = `/templates/${json.id}`;
  const create = async (body: object = {}, as: As['as'] = 'editor') =>
    ask(`${template}/reviews`, { method: 'POST', json: body, as });
  const made = await create();
  /** As a visitor: without a session, and without a cookie. */
  const visit = (what: 'look' | 'picture' | 'comments', body: object, token = tokenOf(made.json)) =>
    api(`/review/${what}`, { method: 'POST', json: { token, ...body }, as: null });
  return {
    ...{ studio, ask, template, id: String(json.id), create, made: made.json, visit },
    review: `${template}/reviews/${made.json.id}`,
    later: (ms: number) => {
      now = new Date(START.getTime() + ms);
    },
    [Symbol.asyncDispose]: () => studio[Symbol.asyncDispose](),
  };
}

const tokenOf = ({ url }: Readonly<Record<string, unknown>>) => String(url).split('#')[1] ?? '';
const saidOf = ({ json }: { readonly json: Readonly<Record<string, unknown>> }) =>
  json.comments as readonly Readonly<Record<string, unknown>>[];

test('a visitor sees each size in each language, comments on a point, and is answered and resolved in the studio', async () => {
  await using lab = await reviewed();
  const { ask, visit, made, review, studio } = lab;
  expect(made).toMatchObject({ version: null, endsAt: new Date(START.getTime() + 14 * DAY).toISOString() });
  expect(made.url).toMatch(new RegExp(`^${studio.server.url}/studio/review#plr_[0-9A-Za-z]{43}$`));

  const opened = await visit('look', {});
  expect(opened).toMatchObject({
    status: 200,
    headers: { 'cache-control': 'no-store' },
    json: { name: 'Shapes', version: null, ownLang: 'en', more: 0, hasPages: false, problem: null, comments: [] },
  });
  expect(opened.headers['set-cookie']).toBeUndefined();
  const pictures = [null, 'de'].flatMap((lang) => [null, 'tall'].map((size) => ({ size, lang })));
  expect(opened.json.pictures).toEqual(pictures);
  const drawn = await Promise.all(pictures.map((picture) => visit('picture', picture)));
  expect(drawn.map(({ status, headers }) => [status, headers['content-type']])).toEqual(
    pictures.map(() => [200, 'image/webp']),
  );
  expect(new Set(drawn.map(({ body }) => body.toString('base64'))).size).toBe(4);
  expect((await visit('picture', { size: 'wide' })).status).toBe(404);
  // Nobody is charged: they are previews.
  expect((await ask('/usage')).json.used).toBe(0);

  const said = await visit('comments', {
    ...{ name: ' Bob ', text: 'Larger, please.', size: 'tall', lang: 'de', point: { x: 2_500, y: 10_000 } },
  });
  expect(said).toMatchObject({
    status: 201,
    json: { by: 'Bob', isMember: false, answers: null, point: { x: 2_500, y: 10_000 }, resolvedAt: null },
  });
  const { id } = said.json;
  const answer = await ask(`${review}/comments`, {
    method: 'POST',
    json: { text: 'Done.', answers: id },
    as: 'editor',
  });
  expect(answer).toMatchObject({
    status: 201,
    json: { by: 'editor', isMember: true, answers: id, size: 'tall', lang: 'de', point: null },
  });
  // Of an answer there are no answers.
  expect((await visit('comments', { name: 'Bob', text: 'Thanks', answers: answer.json.id })).status).toBe(404);
  expect((await visit('comments', { name: 'Bob', text: 'Thanks', answers: id })).status).toBe(201);
  const state = (isResolved: boolean) => ask(`${review}/comments/${id}`, { method: 'PUT', json: { isResolved } });
  expect((await ask(`${lab.template}/reviews`)).json.items).toMatchObject([{ comments: 3, open: 1 }]);
  expect((await state(true)).json).toMatchObject({ id, resolvedAt: START.toISOString() });
  expect((await ask(`${lab.template}/reviews`)).json.items).toMatchObject([
    { createdBy: { name: 'editor' }, comments: 3, open: 0 },
  ]);
  expect(saidOf(await visit('look', {})).map(({ text, by }) => `${by}: ${text}`)).toEqual(
    expect.arrayContaining(['Bob: Larger, please.', 'editor: Done.', 'Bob: Thanks']),
  );
  expect((await state(false)).json.resolvedAt).toBeNull();
  expect((await ask(review, { as: 'viewer' })).json).toMatchObject({ name: 'Shapes', pictures });
  expect((await ask(`${review}/picture?size=tall&lang=de`, { as: 'viewer' })).body).toEqual(drawn[3]?.body);
  expect((await ask(`${review}/comments/${id}`, { method: 'DELETE' })).status).toBe(204);
  expect(saidOf(await ask(review))).toEqual([]);
  const log = await ask('/audit?action=review.delete-comment');
  expect(log.json.items).toMatchObject([{ actor: { name: 'owner' }, subject: { id: made.id, name: null } }]);
});

test('a link shows the draft as it is, or the version that it is for', async () => {
  await using lab = await reviewed(SHAPES);
  const { ask, visit, template } = lab;
  const pinned = tokenOf((await lab.create({ version: 1 })).json);
  const [before] = [(await visit('picture', {})).body];
  await visit('comments', { name: 'Bob', text: 'Too blue.' });
  const save = (document: object, revision: number) =>
    ask(`${template}/draft`, { method: 'PUT', headers: { 'if-match': `"${revision}"` }, json: { document } });
  const red = { ...SHAPES, layers: [{ ...SHAPES.layers[0], fill: '#cc0000' }] };
  expect((await save(red, 0)).status).toBe(200);
  expect((await visit('picture', {})).body).not.toEqual(before);
  expect((await visit('picture', {}, pinned)).body).toEqual(before);
  // What was said of it was said of an earlier one.
  expect(saidOf(await visit('look', {}))).toMatchObject([{ text: 'Too blue.', isEarlier: true }]);
  expect(saidOf(await visit('look', {}, pinned))).toEqual([]);

  // A draft need not be a template; what was said of it is still read and answered.
  expect((await save({ ...red, width: 'wide' }, 1)).status).toBe(200);
  const broken = await visit('look', {});
  expect(broken).toMatchObject({ status: 200, json: { pictures: [], problem: expect.stringContaining('width') } });
  expect((await visit('picture', {})).status).toBe(409);
  expect((await visit('comments', { name: 'Bob', text: 'Hm.', answers: saidOf(broken)[0]?.id })).status).toBe(201);
  expect((await lab.create({ version: 2 })).status).toBe(404);
});

test('a link is for one template, and ends when it is ended, too old, or the account may not', async () => {
  await using lab = await reviewed(SHAPES);
  const { ask, studio, visit, made, create, template, review } = lab;
  const { services, account, database } = studio.server;
  const isOpen = async (token?: string) => {
    const answers = [await visit('look', {}, token), await visit('picture', {}, token)];
    answers.push(await visit('comments', { name: 'Bob', text: 'Hello' }, token));
    const statuses = answers.map(({ status, json }) => (status < 300 ? 'open' : `${status} ${json.code}`));
    return [...new Set(statuses)].join();
  };
  const ENDED = '403 link_invalid';
  // A picture has no JSON, so it is asked for apart.
  const opens = async (token?: string) => (await visit('look', {}, token)).json.code ?? 'open';
  expect(await opens()).toBe('open');
  expect(await isOpen(`plr_${'0'.repeat(43)}`)).toBe(ENDED);
  expect(await isOpen('nothing')).toBe(ENDED);
  expect(await isOpen(studio.cookieOf('owner').split('=')[1])).toBe(ENDED);
  // Only its hash is stored.
  const db = await openDatabase(database);
  expect(await rowsNaming(db, [tokenOf(made)])).toEqual([]);
  await db.destroy();

  // The ids of another template, and of another account, lead nowhere.
  const other = (await ask('/templates', { method: 'POST', json: { document: SHAPES } })).json.id;
  const elsewhere = `/templates/${other}/reviews/${made.id}`;
  for (const path of [elsewhere, `${elsewhere}/picture`]) expect((await ask(path)).status).toBe(404);
  expect((await ask(`${elsewhere}/comments`, { method: 'POST', json: { text: 'x' } })).status).toBe(404);
  expect((await ask(elsewhere, { method: 'DELETE' })).status).toBe(404);
  expect((await ask(review, { as: 'stranger' })).status).toBe(404);
  expect((await ask(review, { method: 'DELETE', as: 'viewer' })).status).toBe(403);
  expect((await create({}, 'viewer')).status).toBe(403);

  expect((await ask(review, { method: 'DELETE', as: 'editor' })).status).toBe(204);
  expect(await isOpen()).toBe(ENDED);
  // Its people still read it.
  expect((await ask(review)).status).toBe(200);
  const log = (await ask('/audit')).json.items as readonly Readonly<Record<string, unknown>>[];
  expect(log.filter(({ action }) => String(action).startsWith('review.'))).toMatchObject([
    { action: 'review.end', actor: { name: 'editor' }, subject: { id: made.id, name: 'Shapes' } },
    { action: 'review.create', actor: { name: 'editor' }, detail: 'draft, 14 days' },
  ]);

  const short = tokenOf((await create({ days: 1 })).json);
  const long = tokenOf((await create({ days: 90 })).json);
  for (const days of [0, 91, 1.5]) expect((await create({ days })).json.error).toMatch(/^days: /);
  lab.later(DAY - 1);
  expect(await opens(short)).toBe('open');
  lab.later(DAY);
  expect(await isOpen(short)).toBe(ENDED);
  expect(await opens(long)).toBe('open');
  await services.accounts.suspend(account, byCommandLine);
  expect(await isOpen(long)).toBe(ENDED);
  await services.accounts.resume(account, byCommandLine);
  expect(await opens(long)).toBe('open');
  await ask(template, { method: 'DELETE' });
  expect(await isOpen(long)).toBe(ENDED);
});

test('comments, links and requests are bounded', async () => {
  await using lab = await reviewed(SHAPES);
  const { visit, create, studio, review, made } = lab;
  const comment = async (body: object) => (await visit('comments', { name: 'Bob', text: 'x', ...body })).json;
  expect((await comment({ name: ' ' })).error).toMatch(/^name: /);
  expect((await comment({ name: 'x'.repeat(81) })).error).toMatch(/^name: /);
  expect((await comment({ text: 'x'.repeat(2_001) })).error).toMatch(/^text: /);
  expect((await comment({ point: { x: 0, y: 10_001 } })).error).toMatch(/^point\.y: /);
  expect((await comment({ size: 'wide' })).error).toMatch(/no such picture/);
  // Whoever tries tokens, or writes too much, is told to wait, and can go on a minute later.
  let last = await comment({});
  for (let i = 0; i < 12 && last.code === undefined; i += 1) last = await comment({ text: `${i}\u0000<b>` });
  expect(last).toMatchObject({ code: 'rate_limited' });
  const looks = await Promise.all(Array.from({ length: 61 }, () => visit('look', {}, 'plr_guess')));
  expect(new Set(looks.map(({ status }) => status))).toEqual(new Set([403, 429]));
  lab.later(60_000);
  expect((await comment({ text: 'again' })).by).toBe('Bob');

  // As if others had written the rest.
  const db = await openDatabase(studio.server.database);
  await db('reviews').where({ id: made.id }).update({ written: 499 });
  await db.destroy();
  expect((await comment({ text: 'the last' })).by).toBe('Bob');
  expect(await comment({ text: 'one more' })).toMatchObject({ code: 'conflict' });
  expect((await lab.ask(`${review}/comments`, { method: 'POST', json: { text: 'x' } })).status).toBe(409);
  for (let links = 1; links < 20; links += 1) expect((await create()).status).toBe(201);
  expect((await create()).json).toMatchObject({ code: 'conflict', error: expect.stringContaining('20') });
});

test('the page of a link is not indexed, and ended links are deleted 90 days later', async () => {
  await using lab = await reviewed(SHAPES);
  const { server } = lab.studio;
  const page = await server.ask('/studio/review', { key: null });
  expect(page.headers['x-robots-tag']).toBe('noindex');
  const { reviews } = server.services.storage;
  const after = (days: number) => reviews.deleteEndedBefore(new Date(START.getTime() + days * DAY), 500);
  await lab.visit('comments', { name: 'Bob', text: 'Hello' });
  expect(await after(14)).toBe(0);
  expect(await after(14.1)).toBe(1);
  expect(await reviews.comments(String(lab.made.id))).toEqual([]);
});
