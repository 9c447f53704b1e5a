// A Chromium as a child process, driven over two pipes: no port is opened that anybody else could drive it by.
//
// Whatever starts it, it reaches the network through a proxy or not at all: by default that proxy is a dead port, and
// each job's context names its own. Root does not run it: it drops to an unprivileged user, in Chromium's own sandbox
// where the system lets that be.

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import type { Browser, CDPSession, ConnectionTransport } from 'puppeteer-core';
import { type FontFolders, fontconfigText } from '#images/fontconfig.ts';
import type { FoundChromium } from './find-chromium.ts';
import { killTree } from './process-tree.ts';
import { makeProfile, removeProfile } from './profiles.ts';

/** A Chromium that answers. */
export interface RunningChromium {
  readonly browser: Browser;
  readonly pid: number;
  /** Settles when the process has ended, whyever. */
  readonly ended: Promise<void>;
  /** Also when it is on its way: from the call of `kill` on. */
  readonly hasEnded: () => boolean;
  /** Calls back when the process that shows a page is no more, although the browser is; until it is disposed. */
  onPageCrash(listener: () => void): Disposable;
  /** Ends it at once, with everything that it started; settles when it is gone, or after two seconds. */
  kill(): Promise<void>;
  /** Asks it to end, and insists after two seconds. */
  close(): Promise<void>;
}

/** How well it is locked in. */
export interface Confinement {
  readonly sandbox: boolean;
  /** The user that root drops to; null = the one that Platen runs as. */
  readonly user: { readonly uid: number; readonly gid: number } | null;
}

/** ms until it must have answered. */
const START_TIMEOUT = 15_000;
const CLOSE_TIMEOUT = 2_000;

const SWITCHES = [
  // The guard (all of them are needed: each closes a way that the others leave open).
  '--proxy-server=http://127.0.0.1:1',
  '--proxy-bypass-list=<-loopback>',
  '--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1',
  // Full Chromium reads the first of the two, the headless shell the second.
  '--webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--disable-quic',
  '--dns-prefetch-disable',
  // A cookie belongs to one origin, port and scheme included.
  '--enable-features=EnablePortBoundCookies,EnableSchemeBoundCookies',
  // A page opens no windows: one with a dialog would stop its opener too.
  '--block-new-web-contents',
  // Nothing that Chromium would do on its own account.
  '--disable-background-networking',
  '--disable-breakpad',
  '--disable-client-side-phishing-detection',
  '--disable-component-extensions-with-background-pages',
  '--disable-component-update',
  '--disable-crash-reporter',
  '--disable-default-apps',
  '--disable-domain-reliability',
  '--disable-extensions',
  '--disable-features=AcceptCHFrame,AutofillServerCommunication,DialMediaRouteProvider,MediaRouter,OptimizationHints,Translate',
  '--disable-field-trial-config',
  '--disable-sync',
  '--metrics-recording-only',
  '--no-default-browser-check',
  '--no-first-run',
  '--no-pings',
  '--password-store=basic',
  '--use-mock-keychain',
  // The same picture everywhere, and all of it although no window shows it.
  '--disable-backgrounding-occluded-windows',
  '--disable-renderer-backgrounding',
  '--disable-dev-shm-usage',
  '--font-render-hinting=none',
  '--force-color-profile=srgb',
  '--hide-scrollbars',
  '--mute-audio',
];

/** The confinements to try, the best first. */
export async function confinements(): Promise<readonly Confinement[]> {
  const isRoot = process.getuid?.() === 0;
  const user = isRoot ? await unprivilegedUser() : null;
  const users = isRoot ? [user, null] : [null];
  return users.flatMap((each) => [
    // Root's own sandbox is refused by Chromium.
    ...(isRoot && each === null ? [] : [{ sandbox: true, user: each }]),
    { sandbox: false, user: each },
  ]);
}

async function unprivilegedUser(): Promise<Confinement['user']> {
  const users = await readFile('/etc/passwd', 'utf8').catch(() => '');
  const [, uid, gid] = /^nobody:[^:]*:(\d+):(\d+):/m.exec(users) ?? [];
  return { uid: Number(uid ?? 65_534), gid: Number(gid ?? 65_534) };
}

/**
 * Starts a Chromium and waits until it answers.
 *
 * @param fonts the catalogue's, which answer CSS's generic names, and what other fonts lack; null = the system's alone
 * @throws Error with what it said, when it ends or says nothing instead
 */
