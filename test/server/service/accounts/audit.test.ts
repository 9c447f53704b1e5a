// Tests the audit log: each act leaves one entry that says who did what, an act that failed leaves none, and no entry holds
// a secret.

import { expect, test } from 'vitest';
import type { Action } from '#server/service/accounts/audit.ts';
import { sweep } from '#server/service/files/retention.ts';
import { byCommandLine } from '#server/service/people/permit.ts';
import { ACTIONS, type Actor, type AuditEntry } from '#server/storage/audit.ts';
import type { Storage } from '#server/storage/storage.ts';
import { PASSWORD, studioUnderTest } from '../../http/studio/studio-under-test.ts';
import { NOW, storageUnderTest } from '../../storage/open-storage.ts';

const DAY = 24 * 60 * 60 * 1000;
const SECRET = 'a text of the template';
const DOCUMENT = {
  name: 'A template',
  width: 10,
  height: 10,
  layers: [{ name: 'title', type: 'text', text: SECRET, x: 0, y: 0, width: 10, height: 10 }],
};
const WHENCE = { address: '127.0.0.1', agent: 'test' };
const ALL = { actorId: null, action: null };

async function entries(storage: Storage): Promise<readonly AuditEntry[]> {
  return (await storage.audit.page(null, ALL, { limit: 200, after: null })).items;
}

/** What an act leaves: `who action subject detail`, with ids where there are no names. */
const told = ({ actor, action, subject, detail }: AuditEntry) =>
  [actor.kind, actor.name, action, subject.name, detail].map((part) => part ?? '-').join(' | ');

