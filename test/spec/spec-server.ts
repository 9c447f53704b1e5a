// Shared by the specification's tests: turns a table of the specification into tests, and starts a server with a
// template that has a layer of each kind that the specification mentions.

import { randomUUID } from 'node:crypto';
import { afterAll, describe, expect, test, vi } from 'vitest';
import type { DisplayList } from '#core/paint/display-list.ts';
import { exportAs } from '#draw/output/export.ts';
import { type NamedValue, signedQuery } from '#server/service/rendering/signed-url.ts';
import { quadrants } from '../draw/images/pictures.ts';
import { type Answer, NOW, type ServerUnderTest, serverUnderTest } from '../server/http/server-under-test.ts';
import { type Receiver, receiver } from '../webhook-receiver.ts';

/** Makes a test of each row of a table of the specification, named in the row's own words. */
export function table(name: string, rows: Readonly<Record<string, () => Promise<void>>>, runs = true): void {
  describe.skipIf(!runs)(name, () => {
    for (const [row, holds] of Object.entries(rows)) test(row, holds);
  });
}

export const PICTURE = await quadrants().png().toBuffer();
const source = (picture: Buffer) => `data:image/png;base64,${picture.toString('base64')}`;

export const CARD = {
  name: 'Card',
  width: 120,
  height: 60,
  layers: [
    { name: 'photo', type: 'image', src: source(PICTURE), width: 60, height: 40 },
    { name: 'title', type: 'text', text: 'Hello', fontSize: 16, width: 120 },
  ],
} as const;

export interface SpecServer extends ServerUnderTest {
  /** The card's id. */
  readonly template: string;
  readonly hooks: Receiver;
  /** The drawn display lists, the newest last. */
  readonly drawn: DisplayList[];
  /** Awaited before each drawing; a test may replace it. */
  readonly before: { draw: () => Promise<void> };
  readonly clock: { now: Date };
  /** Renders the card with these properties in the request's body. */
  readonly render: (more?: object, key?: string | null) => Promise<Answer>;
  /** Returns a signed URL of the card. */
  readonly signed: (extension?: string, parameters?: readonly NamedValue[]) => string;
  /** Sends a request without a key. */
  readonly open: (path: string) => Promise<Answer>;
  /** Waits until the job with this id has ended, and returns it. */
  readonly ended: (id: unknown) => Promise<Record<string, unknown>>;
  /** Units used this month. */
  readonly used: () => Promise<unknown>;
}

/** Starts the server; it is stopped at the end of the calling test file. */
export async function specServer(env: Readonly<Record<string, string>> = {}): Promise<SpecServer> {
  const clock = { now: NOW };
  const drawn: DisplayList[] = [];
  const before = { draw: async () => {} };
  const hooks = await receiver();
  const server = await serverUnderTest(
    { PLATEN_ALLOW_PRIVATE_NETWORKS: '127.0.0.1/32', PLATEN_BROWSERS: '1', ...plans(10_000, true), ...env },
    {
      clock: () => clock.now,
      exportAs: async (output, pages, resources, options) => {
        await before.draw();
        drawn.push(...pages);
        return exportAs(output, pages, resources, options);
      },
    },
  );
  afterAll(async () => {
    await server[Symbol.asyncDispose]();
    await hooks[Symbol.asyncDispose]();
  });
  const { id: template } = await server.services.templates.create(server.account, CARD);
  return {
    ...server,
    template,
    hooks,
    drawn,
    before,
    clock,
    render: (more = {}, key = server.key) => server.post('/v1/renders', { template, ...more }, { key }),
    signed: (extension = 'png', parameters = []) =>
      `/v1/templates/${template}/render.${extension}?${signedQuery(server.signingSecret, { template, extension, parameters })}`,
    open: (path) => server.ask(path, { key: null }),
    ended: (id) =>
      vi.waitFor(
        async () => {
          const { json } = await server.ask(`/v1/renders/${id}`);
          expect(json.status).toMatch(/^(done|error)$/);
          return json;
        },
        { timeout: 30_000, interval: 20 },
      ),
    used: async () => (await server.ask('/v1/usage')).json.used,
  };
}

/** The environment for plans with this quota. */
export const plans = (quota: number, blocks: boolean) => ({
  PLATEN_PLANS: JSON.stringify({ free: { quota, blocks } }),
});

/** The path of the URL in a render's answer. */
export const pathOf = ({ json }: Answer): string => new URL(String(json.url)).pathname;

/** A parameter that makes a signed URL unique, so that it was never requested before. */
export const fresh = (): NamedValue => ['title', randomUUID()];

/** The file type by its first bytes. */
export function kindOf(bytes: Buffer): string {
  if (bytes.subarray(1, 4).toString() === 'PNG') return 'png';
  if (bytes[0] === 0xff && bytes[1] === 0xd8) return 'jpeg';
  if (bytes.subarray(8, 12).toString() === 'WEBP') return 'webp';
  return bytes.subarray(0, 5).toString() === '%PDF-' ? 'pdf' : 'unknown';
}

/** Holds back all drawing until `letGo` is called; `begun` resolves when the first drawing waits. */
export function hold({ before }: SpecServer): { readonly begun: Promise<void>; readonly letGo: () => void } {
  const begun = Promise.withResolvers<void>();
  const gate = Promise.withResolvers<void>();
  before.draw = () => {
    begun.resolve();
    return gate.promise;
  };
  return {
    begun: begun.promise,
    letGo: () => {
      before.draw = async () => {};
      gate.resolve();
    },
  };
}