export async function launchChromium(
  found: FoundChromium,
  { sandbox, user }: Confinement,
  fonts: FontFolders | null = null,
): Promise<RunningChromium> {
  const profile = await makeProfile(user);
  const fontconfig = join(profile, 'fonts.conf');
  if (fonts) await writeFile(fontconfig, fontconfigText(fonts, join(profile, 'fontconfig'), true));
  const child = spawn(
    found.path,
    [
      ...SWITCHES,
      ...(found.isShell ? [] : ['--headless=new']),
      ...(sandbox ? [] : ['--no-sandbox']),
      '--remote-debugging-pipe',
      `--user-data-dir=${profile}`,
    ],
    {
      stdio: ['ignore', 'ignore', 'pipe', 'pipe', 'pipe'],
      // A group of its own, so that it can be ended as a whole.
      detached: true,
      // Nothing of the server's environment: no secrets, no proxies.
      env: {
        HOME: profile,
        PATH: '/usr/bin:/bin',
        LANG: 'C.UTF-8',
        ...(fonts ? { FONTCONFIG_FILE: fontconfig } : {}),
      },
      ...(user ?? {}),
    },
  );
  const said = lastWords(child);
  const ended = once(child, 'exit').then(nothing, nothing);
  const gone = ended.then(() => removeProfile(profile)).catch(nothing);
  const { pid } = child;
  let isKilled = false;
  const hasEnded = () => isKilled || pid === undefined || child.exitCode !== null || child.signalCode !== null;
  const kill = async () => {
    if (pid !== undefined && !hasEnded()) killTree(pid);
    isKilled = true;
    await Promise.race([gone, late(CLOSE_TIMEOUT)]);
  };
  try {
    const transport = pipeTransport(child.stdio[3] as Writable, child.stdio[4] as Readable);
    const [browser, control] = await Promise.race([
      connect(transport),
      ended.then(() => Promise.reject(new Error('it ended'))),
      late(START_TIMEOUT).then(() => Promise.reject(new Error(`no answer in ${START_TIMEOUT} ms`))),
    ]);
    const onPageCrash = (listener: () => void) => {
      control.on('Target.targetCrashed', listener);
      return { [Symbol.dispose]: () => void control.off('Target.targetCrashed', listener) };
    };
    const close = async () => {
      await Promise.race([browser.close().catch(nothing), late(CLOSE_TIMEOUT)]);
      await Promise.race([ended, late(CLOSE_TIMEOUT)]);
      await kill();
    };
    return { browser, pid: pid ?? 0, ended, hasEnded, onPageCrash, kill, close };
  } catch (cause) {
    await kill();
    throw new Error(`${found.path} could not be started: ${(cause as Error).message}. ${said()}`.trim(), { cause });
  }
}

/** A browser, and what tells of its pages: of them alone, not of the frames and workers in them. */
async function connect(transport: ConnectionTransport): Promise<readonly [Browser, CDPSession]> {
  const { default: puppeteer } = await import('puppeteer-core');
  const browser = await puppeteer.connect({
    transport,
    defaultViewport: null,
    issuesEnabled: false,
    protocolTimeout: 120_000,
  });
  const control = await browser.target().createCDPSession();
  await control.send('Target.setDiscoverTargets', { discover: true, filter: [{ type: 'page' }] });
  return [browser, control];
}

const nothing = () => {};
const late = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms).unref());

/** The last that a process wrote to standard error; the rest is thrown away. */
function lastWords({ stderr }: ChildProcess): () => string {
  let words = '';
  stderr?.on('data', (chunk: Buffer) => {
    words = (words + chunk).slice(-2_000);
  });
  return () => words;
}

/** The DevTools protocol over pipes: JSON texts, each ended by a NUL. */
function pipeTransport(toBrowser: Writable, fromBrowser: Readable): ConnectionTransport {
  const transport: ConnectionTransport = {
    send: (message) => void toBrowser.write(`${message}\0`),
    close: () => toBrowser.destroy(),
  };
  let pieces: Buffer[] = [];
  toBrowser.on('error', () => {});
  fromBrowser.on('error', () => {});
  fromBrowser.on('close', () => transport.onclose?.());
  fromBrowser.on('data', (chunk: Buffer) => {
    let start = 0;
    for (let end = chunk.indexOf(0); end >= 0; end = chunk.indexOf(0, start)) {
      const message = Buffer.concat([...pieces, chunk.subarray(start, end)]).toString();
      pieces = [];
      start = end + 1;
      // Not in this turn: what one message brings about is done before the next arrives.
      setImmediate(() => transport.onmessage?.(message));
    }
    if (start < chunk.length) pieces.push(chunk.subarray(start));
  });
  return transport;
}