test('each act leaves one entry, without a secret', async () => {
  await using studio = await studioUnderTest();
  const { server } = studio;
  const { account } = server;
  const { storage, accounts, people, keys, links, members, templates } = server.services;
  const secrets: string[] = [PASSWORD, SECRET];
  const seen = new Set<Action>();
  /** Does it, and returns what it left and what it returned. */
  async function act<T>(work: () => Promise<T>, expected: readonly string[]): Promise<T> {
    const before = (await entries(storage)).length;
    const made = await work();
    const all = await entries(storage);
    const left = all.slice(0, all.length - before).reverse();
    expect(left.map(told)).toEqual(expected);
    for (const entry of left) seen.add(entry.action);
    return made;
  }
  const ask = async (path: string, method: string, json?: unknown) => {
    const answer = await studio.ask(path, { method, ...(json === undefined ? {} : { json }) });
    expect(answer.status, answer.text).toBeLessThan(300);
    return answer.status === 204 ? null : JSON.parse(answer.text);
  };
  const byPerson = (text: string) => [`person | owner | ${text}`];
  const byOperator = (text: string) => [`command-line | - | ${text}`];

  // Account, keys and secrets.
  const other = await act(
    () => accounts.create({ email: 'x@example.com', displayName: null, plan: 'free' }, byCommandLine),
    byOperator('account.create | x@example.com | free'),
  );
  await act(
    () => accounts.setPlan(other.id, 'free', byCommandLine),
    byOperator('account.set-plan | x@example.com | free'),
  );
  await act(() => ask('', 'PUT', { name: 'Acme', email: null }), byPerson('account.change | Acme | -'));
  const key = await act(
    () => ask('/keys', 'POST', { name: 'Deploy', kind: 'live' }),
    byPerson('key.create | Deploy | live'),
  );
  secrets.push(key.key);
  await act(() => ask(`/keys/${key.id}`, 'DELETE'), byPerson('key.revoke | Deploy | live'));
  await act(() => keys.revoke(key.id, byCommandLine), []);
  for (const purpose of ['signing', 'webhook']) {
    const shown = await act(() => ask(`/secrets/${purpose}/show`, 'POST'), byPerson(`secret.show | ${purpose} | -`));
    const made = await act(() => ask(`/secrets/${purpose}/rotate`, 'POST'), byPerson(`secret.rotate | ${purpose} | -`));
    await act(() => ask(`/secrets/${purpose}/retire`, 'POST'), byPerson(`secret.retire | ${purpose} | -`));
    secrets.push(shown.secret, made.secret);
  }

  // Templates: by a person, and by a key.
  const { id } = await act(
    () => ask('/templates', 'POST', { document: DOCUMENT }),
    byPerson('template.create | A template | -'),
  );
  const json = { document: { ...DOCUMENT, name: 'Renamed' } };
  await studio.ask(`/templates/${id}/draft`, { method: 'PUT', json, headers: { 'if-match': '"0"' } });
  await act(
    () => studio.ask(`/templates/${id}/publish`, { method: 'POST', json: {}, headers: { 'if-match': '"1"' } }),
    byPerson('template.publish | Renamed | version 2'),
  );
  await act(
    () => ask(`/templates/${id}/versions/1/restore`, 'POST'),
    byPerson('template.restore | A template | version 3'),
  );
  await act(
    () => studio.ask(`/templates/${id}/folder`, { method: 'PUT', json: { folder: 'Spring' } }),
    byPerson('template.move | A template | Spring'),
  );
  const rename = (name: string) => ask(`/templates/${id}/name`, 'PUT', { name });
  await act(() => rename('Renamed'), byPerson('template.rename | Renamed | A template'));
  await act(() => rename('A template'), byPerson('template.rename | A template | Renamed'));
  await act(() => ask(`/templates/${id}`, 'DELETE'), byPerson('template.delete | A template | -'));
  await act(() => ask(`/templates/${id}/undelete`, 'POST'), byPerson('template.undelete | A template | -'));
  const byKey = `key | …${server.key.slice(-4)}`;
  await act(
    () => server.ask(`/v1/templates/${id}`, { method: 'PUT', json: DOCUMENT }),
    [`${byKey} | template.save | A template | version 6`],
  );
  await act(
    () => server.ask(`/v1/templates/${id}`, { method: 'DELETE' }),
    [`${byKey} | template.delete | A template | -`],
  );
  await act(
    () => server.ask('/v1/templates', { method: 'POST', json: DOCUMENT }),
    [`${byKey} | template.create | A template | -`],
  );
  await act(
    () => server.ask('/v1/brands/acme', { method: 'PUT', json: { colors: { primary: '#1d4ed8' } } }),
    [`${byKey} | brand.save | acme | version 1`],
  );
  const branded = await server.ask('/v1/templates', { method: 'POST', json: { ...DOCUMENT, brand: 'acme' } });
  await server.ask('/v1/brands/acme', { method: 'PUT', json: {} });
  await act(
    () => ask('/brands/acme/update-uses', 'POST', { templates: [branded.json.id] }),
    byPerson('template.update-material | A template | version 2 with acme@2'),
  );
  await act(() => ask('/brands/acme/update-uses', 'POST', { templates: [branded.json.id] }), []);
  await act(() => server.ask('/v1/brands/acme', { method: 'DELETE' }), [`${byKey} | brand.delete | acme | -`]);
  const [newest] = await entries(storage);
  expect(newest?.requestId).toMatch(/^req_/);
  expect(newest?.actor.id).toMatch(/^key_/);

  // Editors in pages of other sites.
  const origin = 'https://shop.example';
  await act(() => ask('/embedding', 'PUT', { origins: [origin] }), byPerson(`embedding.change | ${origin} | -`));
  const before = '2026-01-31T12:00:00.000Z';
  await act(
    () => ask('/embedding/revoke', 'POST', { user: 'jane', before }),
    byPerson(`embedding.revoke | jane | ${before}`),
  );

  // People.
  const invitation = await act(
    () => ask('/people/invitations', 'POST', { role: 'editor', email: 'new@example.com' }),
    byPerson('invitation.create | new@example.com | editor'),
  );
  const token = String(invitation.url).split('#')[1] ?? '';
  secrets.push(token);
  const joined = { token, password: PASSWORD, email: null, name: 'New' };
  const { session } = await act(
    () => links.accept(joined, WHENCE, null),
    ['person | New | member.join | New | editor'],
  );
  const open = await ask('/people/invitations', 'POST', { role: 'viewer' });
  await act(() => ask(`/people/invitations/${open.id}`, 'DELETE'), byPerson('invitation.withdraw | - | viewer'));
  const { personId } = session;
  await act(() => ask(`/people/${personId}`, 'PUT', { role: 'viewer' }), byPerson('member.change-role | New | viewer'));
  await act(() => ask(`/people/${personId}`, 'DELETE'), byPerson('member.remove | New | -'));

  const made = await act(
    () => people.create({ email: 'ops@example.com', name: 'Ops', password: null }, byCommandLine),
    byOperator('person.create | Ops | ops@example.com'),
  );
  await act(() => members.add(account, made.id, 'viewer', byCommandLine), byOperator('member.join | Ops | viewer'));
  const link = await act(
    () => links.reset('ops@example.com', byCommandLine),
    byOperator('person.link | ops@example.com | -'),
  );
  const reset = link.path.split('#')[1] ?? '';
  secrets.push(reset);
  await act(
    () => links.accept({ token: reset, password: PASSWORD, email: null, name: null }, WHENCE, null),
    ['person | Ops | person.change-password | Ops | -'],
  );
  const from = 'password, from 127.0.0.1';
  await act(
    () => people.signIn('ops@example.com', PASSWORD, WHENCE),
    [`person | Ops | person.sign-in | Ops | ${from}`],
  );
  const wrong = (email: string) => people.signIn(email, 'not the password', WHENCE).catch(() => {});
  await act(() => wrong('ops@example.com'), [`server | - | person.refuse-sign-in | Ops | ${from}`]);
  await act(() => wrong('Nobody@example.com'), [`server | - | person.refuse-sign-in | nobody@example.com | ${from}`]);
  // What is no address may be a password.
  await act(() => wrong(PASSWORD), [`server | - | person.refuse-sign-in | - | ${from}`]);
  await act(
    () => people.verify('ops@example.com', null, byCommandLine),
    byOperator('person.verify | Ops | ops@example.com'),
  );
  await act(() => people.lockOut(made.id, byCommandLine), byOperator('person.lock-out | Ops | -'));
  await act(
    () => studio.api('/me', { method: 'PUT', json: { name: 'owner', email: 'owner@example.com' } }),
    byPerson('person.change | owner | owner@example.com'),
  );

  // What becomes of people and accounts as a whole.
  await act(() => ask(`/people/${made.id}/suspend`, 'POST'), byPerson('person.suspend | Ops | -'));
  await act(() => ask(`/people/${made.id}/resume`, 'POST'), byPerson('person.resume | Ops | -'));
  await act(() => studio.ask(`/people/${made.id}/export`), byPerson('person.export | Ops | -'));
  await act(
    () => ask(`/people/${made.id}/delete`, 'POST', { confirm: 'ops@example.com' }),
    [...byPerson('member.remove | - | -'), ...byPerson('person.delete | - | -')],
  );
  await act(() => ask('/suspend', 'POST'), byPerson('account.suspend | Acme | -'));
  await act(() => ask('/resume', 'POST'), byPerson('account.resume | Acme | -'));
  await act(() => studio.ask('/export'), byPerson('account.export | Acme | -'));
  await act(() => accounts.delete(other.id, byCommandLine), byOperator('account.delete | x@example.com | -'));

  // What else failed or was refused leaves nothing.
  await act(() => studio.ask(`/people/${studio.idOf('owner')}`, { method: 'PUT', json: { role: 'viewer' } }), []);
  await act(() => studio.ask('/people/invitations/lnk_x', { method: 'DELETE' }), []);
  await act(() => studio.ask('/templates', { as: 'viewer', method: 'POST', json: { document: DOCUMENT } }), []);
  const fails = async () => {
    throw new Error('after the entry');
  };
  await act(() => templates.create(account, DOCUMENT, fails).catch(() => {}), []);

  // test/server/http/studio/passkeys.test.ts has those of passkeys.
  const passkeys: readonly Action[] = ['person.add-passkey', 'person.remove-passkey'];
  // test/server/http/studio/reviews.test.ts has those of review links.
  const reviews: readonly Action[] = ['review.create', 'review.end', 'review.delete-comment'];
  expect([...seen, ...passkeys, ...reviews].sort()).toEqual([...ACTIONS].sort());
  const text = JSON.stringify(await entries(storage));
  expect(secrets.filter((secret) => secret === '' || text.includes(secret))).toEqual([]);
});

