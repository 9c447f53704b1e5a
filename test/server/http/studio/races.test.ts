// Tests that no right is used after it was lost, and that no session of an old password goes on: each request is stopped
// before each of its statements in turn, and the right is taken away at just that moment.

import { argon2Sync } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { currentTrace } from '#base/trace.ts';
import { byCommandLine } from '#server/service/people/permit.ts';
import { newId } from '../../../../src/base/ids.ts';
import { holdStatement, meanwhile } from '../../storage/hold-statement.ts';
import type { Answer } from '../server-under-test.ts';
import { SoftAuthenticator } from './soft-authenticator.ts';
import { PASSWORD, type StudioUnderTest, studioUnderTest } from './studio-under-test.ts';

/** Another session, or a second owner, of a person made for one round. */
interface Round {
  readonly studio: StudioUnderTest;
  readonly id: string;
  readonly email: string;
  readonly cookie: `${string}=${string}`;
  readonly sessionId: string;
}

interface Race {
  /** What the request needs besides its person. */
  readonly prepare?: (round: Round) => Promise<unknown>;
  readonly request: (round: Round, prepared: never) => Promise<Answer>;
  /** Takes the right away. */
  readonly loss: (round: Round, prepared: never) => Promise<unknown>;
  /** Whether the request has done what it asks. */
  readonly isDone: (round: Round, prepared: never) => Promise<boolean>;
  /** What must not be there in the end, whichever came first. */
  readonly mustNotStay?: (round: Round, prepared: never) => Promise<boolean>;
  /** The fewest statements that the request has; 4 if absent. */
  readonly statements?: number;
}

/** How long a loss that waits for the request's transaction is waited for, ms, before the request may go on. */
const BLOCKED = 40;
/** Requests have fewer statements. */
const MOST_STATEMENTS = 60;
const NEW_PASSWORD = 'another long password';

/** Statements of the server's own, such as a look at the clock, are not held: the request would go on meanwhile. */
const isOfRequest = () => currentTrace() !== null;

/** A hash that is computed in no time. */
const QUICK_HASH = (() => {
  const nonce = Buffer.alloc(16, 1);
  const tag = argon2Sync('argon2id', { message: PASSWORD, nonce, parallelism: 1, tagLength: 32, memory: 8, passes: 1 });
  const text = (bytes: Buffer) => bytes.toString('base64').replaceAll('=', '');
  return `$argon2id$v=19$m=8,t=1,p=1$${text(nonce)}$${text(tag)}`;
})();

async function newRound(studio: StudioUnderTest, count: number): Promise<Round> {
  const { people, members, sessions, storage } = studio.server.services;
  const { id, email } = await people.create({ email: `p${count}@example.com`, name: 'P', password: null });
  await storage.people.setPassword(id, QUICK_HASH);
  await members.add(studio.server.account, id, 'owner');
  const { token, session } = await sessions.begin(id, { address: '127.0.0.1', agent: 'test' });
  return { studio, id, email, cookie: `__Host-platen=${token}`, sessionId: session.id };
}

/** Loses the right at every statement of the request. */
async function run(race: Race): Promise<number> {
  await using studio = await studioUnderTest();
  for (let at = 1; at <= MOST_STATEMENTS; at += 1) {
    const round = await newRound(studio, at);
    const prepared = (await race.prepare?.(round)) as never;
    using held = holdStatement(at, isOfRequest);
    let isOver = false;
    const answer = race.request(round, prepared).finally(() => {
      isOver = true;
    });
    await Promise.race([held.reached, answer]);
    if (!held.isReached()) {
      expect((await answer).status).toBeLessThan(300);
      return at - 1;
    }
    const wasDone = await meanwhile(() => race.isDone(round, prepared));
    let isLost = false;
    const loss = meanwhile(() => race.loss(round, prepared)).then(() => {
      isLost = true;
    });
    await Promise.race([loss, sleep(BLOCKED)]);
    const wasFirst = isLost && !wasDone && !isOver;
    held.release();
    const [{ status, text }] = await Promise.all([answer, loss]);
    const place = `statement ${at}: ${status} ${text}`;
    expect(status, status >= 500 ? studio.server.logged().slice(-1500) : place).toBeLessThan(500);
    // What came after the loss was refused and did nothing.
    if (wasFirst) expect([status >= 400, await race.isDone(round, prepared)], place).toEqual([true, false]);
    if (race.mustNotStay) expect(await race.mustNotStay(round, prepared), place).toBe(false);
  }
  throw new Error('The request has too many statements.');
}

