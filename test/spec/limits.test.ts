// Specification, "Limits" and "Versioning".

import { expect } from 'vitest';
import { document } from '../server/http/contract-of.ts';
import { NOW } from '../server/http/server-under-test.ts';
import { CARD, fresh, plans, specServer, table } from './spec-server.ts';

const server = await specServer();
const free = await specServer(plans(3, true));
const paid = await specServer(plans(1, false));
const { template } = server;

/** If the options are within bounds, only the address is refused, so nothing is captured. */
async function screenshot(more: object): Promise<unknown> {
  return (await server.post('/v1/screenshots', { url: 'http://10.0.0.1/', ...more })).json.error;
}
const signedStatus = async (name: string, value: string) =>
  (await server.open(server.signed('jpg', [[name, value]]))).status;

table('Limits', {
  'Items per batch | `POST /v1/renders/batch` | Maximum 50': async () => {
    const status = async (count: number) =>
      (await server.post('/v1/renders/batch', { template, items: Array(count).fill({}) })).status;
    expect([await status(50), await status(51)]).toEqual([200, 400]);
    const { json } = await server.post('/v1/renders/batch', { renders: Array(50).fill({ template }) });
    expect([json.count, json.ok]).toEqual([50, 50]);
  },
  'Screenshot width and height | `POST /v1/screenshots` | 16 to 2400 each; defaults 1200 and 630': async () => {
    for (const name of ['width', 'height']) {
      for (const value of [16, 2400]) expect(await screenshot({ [name]: value })).toMatch(/^URL not allowed\. /);
      expect(await screenshot({ [name]: 15 })).toBe(`${name}: must be at least 16`);
      expect(await screenshot({ [name]: 2401 })).toBe(`${name}: must be at most 2400`);
    }
    const { ScreenshotRequest } = document.components.schemas as Record<string, { properties: object }>;
    expect(ScreenshotRequest?.properties).toMatchObject({
      width: { description: 'Default: 1200.' },
      height: { description: 'Default: 630.' },
    });
  },
  'Scale factor | Screenshots, signed render URL | Maximum 3; screenshot default 1': async () => {
    for (const scale of [0.1, 1, 3]) {
      expect(await screenshot({ scale })).toMatch(/^URL not allowed\. /);
      expect(await signedStatus('scale', String(scale))).toBe(200);
    }
    for (const scale of [3.001, 0, -1]) {
      expect(await screenshot({ scale })).toMatch(/^scale: must be at (least 0\.1|most 3)$/);
      expect(await signedStatus('scale', String(scale))).toBe(400);
    }
    const { ScreenshotRequest } = document.components.schemas as Record<string, { properties: object }>;
    expect(ScreenshotRequest?.properties).toMatchObject({ scale: { description: 'Default: 1.' } });
  },
  'Quality `q` | Signed render URL | 0 to 100': async () => {
    for (const [q, status] of [
      ['0', 200],
      ['100', 200],
      ['-1', 400],
      ['101', 400],
      ['1.5', 400],
    ] as const) {
      expect(await signedStatus('q', q), q).toBe(status);
    }
  },
  'Templates listed | `GET /v1/templates` | Up to 200': async () => {
    for (let made = 0; made < 201; made += 1) await server.services.templates.create(server.other, CARD);
    const { templates } = (await server.ask('/v1/templates', { key: server.otherKey })).json;
    expect(templates).toHaveLength(200);
  },
  'Free-plan quota | Rendering calls made with an API key | Monthly; when reached, `402`': async () => {
    const statuses = [];
    for (let count = 0; count < 4; count += 1) statuses.push((await free.render()).status);
    expect(statuses).toEqual([200, 200, 200, 402]);
    free.clock.now = new Date('2026-12-01T00:00:00Z');
    expect([(await free.render()).status, await free.used()]).toEqual([200, 1]);
    free.clock.now = NOW;
    expect((await free.render()).status).toBe(402);
  },
  'Paid plans | Rendering calls | Never blocked; overage is metered and billed': async () => {
    for (let count = 0; count < 3; count += 1) expect((await paid.render()).status).toBe(200);
    expect((await paid.ask('/v1/usage')).json).toMatchObject({
      plan: 'free',
      period: '2026-11',
      quota: 1,
      used: 3,
      overage: 2,
    });
  },
  'Batch metering | Batch | Per item': async () => {
    const before = Number(await paid.used());
    const items = [{}, { title: { fontSize: 0 } }, {}];
    await paid.post('/v1/renders/batch', { template: paid.template, items });
    expect(await paid.used()).toBe(before + 2);
    free.clock.now = new Date('2027-01-01T00:00:00Z');
    const { status, json } = await free.post('/v1/renders/batch', {
      template: free.template,
      items: Array(5).fill({}),
    });
    expect([status, json.count, json.ok, await free.used()]).toEqual([200, 5, 3, 3]);
    expect(JSON.stringify(json.results)).toContain('upgrade to continue');
  },
  "Signed render URL | Signed render URL | Described as always serving without blocking on quota; repeat hits are CDN-cached and deduplicated from metering; a `402` for the owner's exceeded quota is also listed, and how the two statements combine is not shown":
    async () => {
      free.clock.now = new Date('2027-02-01T00:00:00Z');
      const known = free.signed('png', [fresh()]);
      for (let hits = 0; hits < 3; hits += 1) {
        const { status, headers } = await free.open(known);
        expect([status, headers['cache-control']]).toEqual([200, expect.stringMatching(/public.*s-maxage=/)]);
      }
      expect(await free.used()).toBe(1);
      for (let count = 0; count < 2; count += 1) await free.render();
      expect((await free.open(free.signed('png', [fresh()]))).status).toBe(402);
      expect((await free.open(known)).status).toBe(200);
    },
});

table('Versioning', {
  'Every endpoint path is prefixed with `/v1`.': async () => {
    const api = Object.entries(document.paths).filter(([, methods]) =>
      Object.values(methods).some(({ tags }) => !['Files', 'Service'].includes(String(tags))),
    );
    expect(api.length).toBeGreaterThan(10);
    for (const [path] of api) expect(path).toMatch(/^\/v1\//);
    expect((await server.ask('/renders', { method: 'POST' })).status).toBe(404);
  },
  'The machine-readable contract is an OpenAPI 3.1.0 description with contract version `1.0.0`.': async () => {
    const { status, json } = await server.open('/v1/openapi.json');
    expect([status, json.openapi, (json.info as { version: string }).version]).toEqual([200, '3.1.0', '1.0.0']);
  },
});