test('a list has the entries of its account, newest first, by actor and by action, in pages', async () => {
  await using under = await storageUnderTest();
  const { storage } = under;
  const insert = (accountId: string, actor: Actor, action: Action, at = NOW) =>
    storage.audit.insert({
      ...{ accountId, actor, action, at, subject: { id: null, name: 'signing' }, detail: null, requestId: null },
    });
  const ada: Actor = { kind: 'person', id: 'per_a', name: 'Ada' };
  const key: Actor = { kind: 'key', id: 'key_a', name: '…abcd' };
  await insert('acc_a', ada, 'secret.show');
  await insert('acc_a', ada, 'secret.rotate');
  await insert('acc_a', key, 'template.delete');
  await insert('acc_b', key, 'template.delete');
  const actions = async (filter: Partial<typeof ALL> | object, limit = 10, after: string | null = null) => {
    const { items, next } = await storage.audit.page('acc_a', { ...ALL, ...filter }, { limit, after });
    return { found: items.map(({ action }) => action), next };
  };
  expect(await actions({})).toEqual({ found: ['template.delete', 'secret.rotate', 'secret.show'], next: null });
  expect(await actions({ actorId: 'per_a' })).toEqual({ found: ['secret.rotate', 'secret.show'], next: null });
  expect(await actions({ action: 'secret.show' })).toEqual({ found: ['secret.show'], next: null });
  const first = await actions({}, 2);
  expect(first.found).toEqual(['template.delete', 'secret.rotate']);
  expect(await actions({}, 2, first.next)).toEqual({ found: ['secret.show'], next: null });
  expect((await entries(storage)).map(({ accountId }) => accountId)).toEqual(['acc_b', 'acc_a', 'acc_a', 'acc_a']);
});

test('entries are deleted when they are older than they are to be kept', async () => {
  await using under = await storageUnderTest();
  const { storage } = under;
  const base = { accountId: 'acc_a', subject: { id: null, name: null }, detail: null, requestId: null } as const;
  const actor: Actor = { kind: 'server', id: null, name: null };
  for (const days of [1, 9, 11, 400]) {
    const at = new Date(NOW.getTime() - days * DAY);
    await storage.audit.insert({ ...base, actor, action: 'account.change', at });
  }
  const blobs = { async *entries() {} } as never;
  const kept = { storage, assetBlobs: blobs, assetTtl: null, auditTtl: 10 * DAY, uploads: [], clock: () => NOW };
  await sweep({ ...kept, variants: { sweep: async () => {} } }, new AbortController().signal);
  expect((await entries(storage)).map(({ at }) => (NOW.getTime() - at.getTime()) / DAY).sort()).toEqual([1, 9]);
});