const services = ({ studio }: Round) => studio.server.services;
const sessionsOf = (round: Round) => services(round).sessions.list(round.id);
const signIn = ({ studio, email }: Round) =>
  studio.api('/session', { as: null, method: 'POST', json: { email, password: PASSWORD } });
const owner = (round: Round, path: string, method: string, json?: unknown) =>
  round.studio.ask(path, { as: round.cookie, method, ...(json === undefined ? {} : { json }) });
const remove = (round: Round) => services(round).members.remove(round.studio.server.account, round.id);
const demote = (round: Round) => services(round).members.setRole(round.studio.server.account, round.id, 'viewer');
const endSession = (round: Round) => services(round).sessions.end(round.id, round.sessionId);
const invitationsBy = async (round: Round) =>
  (await services(round).links.invitations(round.studio.server.account)).filter(
    ({ createdBy }) => createdBy === round.id,
  );
const invite = (round: Round) => owner(round, '/people/invitations', 'POST', { role: 'owner' });
const DOCUMENT = { name: 'A template', width: 10, height: 10, layers: [] };
const holder = async (round: Round) => {
  const [session] = await sessionsOf(round);
  if (!session) throw new Error('There is no session.');
  return { ...session, name: 'P', email: round.email };
};

/** A 1 × 1 px PNG. */
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII=',
  'base64',
);
const newTemplate = async ({ studio: { server } }: Round) =>
  (await server.services.templates.create(server.account, DOCUMENT)).id;
const hasTemplate = async ({ studio: { server } }: Round, id: string) =>
  (await server.services.templates.page(server.account)).items.some((one) => one.id === id);
const newImage = async ({ studio: { server } }: Round) => (await server.services.images.upload(server.account, PNG)).id;
const revokeKey = (round: Round, { keyId }: { keyId: string }) => services(round).keys.revoke(keyId);
const isRevoked = async ({ studio: { server } }: Round, id: string) =>
  (await server.services.keys.find(server.account, id)).revokedAt !== null;
/** A key with what `make` makes, for a request by API that the key's retirement overtakes. */
const withKey =
  <Made>(make: (round: Round) => Promise<Made>) =>
  async (round: Round) => {
    const { services: own, account } = round.studio.server;
    const { id, key } = await own.keys.create(account, 'live');
    return { keyId: id, key, made: await make(round) };
  };
interface WithKey {
  readonly keyId: string;
  readonly key: string;
  readonly made: string;
}
interface WithAccount {
  readonly id: string;
  readonly key: string;
  readonly made: string;
}
const isRendered = async (round: Round, account: string, templateId: string) => {
  const filter = { status: null, kind: null, output: null, templateId };
  const page = await services(round).storage.renders.page(account, filter, { limit: 1, after: null });
  return page.items.length > 0;
};

