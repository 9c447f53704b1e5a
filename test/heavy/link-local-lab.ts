// Runs the server with private networks allowed, requests pages, images and webhooks at link-local and metadata
// addresses, and records which listeners were reached. Prints the answers as JSON. Run as root in a network namespace
// of its own.

import { createServer } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { createLog } from '#server/observability/log.ts';
import { openServices } from '#server/services.ts';
import { startServer } from '#server/start-server.ts';
import { loadConfig } from '../../src/server/config/config.ts';
import { postJson } from '../post-json.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { ip } from './network-namespace.ts';

/** By surface and host: the status, the error if there is one, and whether the listener at the host was reached. */
type Answers = Readonly<Record<string, readonly [status: number, error: string | null, isHeard: boolean]>>;
export interface LinkLocalReport {
  readonly withoutFlag: Answers;
  readonly withFlag: Answers;
}

/** The allowed networks, which contain every address that is requested. */
const ALLOW = '10.0.0.0/8,169.254.0.0/16,100.64.0.0/10,fd00::/8,fe80::/10';
const SITE = '10.1.2.3';
/** A link-local IPv6 address needs an interface, which a URL cannot name, so nothing can be reached there. */
const UNREACHABLE = '[fe80::1]';
const HOSTS = ['169.254.169.254', '100.100.100.200', '[fd00:ec2::254]', UNREACHABLE];
const ADDRESSES = [SITE, '169.254.169.254', '100.100.100.200', 'fd00:ec2::254'];

/** Addresses that got a connection, or a request over a kept connection. */
const heard = new Set<string>();
const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

async function listenEverywhere(): Promise<void> {
  ip('link', 'set', 'lo', 'up');
  for (const address of ADDRESSES) {
    const isIPv6 = address.includes(':');
    ip('addr', 'add', `${address}/${isIPv6 ? 128 : 32}`, 'dev', 'lo', ...(isIPv6 ? ['nodad'] : []));
    const server = createServer(({ url = '' }, answer) => {
      heard.add(address);
      if (url.startsWith('/to?')) return void answer.writeHead(302, { location: url.slice(4) }).end();
      if (url.startsWith('/embed?')) {
        return void answer.setHeader('content-type', 'text/html').end(`<img src="http://${url.slice(7)}/">`);
      }
      if (url === '/page') return void answer.setHeader('content-type', 'text/html').end('<h1>page</h1>');
      answer.setHeader('content-type', 'image/png').end(Buffer.from(PIXEL, 'base64'));
    });
    server.on('connection', () => heard.add(address));
    await new Promise<void>((resolve) => server.listen(80, address, resolve));
  }
}

async function ask(flag: boolean): Promise<Answers> {
  await using folder = await temporaryFolder();
  const config = loadConfig({
    PLATEN_DATA: folder.path,
    PORT: '0',
    PLATEN_ALLOW_PRIVATE_NETWORKS: ALLOW,
    PLATEN_ALLOW_LINK_LOCAL: String(flag),
  });
  await using services = await openServices(config);
  const account = await services.accounts.create({ email: null, displayName: null, plan: 'free' });
  const { key } = await services.keys.create(account.id, 'live');
  await using server = await startServer(config, createLog('silent'));
  const post = async (path: string, json: unknown) => {
    const answer = await postJson(server.url + path, key, json);
    return { status: answer.status, json: (await answer.json()) as Readonly<Record<string, unknown>> };
  };
  const photo = { name: 'photo', type: 'image', width: 40, height: 20, src: '' };
  const made = await post('/v1/templates', { name: 'T', width: 40, height: 20, layers: [photo] });
  const template = String(made.json.id);
  const page = (url: string) => post('/v1/screenshots', { url, width: 40, height: 20, timeout: 10_000 });
  const image = (src: string) => post('/v1/renders', { template, modifications: { photo: { src } } });
  const webhook = (webhookUrl: string) => post('/v1/renders', { template, webhookUrl });
  const surfaces = {
    page: (host: string) => page(`http://${host}/page`),
    'redirected page': (host: string) => page(`http://${SITE}/to?http://${host}/page`),
    'image of a page': (host: string) => page(`http://${SITE}/embed?${host}`),
    image: (host: string) => image(`http://${host}/`),
    'redirected image': (host: string) => image(`http://${SITE}/to?http://${host}/`),
    webhook: (host: string) => webhook(`http://${host}/`),
  };
  const answers: Record<string, Answers[string]> = {};
  for (const [surface, reach] of Object.entries(surfaces)) {
    for (const host of HOSTS) {
      const address = host.replace(/^\[|\]$/g, '');
      heard.clear();
      const { status, json } = await reach(host);
      // An accepted webhook is sent a little later.
      for (let wait = 0; wait < 100 && status === 202 && !heard.has(address) && host !== UNREACHABLE; wait += 1) {
        await pause(50);
      }
      answers[`${surface} ${host}`] = [status, (json.error as string | undefined) ?? null, heard.has(address)];
    }
  }
  return answers;
}

await listenEverywhere();
const report: LinkLocalReport = { withoutFlag: await ask(false), withFlag: await ask(true) };
process.stdout.write(`${JSON.stringify(report)}\n`, () => process.exit(0));
