// Shows hostile pages in Chromium, with a canary on every address and port that they could reach, and prints what the
// canaries heard, as JSON. Run as root in a network and mount namespace of its own: `canary-lab.ts guarded [ID…]` behind
// the guard, `canary-lab.ts bare [ID…]` without it.
//
// The site that serves the pages is on 127.0.0.2, a secure context, which is the one address that the guard allows.

import { execFileSync } from 'node:child_process';
import { createHash, X509Certificate } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { createServer as createTcpServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import puppeteer from 'puppeteer-core';
import { Browsers } from '#server/chromium/browsers.ts';
import { capturePage } from '#server/chromium/capture-page.ts';
import { type FoundChromium, findChromium } from '#server/chromium/find-chromium.ts';
import { readScreenshotRequest } from '#server/service/pages/screenshot-options.ts';
import { fakeResolver, guardFor } from '../server/net/servers.ts';
import { HOSTILE_PAGES, SERVICE_WORKER } from './hostile-pages.ts';
import { ip } from './network-namespace.ts';

interface CaseReport {
  readonly id: string;
  readonly outcome: string;
  readonly ms: number;
  /** Connections that the proxy refused, which show that the page tried at all. */
  readonly refusals: number;
  /** Canary → number of connections and datagrams that it received. */
  readonly hits: Readonly<Record<string, number>>;
}
export type GuardedReport = readonly CaseReport[];
export interface BareReport {
  /** The headless shell, which lacks some of the features that the pages try. */
  readonly isShell: boolean;
  /**
   * The hits of the same pages in a browser without the guard, by id: they show that each page makes an attempt, and
   * that the canaries notice it.
   */
  readonly hits: Readonly<Record<string, Readonly<Record<string, number>>>>;
}

const SITE = 'http://127.0.0.2';
const IPV4 = ['127.0.0.1', '10.1.2.3', '169.254.169.254'];
const IPV6 = ['::1', 'fd00:ec2::254'];
const TCP_PORTS = [22, 53, 80, 443, 853, 3478, 6379, 8080, 8443, 9001, 9003];
/** UDP ports at the site's own address, which serves pages over TCP. */
const SITE_UDP_PORTS = [443];
const UDP_PORTS = [53, 443, 3478, 5353, 8443, 9001, 9003];

function setUpNetwork(): void {
  ip('link', 'set', 'lo', 'up');
  for (const address of [...IPV4.slice(1).map((each) => `${each}/32`), 'fd00:ec2::254/128'])
    ip('addr', 'add', address, 'dev', 'lo');
  // A route for WebRTC to gather candidates on; it leads nowhere.
  ip('link', 'add', 'veth0', 'type', 'veth', 'peer', 'name', 'veth1');
  ip('addr', 'add', '192.0.2.10/24', 'dev', 'veth0');
  ip('link', 'set', 'veth0', 'up');
  ip('link', 'set', 'veth1', 'up');
  ip('route', 'add', 'default', 'via', '192.0.2.1');
  // The system's DNS queries go to a canary.
  const file = `/tmp/platen-lab-${browser}-resolv.conf`;
  writeFileSync(file, 'nameserver 127.0.0.1\noptions timeout:1 attempts:1\n');
  execFileSync('mount', ['--bind', file, '/etc/resolv.conf']);
}

const [, , browser = '', ...ids] = process.argv;
/** The ids of the pages to show. */
const chosen = ids.length > 0 ? ids : Object.keys(HOSTILE_PAGES);

let hits: Record<string, number> = {};
const hear = (what: string) => {
  hits[what] = (hits[what] ?? 0) + 1;
};

async function hearDatagrams(address: string, port: number): Promise<void> {
  const socket = createSocket(address.includes(':') ? 'udp6' : 'udp4');
  const what = (message: Buffer) => (port === 53 ? `dns ${questionOf(message)}` : `udp ${address} ${port}`);
  socket.on('message', (message) => hear(what(message))).on('error', () => {});
  await new Promise<void>((resolve) => socket.bind(port, address, resolve));
}

async function setUpCanaries(): Promise<void> {
  for (const port of SITE_UDP_PORTS) await hearDatagrams('127.0.0.2', port);
  for (const address of [...IPV4, ...IPV6]) {
    for (const port of TCP_PORTS) {
      const server = createTcpServer((socket) => {
        hear(`tcp ${address} ${port}`);
        socket.on('error', () => {}).on('data', () => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 6\r\n\r\nsecret'));
      });
      await new Promise<void>((resolve) => server.listen(port, address, resolve));
    }
    for (const port of UDP_PORTS) await hearDatagrams(address, port);
  }
}

/** The name that a DNS query asks for. */
function questionOf(message: Buffer): string {
  const labels: string[] = [];
  for (let at = 12; (message[at] ?? 0) > 0; at += 1 + (message[at] ?? 0)) {
    labels.push(message.toString('latin1', at + 1, at + 1 + (message[at] ?? 0)));
  }
  return labels.join('.');
}

async function setUpSite(): Promise<void> {
  const respond: RequestListener = (request, answer) => {
    const url = new URL(request.url ?? '/', SITE);
    const id = decodeURIComponent(url.pathname.slice(1));
    answer.setHeader('content-type', 'text/html; charset=utf-8');
    if (id === 'go') return void answer.writeHead(302, { location: decodeURIComponent(url.search.slice(1)) }).end();
    if (id === 'service-worker.js') return void answer.setHeader('content-type', 'text/javascript').end(SERVICE_WORKER);
    if (id === 'alt-svc')
      return void answer.setHeader('alt-svc', 'h3=":443"; ma=60, h3="169.254.169.254:443"; ma=60').end('x');
    if (id === 'attachment') return void answer.setHeader('content-disposition', 'attachment').end('x');
    if (id === 'password') return void answer.writeHead(401, { 'www-authenticate': 'Basic realm=x' }).end('x');
    if (id === 'proxy-password') return void answer.writeHead(407, { 'proxy-authenticate': 'Basic realm=x' }).end('x');
    const early = {
      link: `<http://127.0.0.1:9001/early>; rel=preload; as=style, <http://169.254.169.254>; rel=preconnect`,
    };
    const reporting = {
      'report-to': '{"group":"default","max_age":60,"endpoints":[{"url":"http://127.0.0.1:9001/report"}]}',
      'reporting-endpoints': 'default="https://127.0.0.1/reports"',
      nel: '{"report_to":"default","max_age":60,"success_fraction":1.0}',
    };
    const policy = { 'content-security-policy': `img-src 'none'; report-uri http://127.0.0.1:9001/policy` };
    const page = HOSTILE_PAGES[id];
    const headers = id.startsWith('P28') ? { ...reporting, ...policy } : id.startsWith('O9') ? early : {};
    answer
      .writeHead(page === undefined ? 404 : 200, headers)
      .end(`<!doctype html>${page ?? ''}${page?.startsWith('<frameset') ? '' : '<h1>page</h1>'}`);
  };
  await new Promise<void>((resolve) => createServer(respond).listen(80, '127.0.0.2', resolve));
  await new Promise<void>((resolve) =>
    createTlsServer({ key: CERTIFICATE, cert: CERTIFICATE }, respond).listen(443, '127.0.0.2', resolve),
  );
}

/** Key and certificate of the site, which the browsers are told to trust. */
const CERTIFICATE = readFileSync(join(import.meta.dirname, '../server/net/fixtures/images.test.pem'));
const { publicKey } = new X509Certificate(CERTIFICATE);
const digest = createHash('sha256').update(publicKey.export({ type: 'spki', format: 'der' }));
const BELIEVING = `--ignore-certificate-errors-spki-list=${digest.digest('base64')}`;

/** Writes a script that starts the same Chromium with one more switch, and returns its path. */
function believing({ path, isShell }: FoundChromium): string {
  const program = `/tmp/platen-lab-${isShell ? 'headless-shell' : 'chromium'}`;
  writeFileSync(program, `#!/bin/sh\nexec ${path} "$@" '${BELIEVING}'\n`, { mode: 0o755 });
  return program;
}

const names = fakeResolver({
  'inside.example': [['10.1.2.3']],
  'metadata.example': [['169.254.169.254']],
  'mixed.example': [['127.0.0.2', '127.0.0.1']],
  'mapped.example': [['::ffff:127.0.0.1']],
  'site.example': [['127.0.0.2']],
  'rebind.example': Array.from({ length: 1_000 }, (_, turn) => [`127.0.0.${2 - (turn % 2)}`]),
});

async function guarded(found: FoundChromium): Promise<GuardedReport> {
  const guard = guardFor(['127.0.0.2/32'], names);
  await using browsers = new Browsers({ chromiumPath: believing(found), programFolders: [] });
  const reports: CaseReport[] = [];
  for (const id of chosen) {
    hits = {};
    let refusals = 0;
    const started = performance.now();
    const request = readScreenshotRequest({
      url: `${SITE}/${encodeURIComponent(id)}`,
      delay: 1_200,
      waitUntil: 'domcontentloaded',
      timeout: 15_000,
      fullPage: true,
      output: id === 'P44' ? 'pdf' : 'png',
    });
    const outcome = await browsers
      .run(request.timeout + 500, (browser) => capturePage(browser, guard, request, () => (refusals += 1)))
      .then(({ bytes }) => (bytes.length > 100 ? 'captured' : 'empty'))
      .catch((error: Error) => error.message);
    await pause(100);
    reports.push({ id, outcome, ms: Math.round(performance.now() - started), refusals, hits: { ...hits } });
  }
  return reports;
}

/**
 * Shows the pages in plain puppeteer, without any of the guard's switches. In the shell each has its own context; full
 * Chromium follows resource hints only in its default context.
 */
async function bare({ path, isShell }: FoundChromium): Promise<BareReport> {
  const args = ['--no-sandbox', BELIEVING];
  const chromium = await puppeteer.launch({ executablePath: path, headless: isShell ? 'shell' : true, args });
  const reports: Record<string, BareReport['hits'][string]> = {};
  for (const id of chosen) {
    hits = {};
    const context = isShell ? await chromium.createBrowserContext() : chromium.defaultBrowserContext();
    const page = await context.newPage();
    await page
      .goto(`${SITE}/${encodeURIComponent(id)}`, { waitUntil: 'domcontentloaded', timeout: 5_000 })
      .catch(() => {});
    await pause(isShell ? 1_200 : 2_500);
    await (isShell ? context.close() : page.close());
    // What a page sends when it is closed counts as its own.
    await pause(100);
    // Full Chromium's own requests do not count.
    reports[id] = Object.fromEntries(
      Object.entries(hits).filter(([what]) => !/\.(google|googleapis)\.com$/.test(what)),
    );
  }
  await chromium.close();
  return { isShell, hits: reports };
}

setUpNetwork();
await setUpCanaries();
await setUpSite();
const found = findChromium({ chromiumPath: process.env.CHROMIUM_PATH ?? null, programFolders: [] });
if (found === null) throw new Error('there is no Chromium');
const report = await (browser === 'bare' ? bare(found) : guarded(found));
process.stdout.write(`${JSON.stringify(report)}\n`, () => process.exit(0));