const RACES: Readonly<Record<string, Race>> = {
  'a sign-in and a new password': {
    prepare: holder,
    request: signIn,
    loss: (round, kept) => services(round).people.changePassword(kept, PASSWORD, NEW_PASSWORD),
    isDone: async (round) => (await sessionsOf(round)).length > 1,
    mustNotStay: async (round) => (await sessionsOf(round)).length !== 1,
  },
  'a sign-in and a reset link': {
    prepare: async (round) => (await services(round).links.reset(round.email)).path.split('#')[1],
    request: signIn,
    loss: (round, token) =>
      services(round).links.accept(
        { token, password: NEW_PASSWORD, email: null, name: null },
        { address: '::1', agent: 'reset' },
        null,
      ),
    isDone: async (round) => (await sessionsOf(round)).length > 1,
    mustNotStay: async (round) => (await sessionsOf(round)).some(({ agent }) => agent !== 'reset'),
  },
  'a confirmation and the end of its session': {
    request: ({ studio, cookie }) =>
      studio.api('/session/sudo', { as: cookie, method: 'POST', json: { password: PASSWORD } }),
    loss: endSession,
    isDone: async () => false,
  },
  'an invitation and the removal of who invites': {
    request: invite,
    loss: remove,
    isDone: async (round) => (await invitationsBy(round)).length > 0,
    mustNotStay: async (round) => (await invitationsBy(round)).length > 0,
  },
  'an invitation and a lower role of who invites': {
    request: invite,
    loss: demote,
    isDone: async (round) => (await invitationsBy(round)).length > 0,
    mustNotStay: async (round) => (await invitationsBy(round)).length > 0,
  },
  'a live key and the removal of who makes it': {
    request: (round) => owner(round, '/keys', 'POST', { name: 'x', kind: 'live' }),
    loss: remove,
    isDone: async (round) =>
      (await services(round).keys.list(round.studio.server.account)).some(({ createdBy }) => createdBy === round.id),
  },
  'a template and the end of the session': {
    request: (round) => owner(round, '/templates', 'POST', { document: { ...DOCUMENT, name: round.id } }),
    loss: endSession,
    isDone: async (round) =>
      (await services(round).templates.page(round.studio.server.account)).items.some(({ name }) => name === round.id),
  },
  'a role for another and the removal of who gives it': {
    prepare: async (round) => {
      const { id } = await services(round).people.create({ email: `${round.id}@x.example`, name: 'Q', password: null });
      await services(round).members.add(round.studio.server.account, id, 'viewer');
      return id;
    },
    request: (round, id) => owner(round, `/people/${id}`, 'PUT', { role: 'editor' }),
    loss: remove,
    isDone: async (round, id) =>
      (await services(round).people.membership(round.studio.server.account, id))?.role === 'editor',
  },
  'a new secret and the removal of who makes it': {
    prepare: async (round) => (await services(round).accounts.secrets(round.studio.server.account)).webhook,
    request: (round) => owner(round, '/secrets/webhook/rotate', 'POST'),
    loss: remove,
    isDone: async (round, before) =>
      (await services(round).accounts.secrets(round.studio.server.account)).webhook !== before,
  },
  'a template by API and the retirement of its key': {
    prepare: async ({ studio: { server } }) => server.services.keys.create(server.account, 'live'),
    request: ({ studio, id }, { key }: { key: string }) =>
      studio.server.ask('/v1/templates', { key, method: 'POST', json: { ...DOCUMENT, name: id } }),
    loss: (round, { id }: { id: string }) => services(round).keys.revoke(id),
    isDone: async (round) =>
      (await services(round).templates.page(round.studio.server.account)).items.some(({ name }) => name === round.id),
  } as Race,
  'the deletion of a template by API and the retirement of its key': {
    prepare: withKey(newTemplate),
    request: ({ studio }, { key, made }: WithKey) =>
      studio.server.ask(`/v1/templates/${made}`, { key, method: 'DELETE' }),
    loss: revokeKey,
    isDone: async (round, { made }: WithKey) => !(await hasTemplate(round, made)),
  } as Race,
  'the deletion of an image by API and the retirement of its key': {
    prepare: withKey(newImage),
    request: ({ studio }, { key, made }: WithKey) => studio.server.ask(`/v1/images/${made}`, { key, method: 'DELETE' }),
    loss: revokeKey,
    isDone: async (round, { made }: WithKey) => (await services(round).storage.images.find(null, made)) === null,
  } as Race,
  'the deletion of a render by API and the retirement of its key': {
    prepare: withKey(async ({ studio: { server } }) => {
      const id = newId('rnd');
      const asset = { id, accountId: server.account, kind: 'render', output: 'png', createdAt: new Date() } as const;
      const done = { status: 'done', size: 1, digest: null, warnings: [], finishedAt: new Date() } as const;
      await server.services.storage.renders.insert({ ...asset, ...done }, null);
      return id;
    }),
    request: ({ studio }, { key, made }: WithKey) =>
      studio.server.ask(`/v1/history/${made}`, { key, method: 'DELETE' }),
    loss: revokeKey,
    isDone: async (round, { made }: WithKey) =>
      (await services(round).storage.renders.find(round.studio.server.account, made)) === null,
  } as Race,
  'a render by API and the retirement of its key': {
    prepare: withKey(newTemplate),
    request: ({ studio }, { key, made }: WithKey) => studio.server.post('/v1/renders', { template: made }, { key }),
    loss: revokeKey,
    isDone: (round, { made }: WithKey) => isRendered(round, round.studio.server.account, made),
    statements: 2,
  } as Race,
  'a render by API and the suspension of its account': {
    async prepare(round) {
      const { accounts, keys, templates } = services(round);
      const { id } = await accounts.create({ email: null, displayName: null, plan: 'pro' });
      const { key } = await keys.create(id, 'live');
      return { id, key, made: (await templates.create(id, DOCUMENT)).id };
    },
    request: ({ studio }, { key, made }: WithAccount) => studio.server.post('/v1/renders', { template: made }, { key }),
    loss: (round, { id }: WithAccount) => services(round).accounts.suspend(id, byCommandLine),
    isDone: (round, { id, made }: WithAccount) => isRendered(round, id, made),
    statements: 2,
  } as Race,
  'the deletion of a template and the removal of who deletes it': {
    prepare: newTemplate,
    request: (round, id) => owner(round, `/templates/${id}`, 'DELETE'),
    loss: remove,
    isDone: async (round, id) => !(await hasTemplate(round, id)),
  },
  'the undoing of a deletion and the removal of who undoes it': {
    prepare: async (round) => {
      const id = await newTemplate(round);
      await services(round).templates.remove(round.studio.server.account, id);
      return id;
    },
    request: (round, id) => owner(round, `/templates/${id}/undelete`, 'POST'),
    loss: remove,
    isDone: hasTemplate,
  },
  'the retirement of a key and the removal of who retires it': {
    prepare: async ({ studio: { server } }) => (await server.services.keys.create(server.account, 'live')).id,
    request: (round, id) => owner(round, `/keys/${id}`, 'DELETE'),
    loss: remove,
    isDone: isRevoked,
  },
  'the retirement of a live key and a lower role of who retires it': {
    prepare: async ({ studio: { server } }) => (await server.services.keys.create(server.account, 'live')).id,
    request: (round, id) => owner(round, `/keys/${id}`, 'DELETE'),
    loss: (round) => services(round).members.setRole(round.studio.server.account, round.id, 'editor'),
    isDone: isRevoked,
  },
  'the retirement of secrets and the removal of who retires them': {
    prepare: ({ studio: { server } }) => server.services.accounts.rotateSecret(server.account, 'webhook'),
    request: (round) => owner(round, '/secrets/webhook/retire', 'POST'),
    loss: remove,
    isDone: async (round) =>
      (await services(round).storage.secrets.active(round.studio.server.account, 'webhook')).length === 1,
  },
  'another name for an image and a lower role of who gives it': {
    prepare: newImage,
    request: (round, id) => owner(round, `/images/${id}`, 'PUT', { name: 'renamed' }),
    loss: demote,
    isDone: async (round, id) => (await services(round).storage.images.find(null, id))?.name === 'renamed',
  },
  'the deletion of an image and a lower role of who deletes it': {
    prepare: newImage,
    request: (round, id) => owner(round, `/images/${id}`, 'DELETE'),
    loss: demote,
    isDone: async (round, id) => (await services(round).storage.images.find(null, id)) === null,
  },
  'the withdrawal of an invitation and the removal of who withdraws it': {
    prepare: async ({ studio }) =>
      (await studio.server.services.links.invite(studio.server.account, studio.idOf('owner'), null, 'viewer')).id,
    request: (round, id) => owner(round, `/people/invitations/${id}`, 'DELETE'),
    loss: remove,
    isDone: async (round, id) =>
      !(await services(round).links.invitations(round.studio.server.account)).some((link) => link.id === id),
  },
  'the end of other sessions and the end of its own': {
    prepare: (round) => services(round).sessions.begin(round.id, { address: '::1', agent: 'other' }),
    request: ({ studio, cookie }) => studio.api('/me/sessions', { as: cookie, method: 'DELETE' }),
    loss: endSession,
    isDone: async (round) => !(await sessionsOf(round)).some(({ agent }) => agent === 'other'),
  },
  'a passkey’s sign-in and its removal': {
    prepare: async (round) => {
      const { port } = round.studio.server;
      const page = { host: 'localhost', origin: `http://localhost:${port}` };
      const { passkeys } = services(round);
      const authenticator = new SoftAuthenticator(page);
      const person = await holder(round);
      const asked = await passkeys.askForNew(person, page, { address: newId('per') });
      const credential = authenticator.create(asked.options);
      const { id } = await passkeys.add(person, page, { token: asked.token, credential }, 'Laptop');
      const again = await passkeys.askToSignIn(page, { address: newId('per') });
      return { id, page, json: { token: again.token, credential: authenticator.get(again.options) } };
    },
    request: ({ studio }, { page, json }: { page: { origin: string }; json: object }) =>
      studio.api('/session/passkey', {
        ...{ as: null, method: 'POST', json },
        headers: { origin: page.origin, host: page.origin.replace('http://', '') },
      }),
    loss: (round, { id }: { id: string }) => services(round).passkeys.remove(round.id, id),
    isDone: async (round) => (await sessionsOf(round)).length > 1,
  } as Race,
};

