// Tests two servers under load during outages of PostgreSQL, then of S3: silent, cut off, or failing intermittently.
//
// `SECONDS=60` makes longer outages. The test prints the time to recovery.

import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { signedQuery } from '#server/service/rendering/signed-url.ts';
import { openDatabase } from '#server/storage/open-database.ts';
import { SHAPES } from '../server/http/server-under-test.ts';
import { newDatabaseAlone } from '../server/storage/new-database.ts';
import { proxyTo } from '../server/storage/postgres/proxy.ts';
import { ACCESS_KEY, BUCKET, s3Server } from '../server/storage/s3/s3-server.ts';
import { forEach, startNodes } from './nodes.ts';

const LASTS = Number(process.env.SECONDS ?? 3) * 1_000;
/** Time between two requests, ms. */
const PACE = 150;
/** Maximum time to recovery, ms. Platen promises 10 s; a machine that is busy with other tests may be slower. */
const WELL_AGAIN = 30_000;

/** A silence of this length, ms, outlasts all retries: there are three attempts of 5 s each. */
const TOO_LONG = 30_000;

const OUTAGES = [
  ['PostgreSQL', ['silent', 'cut']],
  ['S3', ['silent', 'cut', 'every tenth answer 503 or cut']],
] as const;

interface Seen {
  readonly what: string;
  readonly status: number;
  readonly retryAfter: string | null;
  readonly id: string;
}

test.each(OUTAGES)(
  'without %s 503 with Retry-After, nothing is metered without its file, and well again',
  {
    timeout: 300_000 + 6 * LASTS,
  },
  async (part, ways) => {
    await using made = await newDatabaseAlone('migrated');
    await using s3 = await s3Server();
    const databaseUrl = new URL(made.location);
    await using toDatabase = await proxyTo(Number(databaseUrl.port));
    await using toBucket = await proxyTo(Number(new URL(s3.endpoint).port));
    databaseUrl.port = String(toDatabase.port);
    const env = {
      PLATEN_SHARED_FILES: 'false',
      ASSETS_URL: `s3://${BUCKET}?endpoint=http://127.0.0.1:${toBucket.port}`,
      ...ACCESS_KEY,
    };
    await using nodes = await startNodes({ count: 2, url: databaseUrl.href, env });
    const { accounts, keys, templates } = nodes.services;
    const { id: accountId } = await accounts.create({ email: null, displayName: null, plan: 'pro' });
    const { key } = await keys.create(accountId, 'live');
    const { signing } = await accounts.secrets(accountId);
    const { id: template } = await templates.create(accountId, SHAPES);
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };

    let count = 0;
    const ask = async (): Promise<Seen> => {
      const n = count++;
      const { url = '' } = nodes.servers[n % 2] ?? {};
      const kind = (['render', 'signed', 'job'] as const)[n % 3] ?? 'render';
      const parameters: [string, string][] = [['box.fill', `#${n.toString(16).padStart(6, '0')}`]];
      const query = signedQuery(signing, { template, extension: 'png', parameters });
      const body = { template, modifications: { box: parameters[0]?.[1] }, async: kind === 'job' };
      const response =
        kind === 'signed'
          ? await fetch(`${url}/v1/templates/${template}/render.png?${query}`)
          : await fetch(`${url}/v1/renders`, { method: 'POST', headers, body: JSON.stringify(body) });
      const text = await response.text();
      const id = kind === 'signed' || !response.ok ? '' : String(JSON.parse(text).id);
      return {
        what: `${kind}: ${text.slice(0, 100)}`,
        status: response.status,
        retryAfter: response.headers.get('retry-after'),
        id,
      };
    };
    await forEach(6, 2, async () => expect((await ask()).status).toBeLessThan(300));

    const seen: Seen[] = [];
    for (const how of ways) {
      const away = (isAway: boolean) => {
        if (how === 'silent' || how === 'cut') (part === 'S3' ? toBucket : toDatabase).set(isAway ? how : 'open');
        else s3.fault = (request) => (isAway && request % 10 === 0 ? (request % 20 === 0 ? 'busy' : 'cut') : null);
      };
      away(true);
      const under: Promise<Seen>[] = [];
      for (const end = performance.now() + LASTS; performance.now() < end; await sleep(PACE)) under.push(ask());
      away(false);
      const from = performance.now();
      // Recovered means eight successful requests in a row, over both servers.
      for (let well = 0; well < 8; ) {
        well = (await ask()).status < 300 ? well + 1 : 0;
        if (performance.now() - from > WELL_AGAIN) throw new Error(`${how}: not well again after ${WELL_AGAIN} ms`);
      }
      const seconds = ((performance.now() - from) / 1000).toFixed(1);
      const asked = await Promise.all(under);
      const refused = asked.filter(({ status }) => status === 503).length;
      console.info(
        `${part} ${how} for ${LASTS / 1000} s: ${asked.length} requests, ${refused} × 503, well again after ${seconds} s`,
      );
      if (how === 'cut' || (how === 'silent' && LASTS >= TOO_LONG)) expect(refused, how).toBeGreaterThan(0);
      seen.push(...asked);
    }
    for (const { what, status, retryAfter } of seen) {
      if (status === 503) expect(Number(retryAfter), what).toBeGreaterThan(0);
      else expect([200, 202], what).toContain(status);
    }

    const db = await openDatabase(made.location);
    const open = async () => (await db('renders').whereIn('status', ['queued', 'processing'])).length;
    for (const end = performance.now() + 90_000; (await open()) > 0 && performance.now() < end; ) await sleep(100);
    expect(await open()).toBe(0);
    const units: string[] = await db('usage_units').where({ account_id: accountId, state: 'used' }).pluck('render_id');
    const renders: { id: string; status: string }[] = await db('renders').where({ account_id: accountId }).select();
    const variants: string[] = await db('variants').whereNotNull('size').pluck('id');
    await db.destroy();
    expect(renders.map(({ status }) => status).filter((status) => status !== 'done')).toEqual([]);
    const files = new Set(
      [...s3.objects.keys()].filter((name) => /^(assets|variants)\/rnd_/.test(name)).map((name) => name.split('/')[1]),
    );
    expect([...renders.map(({ id }) => id), ...variants].sort()).toEqual([...units].sort());
    expect(units.filter((id) => !files.has(`${id}.png`))).toEqual([]);
    for (const { id } of seen) if (id !== '') expect(units).toContain(id);
  },
);
