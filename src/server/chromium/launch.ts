// Runs Chromium as a child process controlled over two pipes, so that no debugging port is open to others.
//
// It reaches the network only through a proxy: by default that is a dead port, and each job's context sets its own
// proxy. When Platen runs as root, Chromium runs as an unprivileged user, and in its own sandbox where the system
// permits that.

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import type { Browser, CDPSession, ConnectionTransport } from 'puppeteer-core';
import { endsWithin, resultWithin } from '#base/concurrency/deadline.ts';
import { overloaded } from '#base/concurrency/gate.ts';
import { endFirst } from '#base/concurrency/oom-score.ts';
import { type FontFolders, fontconfigText } from '#draw/images/fontconfig.ts';
import { type NssDatabase, writeNssDatabase } from './authorities.ts';
import type { FoundChromium } from './find-chromium.ts';
import { killTree, waitedForProcessor } from './process-tree.ts';
import { makeProfile, removeProfile } from './profiles.ts';

/** A Chromium that has answered. */
export interface RunningChromium {
  readonly browser: Browser;
  readonly pid: number;
  /** Settles when the process has ended, for whatever reason. */
  readonly ended: Promise<void>;
  /**
   * Listens for the end, until it is disposed of. What waits for `ended` instead is kept in memory until then, with all
   * that it has made.
   */
  onEnd(listener: () => void): Disposable;
  /** True from the call of `kill` on, even before the process has ended. */
  readonly hasEnded: () => boolean;
  /** Calls back when the process of a page has crashed while the browser still runs, until disposed. */
  onPageCrash(listener: () => void): Disposable;
  /** Kills it with all its descendants; settles when it is gone, or after two seconds. */
  kill(): Promise<void>;
  /** Asks it to end, and kills it after two seconds. */
  close(): Promise<void>;
}

/** How Chromium is confined. */
export interface Confinement {
  readonly sandbox: boolean;
  /** The user to run as when Platen is root; null = the user that Platen runs as. */
  readonly user: { readonly uid: number; readonly gid: number } | null;
}

/** The signal's number, as the exit status of a page's process. */
const SIGKILL = 9;
/** Time limit for its first answer, ms. */
const START_TIMEOUT = 15_000;
const CLOSE_TIMEOUT = 2_000;

const SWITCHES = [
  // The guard (all of these are needed: each closes a way that the others leave open).
  '--proxy-server=http://127.0.0.1:1',
  '--proxy-bypass-list=<-loopback>',
  '--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1',
  // Full Chromium reads the first of the two, the headless shell the second.
  '--webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--disable-quic',
  '--dns-prefetch-disable',
  // Bind cookies to the port and scheme of their origin.
  '--enable-features=EnablePortBoundCookies,EnableSchemeBoundCookies',
  // A page opens no windows: one with a dialog would block its opener too.
  '--block-new-web-contents',
  // No activity of Chromium's own.
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
  // The same rendering everywhere, and of the whole page although no window shows it.
  '--disable-backgrounding-occluded-windows',
  '--disable-renderer-backgrounding',
  '--disable-dev-shm-usage',
  '--font-render-hinting=none',
  '--force-color-profile=srgb',
  '--hide-scrollbars',
  '--mute-audio',
];

/** The confinements to try, strongest first. */
export async function confinements(): Promise<readonly Confinement[]> {
  const isRoot = process.getuid?.() === 0;
  const user = isRoot ? await unprivilegedUser() : null;
  const users = isRoot ? [user, null] : [null];
  return users.flatMap((each) => [
    // Chromium refuses to use its sandbox as root.
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
 * @param fonts of the catalogue, used for CSS generic names and as fallback; null = only the system's
 * @param authorities trusted beside Chromium's own
 * @param onKilled called when the browser, or the process of a page, was killed by somebody else
 * @throws AppError `overloaded` when it had no processor; Error with its output on standard error when it exits or does
 *   not answer
 */
export async function launchChromium(
  found: FoundChromium,
  { sandbox, user }: Confinement,
  fonts: FontFolders | null = null,
  authorities: NssDatabase | null = null,
  onKilled: (what: string) => void = nothing,
): Promise<RunningChromium> {
  const profile = await makeProfile(user);
  if (authorities) await writeNssDatabase(profile, authorities, user);
  const fontconfig = join(profile, 'fonts.conf');
  if (fonts) {
    await writeFile(fontconfig, fontconfigText(fonts, join(profile, 'fontconfig'), true));
    // Where the umask keeps files from others.
    await chmod(fontconfig, 0o644);
  }
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
      // A process group of its own, so that it can be killed as a whole.
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
  endFirst(child.pid);
  const said = lastWords(child);
  const ended = once(child, 'exit').then(nothing, nothing);
  const gone = ended.then(() => removeProfile(profile)).catch(nothing);
  const { pid } = child;
  let isKilled = false;
  const hasEnded = () => isKilled || pid === undefined || child.exitCode !== null || child.signalCode !== null;
  child.once('exit', (_, signal) => {
    if (signal === 'SIGKILL' && !isKilled) onKilled('Chromium');
  });
  const kill = async () => {
    if (pid !== undefined && !hasEnded()) killTree(pid);
    isKilled = true;
    await endsWithin(CLOSE_TIMEOUT, gone);
  };
  try {
    const transport = pipeTransport(child.stdio[3] as Writable, child.stdio[4] as Readable);
    const [browser, control] = await resultWithin(
      START_TIMEOUT,
      Promise.race([connect(transport), ended.then(() => Promise.reject(new Error('it ended')))]),
      () => new Error(`no answer in ${START_TIMEOUT} ms`),
    );
    control.on('Target.targetCrashed', ({ status, errorCode }) => {
      if (!isKilled && (status === 'oom' || errorCode === SIGKILL)) onKilled('The process of a page');
    });
    const onPageCrash = (listener: () => void) => {
      control.on('Target.targetCrashed', listener);
      return { [Symbol.dispose]: () => void control.off('Target.targetCrashed', listener) };
    };
    const onEnd = (listener: () => void) => {
      child.once('exit', listener);
      if (hasEnded()) listener();
      return { [Symbol.dispose]: () => void child.off('exit', listener) };
    };
    const close = async () => {
      await endsWithin(CLOSE_TIMEOUT, browser.close().catch(nothing));
      await endsWithin(CLOSE_TIMEOUT, ended);
      await kill();
    };
    return { browser, pid: pid ?? 0, ended, hasEnded, onEnd, onPageCrash, kill, close };
  } catch (cause) {
    const waited = pid === undefined ? 0 : await waitedForProcessor(pid);
    await kill();
    // As for a job that is late (browsers.ts).
    if (waited > START_TIMEOUT / 3) throw overloaded(cause);
    throw new Error(`${found.path} could not be started: ${(cause as Error).message}. ${said()}`.trim(), { cause });
  }
}

/** A browser, and a session that reports its pages only, without their frames and workers. */
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

/** The last 2,000 characters of the process's standard error. */
function lastWords({ stderr }: ChildProcess): () => string {
  let words = '';
  stderr?.on('data', (chunk: Buffer) => {
    words = (words + chunk).slice(-2_000);
  });
  return () => words;
}

/** The DevTools protocol over pipes: JSON texts, each terminated by NUL. */
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
      // Deferred, so that the effects of one message are complete before the next one arrives.
      setImmediate(() => transport.onmessage?.(message));
    }
    if (start < chunk.length) pieces.push(chunk.subarray(start));
  });
  return transport;
}