test.each(Object.keys(RACES))('%s', { timeout: 120_000 }, async (name) => {
  const race = RACES[name];
  if (!race) throw new Error(`There is no race ${name}.`);
  expect(await run(race)).toBeGreaterThanOrEqual(race.statements ?? 4);
});

test('of two changes of the password at once one is refused, and the session of the other stays', async () => {
  await using studio = await studioUnderTest();
  let conflicts = 0;
  for (let at = 1; at <= MOST_STATEMENTS; at += 1) {
    const round = await newRound(studio, at);
    const { session } = await services(round).sessions.begin(round.id, { address: '::1', agent: 'other' });
    using held = holdStatement(at, isOfRequest);
    const first = studio.api('/me/password', {
      ...{ as: round.cookie, method: 'PUT', json: { current: PASSWORD, password: 'the first new password' } },
    });
    await Promise.race([held.reached, first]);
    if (!held.isReached()) {
      expect(conflicts).toBeGreaterThan(0);
      return;
    }
    const other = { ...session, name: 'P', email: round.email };
    const second = meanwhile(() => services(round).people.changePassword(other, PASSWORD, NEW_PASSWORD)).then(
      () => true,
      () => false,
    );
    await Promise.race([second, sleep(BLOCKED * 2)]);
    held.release();
    const [{ status, text }, isSecond] = [await first, await second];
    const place = `statement ${at}: ${status} ${text}`;
    if (status === 409) conflicts += 1;
    expect([204, 401, 403, 409], place).toContain(status);
    expect([status === 204, isSecond].filter(Boolean), place).toHaveLength(1);
    expect(
      (await sessionsOf(round)).map(({ id }) => id),
      place,
    ).toEqual([isSecond ? session.id : round.sessionId]);
  }
});
