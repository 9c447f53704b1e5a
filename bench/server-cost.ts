// Measures the server's own cost: a signed URL that was drawn before, compared with a bare Koa static server, and the
// overhead per render with four in flight. CPU time is that of all threads of the server's process.
//
// By itself, `node bench/server-cost.ts` prints both as JSON.

import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { Agent, get, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { signedQuery } from '#server/service/rendering/signed-url.ts';
import { CONCURRENCY, inFlight, newFolder, type Server, startServer } from './http.ts';
import { median } from './statistics.ts';
import { WORKLOADS } from './workloads.ts';

export interface HitCost {
  readonly server: 'platen' | 'koa static';
  /** A complete file, or a 304 for a client that has it. */
  readonly status: 200 | 304;
  readonly requestsPerSecond: number;
  /** CPU time per request, ms. */
  readonly processorMs: number;
  readonly bytes: number;
}

export interface AddedCost {
  readonly workload: string;
  /** CPU time per render, by the server and by the drawing thread in its own process, ms. */
  readonly serverMs: number;
  readonly drawingMs: number;
  readonly addedMs: number;
}

const TURN_MS = 1_000;
const WARM_UP_TURNS = 2;
/** Signed URLs that are requested in turn. */
const PICTURES = 20;

interface Picture {
  readonly url: string;
  readonly etag: string;
}

async function ask(url: string, agent: Agent, headers: Readonly<Record<string, string>>) {
  const [response] = (await once(get(url, { agent, headers }), 'response')) as [IncomingMessage];
  return { status: response.statusCode, etag: response.headers.etag ?? '', body: await buffer(response) };
}

/** Hits on both servers, in turns: a photo as PNG, which is large, and as JPEG. */
export async function measureHits(rounds: number): Promise<HitCost[]> {
  return [...(await measureHitsOf('png', rounds)), ...(await measureHitsOf('jpg', rounds))];
}

async function measureHitsOf(extension: 'png' | 'jpg', rounds: number): Promise<HitCost[]> {
  const folder = newFolder();
  await using platen = await startServer('platen');
  await using plain = await startServer('koa static', folder);
  const agent = new Agent({ keepAlive: true });
  const { template, secret, origin } = platen.signing(WORKLOADS[0]?.name ?? '');
  const pictures: Record<HitCost['server'], Picture[]> = { platen: [], 'koa static': [] };
  let bytes = 0;
  for (let i = 0; i < PICTURES; i++) {
    const parameters = Object.entries(WORKLOADS[0]?.strings(i) ?? {});
    const query = signedQuery(secret, { template, extension, parameters });
    const url = `${origin}/v1/templates/${template}/render.${extension}?${query}`;
    const { status, etag, body } = await ask(url, agent, {});
    if (status !== 200) throw new Error(`${status}: ${body}`);
    pictures.platen.push({ url, etag });
    writeFileSync(join(folder, `${i}.${extension}`), body);
    const address = `${plain.url}/${i}.${extension}`;
    pictures['koa static'].push({ url: address, etag: (await ask(address, agent, {})).etag });
    bytes += body.length / PICTURES;
  }

  const rows: HitCost[] = [];
  for (const status of [200, 304] as const) {
    const turn = async (name: HitCost['server'], server: Server) => {
      const start = performance.now();
      const before = (await server.health()).cpuMs;
      let done = 0;
      await inFlight(CONCURRENCY, async (i) => {
        const { url, etag } = pictures[name][i % PICTURES] as Picture;
        const answer = await ask(url, agent, status === 304 ? { 'if-none-match': etag } : {});
        if (answer.status !== status) throw new Error(`${name} answered ${answer.status}`);
        done++;
        return performance.now() - start < TURN_MS;
      });
      const seconds = (performance.now() - start) / 1_000;
      return { rate: done / seconds, processor: ((await server.health()).cpuMs - before) / done };
    };
    const servers = { platen, 'koa static': plain };
    const turns: Record<HitCost['server'], Awaited<ReturnType<typeof turn>>[]> = { platen: [], 'koa static': [] };
    for (let round = -WARM_UP_TURNS; round < rounds; round++) {
      for (const name of ['platen', 'koa static'] as const) {
        const found = await turn(name, servers[name]);
        if (round >= 0) turns[name].push(found);
      }
    }
    for (const name of ['platen', 'koa static'] as const) {
      rows.push({
        server: name,
        status,
        requestsPerSecond: Math.round(median(turns[name].map(({ rate }) => rate))),
        processorMs: rounded(median(turns[name].map(({ processor }) => processor))),
        bytes: Math.round(bytes),
      });
    }
  }
  agent.destroy();
  return rows;
}

/** Renders per turn; the server and the process that only draws alternate, so that both see the same machine. */
const RENDERS = 25;
/** Turns of each in a round. */
const TURNS = 4;

export async function measureAdded(rounds: number): Promise<AddedCost[]> {
  await using server = await startServer('platen');
  await using drawing = await startServer('drawing');
  const rows: AddedCost[] = [];
  let asked = 0;
  for (const { name: workload } of WORKLOADS) {
    const cost = async (one: Server) => {
      const before = (await one.health()).cpuMs;
      let left = RENDERS;
      await inFlight(CONCURRENCY, async () => {
        left--;
        await one.render(workload, 'png', asked++);
        return left > 0;
      });
      return ((await one.health()).cpuMs - before) / (RENDERS - left);
    };
    const [servers, drawings]: [number[], number[]] = [[], []];
    for (let turn = -2 * TURNS; turn < TURNS * rounds; turn++) {
      const [ofServer, ofDrawing] = [await cost(server), await cost(drawing)];
      if (turn < 0) continue;
      servers.push(ofServer);
      drawings.push(ofDrawing);
    }
    const [serverMs, drawingMs] = [rounded(median(servers)), rounded(median(drawings))];
    // The median difference of neighbouring turns: what slows both for a while does not count.
    const addedMs = rounded(median(servers.map((ms, i) => ms - (drawings[i] ?? 0))));
    rows.push({ workload, serverMs, drawingMs, addedMs });
  }
  return rows;
}

const rounded = (ms: number) => Math.round(ms * 1_000) / 1_000;

if (import.meta.main) {
  const rounds = Number(process.argv[2] ?? 7);
  console.log(JSON.stringify({ hits: await measureHits(rounds), added: await measureAdded(rounds) }, null, 1));
}
