// The checks of `platen doctor`. Each yields one line: the finding and, for a problem, how to fix it.

import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { access, constants } from 'node:fs/promises';
import { connect } from 'node:net';
import { dirname } from 'node:path';
import { AppError } from '#base/errors.ts';
import { type FontLibrary, openFontLibrary } from '#draw/fonts/font-library.ts';
import { findCertutil, NO_CERTUTIL } from '#server/chromium/authorities.ts';
import { findChromium, HOW_TO_GET_CHROMIUM, notRun } from '#server/chromium/find-chromium.ts';
import type { Confinement } from '#server/chromium/launch.ts';
import {
  type Config,
  loadConfig,
  type OidcProvider,
  publicAddress,
  reportVariables,
  tooFewFiles,
  unknownVariables,
  type VariableReport,
} from '#server/config/config.ts';
import { configuredFetch } from '#server/net/configured-fetch.ts';
import { CheckedFiles, digestOfBlob } from '#server/service/files/checked-files.ts';
import type { BlobStore } from '#server/storage/blobs.ts';
import type { BlobFolder } from '#server/storage/open-blobs.ts';
import { isPostgresUrl } from '#server/storage/open-database.ts';
import { requireSession } from '#server/storage/server-lock.ts';
import { NODE_SQLITE, sqliteDriver } from '#server/storage/sqlite/driver.ts';
import type { Storage } from '#server/storage/storage.ts';
import { FILE_KINDS, type FileKind, type StoredFile } from '#server/storage/stored-files.ts';

export interface DoctorCheck {
  readonly name: string;
  /** `broken` stops Platen or a part of it; with `limited` a feature is missing. */
  readonly state: 'ok' | 'limited' | 'broken';
  readonly message: string;
}

export interface Findings {
  readonly variables: readonly VariableReport[];
  readonly checks: readonly DoctorCheck[];
}

/**
 * @param checkFiles compares all stored files, which may take a while
 */
export async function examine(checkFiles = false): Promise<Findings> {
  const checks: DoctorCheck[] = [checkNode()];
  try {
    const config = loadConfig();
    const fonts = await openFontLibrary({ folders: config.fontFolders });
    const files = tooFewFiles(config);
    checks.push(
      { name: 'configuration', state: 'ok', message: `Data in ${config.dataFolder}.` },
      ...unknownVariables().map(unknownVariable),
      ...(files === null ? [] : [{ name: 'open files', state: 'limited', message: files } as const]),
      checkAddress(config),
      ...(config.outboundProxy ? [await checkProxy(config.outboundProxy)] : []),
      ...(config.oidc ? [await checkProvider(config.oidc)] : []),
      await checkDatabase(config),
      ...(config.s3 ? [await checkBucket(config, config.s3)] : []),
      ...checkFonts(fonts),
      await checkChromium(config, fonts),
      ...checkAuthorities(config),
      ...(checkFiles ? await checkStoredFiles(config) : []),
    );
  } catch (error) {
    checks.push({ name: 'configuration', state: 'broken', message: (error as Error).message });
  }
  return { variables: reportVariables(), checks };
}

export function inWords({ variables, checks }: Findings): string {
  const width = Math.max(...variables.map(({ name }) => name.length));
  const sign = { ok: 'ok      ', limited: 'limited ', broken: 'BROKEN  ' } as const;
  return [
    'Environment (a dash: not set, the default holds)',
    ...variables.map(({ name, set, default: fallback }) => {
      const value = set ?? `- ${fallback === null ? '' : `(${fallback})`}`;
      return `  ${name.padEnd(width)}  ${value}`;
    }),
    '',
    'Checks',
    ...checks.map(({ name, state, message }) => `  ${sign[state]} ${name}: ${message}`),
  ].join('\n');
}

/** As in bin/platen.mjs: running the sources needs a Node that strips types. */
const WANTED_NODE = import.meta.filename.endsWith('.ts') ? 24 : 22;

function checkNode(): DoctorCheck {
  const { node } = process.versions;
  return Number.parseInt(node, 10) >= WANTED_NODE
    ? { name: 'node', state: 'ok', message: `Node ${node}.` }
    : {
        name: 'node',
        state: 'broken',
        message: `Node ${node}; ${WANTED_NODE} or newer is needed. Run it through "npm run" or bin/platen.mjs.`,
      };
}

const unknownVariable = (message: string): DoctorCheck => ({ name: 'configuration', state: 'limited', message });

/** Whether passwords and sessions of the studio are sent unencrypted. */
function checkAddress(config: Config): DoctorCheck {
  const name = 'studio';
  const address = `${publicAddress(config, config.port)}/studio/`;
  const { protocol, hostname } = new URL(address);
  const isOwnMachine = /^(localhost|127\..*|\[::1\])$/.test(hostname);
  const isOpen = config.publicUrl === null && !/^(localhost|127\..*|::1)$/.test(config.host);
  if (protocol === 'https:' || (isOwnMachine && !isOpen)) return { name, state: 'ok', message: address };
  const message = `${address} is plain http: whoever is on the way can read passwords. Put a proxy with https before Platen, which sets X-Forwarded-For, and set PLATEN_PUBLIC_URL to its address.`;
  return { name, state: 'limited', message };
}

/** Whether the forward proxy answers at all, and what is checked of a name. */
async function checkProxy({ url: { protocol, hostname, host, port }, names }: NonNullable<Config['outboundProxy']>) {
  const name = 'outbound proxy';
  const socket = connect({
    host: hostname.replace(/[[\]]/g, ''),
    port: Number(port || (protocol === 'https:' ? 443 : 80)),
  });
  try {
    await once(socket, 'connect', { signal: AbortSignal.timeout(5_000) });
    const whose = {
      here: 'Names are resolved here, and every address is checked.',
      proxy: 'It resolves names, so that it must refuse private addresses itself.',
    }[names];
    return { name, state: 'ok', message: `${host}. ${whose}` } as const;
  } catch (error) {
    const { code = 'no answer in 5 s' } = error as NodeJS.ErrnoException;
    const message = `${host} does not answer (${code}): no image, page or webhook of a public host is reached. Check PLATEN_OUTBOUND_PROXY.`;
    return { name, state: 'broken', message } as const;
  } finally {
    socket.on('error', () => {}).destroy();
  }
}

/** Whether the identity provider answers, and reports the configured issuer. */
async function checkProvider({ issuer }: OidcProvider): Promise<DoctorCheck> {
  const name = 'identity provider';
  const address = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
  try {
    const response = await configuredFetch(address, {});
    if (!response.ok) throw new Error(`it answered ${response.status}`);
    const { issuer: claimed } = (await response.json()) as { issuer?: unknown };
    if (URL.parse(String(claimed))?.href === new URL(issuer).href) return { name, state: 'ok', message: `${issuer}.` };
    const message = `${address} says that its issuer is ${String(claimed).slice(0, 200)}: set PLATEN_OIDC_ISSUER to that.`;
    return { name, state: 'broken', message };
  } catch (error) {
    const { message, cause } = error as Error;
    const detail = cause instanceof Error ? `${message}: ${cause.message}` : message;
    return { name, state: 'broken', message: `${address} cannot be read: ${detail}. Check PLATEN_OIDC_ISSUER.` };
  }
}

async function checkDatabase({ database, dataFolder }: Config): Promise<DoctorCheck> {
  const name = 'database';
  // The URL contains a password.
  const shown = isPostgresUrl(database) ? 'DATABASE_URL' : database;
  try {
    if (!isThere(database)) {
      // With a slash, so that a file in its place is an error.
      await access(`${nearestFolder(dataFolder)}/`, constants.W_OK);
      return { name, state: 'ok', message: `${shown} is made at the first start.` };
    }
    const { openStorage } = await import('#server/storage/storage.ts');
    await requireSession(database);
    await using _storage = await openStorage(database);
    return { name, state: 'ok', message: `${shown}${isPostgresUrl(database) ? '' : `, by ${sqliteName()}`}.` };
  } catch (error) {
    // An expected failure names the database and what to do.
    if (error instanceof AppError) return { name, state: 'broken', message: error.message };
    const remedy = isPostgresUrl(database) ? '' : ' Check PLATEN_DATA and who owns the folder.';
    const message = `${shown} cannot be used: ${(error as Error).message}${remedy}`;
    return { name, state: 'broken', message };
  }
}

/** The package is optional: whoever compares two machines sees which of the two drivers each has. */
const sqliteName = () =>
  sqliteDriver() === NODE_SQLITE ? "Node's own SQLite, as the package sqlite3 is not installed" : 'the package sqlite3';

/** Whether the bucket is there, and may be written to. */
async function checkBucket(config: Config, { bucket, endpoint }: NonNullable<Config['s3']>): Promise<DoctorCheck> {
  const name = 'bucket';
  try {
    const { openBlobs } = await import('#server/storage/open-blobs.ts');
    // Opening stores an object.
    await using _blobs = await openBlobs(config, 'assets');
    return { name, state: 'ok', message: `"${bucket}" at ${endpoint} can be written to.` };
  } catch (error) {
    const remedy = 'Check ASSETS_URL, the two AWS_ variables, and what this key may do in the bucket.';
    return { name, state: 'broken', message: `${(error as Error).message} ${remedy}` };
  }
}

async function checkStoredFiles(config: Config): Promise<DoctorCheck[]> {
  const { database } = config;
  const name = 'stored files';
  if (!isThere(database)) return [{ name, state: 'ok', message: 'There are none yet.' }];
  try {
    const [{ openStorage }, { openBlobs }] = await Promise.all([
      import('#server/storage/storage.ts'),
      import('#server/storage/open-blobs.ts'),
    ]);
    await using parts = new AsyncDisposableStack();
    const storage = parts.use(await openStorage(database));
    const open = async (folder: BlobFolder) => parts.use(await openBlobs(config, folder));
    const { sound, filledIn, damaged } = await checkAllFiles(storage, {
      assets: await open('assets'),
      images: await open('images'),
      fonts: await open('uploaded-fonts'),
      variants: await open('variants'),
    });
    const noted = filledIn > 0 ? `; the digests of ${filledIn} older ones were noted` : '';
    return [
      { name, state: 'ok', message: `${sound} are as they were stored${noted}.` },
      ...damaged.map((message): DoctorCheck => ({ name, state: 'broken', message })),
    ];
  } catch (error) {
    return [{ name, state: 'broken', message: `The files could not be checked: ${(error as Error).message}` }];
  }
}

/** Whether there is a database to check; a PostgreSQL database is assumed to exist, and otherwise reports so itself. */
const isThere = (database: string) => isPostgresUrl(database) || existsSync(database);

/** The folder itself, or its nearest existing ancestor. */
function nearestFolder(folder: string): string {
  return existsSync(folder) ? folder : nearestFolder(dirname(folder));
}

function checkFonts(fonts: FontLibrary): DoctorCheck[] {
  return [
    {
      name: 'fonts',
      state: 'ok',
      message: `${fonts.families.length} families, by these names: ${fonts.families.join(', ')}.`,
    },
    ...[...fonts.missing, ...fonts.skipped].map(
      (message): DoctorCheck => ({ name: 'fonts', state: 'limited', message }),
    ),
  ];
}

/** Starts Chromium, since only that shows whether its sandbox works. */
async function checkChromium(config: Config, fonts: FontLibrary): Promise<DoctorCheck> {
  const name = 'chromium';
  if (!config.roles.has('browser')) {
    const where = config.browserUrl === null ? 'PLATEN_BROWSER_URL names no' : `${config.browserUrl} is the`;
    const message = `Not needed: this server lacks the role "browser"; ${where} server that draws pages for it.`;
    return { name, state: config.browserUrl === null ? 'limited' : 'ok', message };
  }
  const found = findChromium(config);
  if (found === null && config.chromiumPath !== null) {
    return { name, state: 'broken', message: notRun(config.chromiumPath) };
  }
  if (found === null) {
    const message = `None found: screenshots and html templates are refused, all else works. To mend it, ${HOW_TO_GET_CHROMIUM}.`;
    return { name, state: 'limited', message };
  }
  const { Browsers, weaknessOf } = await import('#server/chromium/browsers.ts');
  try {
    await using browsers = new Browsers(config);
    const confinement = await browsers.confinement();
    const [weakness, seen] = [weaknessOf(confinement), await fontsSeen(fonts, confinement)];
    if (weakness !== null) return { name, state: 'limited', message: `${found.path}. ${weakness} ${seen}` };
    return { name, state: 'ok', message: `${found.path}, in its sandbox. ${seen}` };
  } catch (error) {
    const { message, cause } = error as Error;
    return { name, state: 'broken', message: `${found.path}: ${cause instanceof Error ? cause.message : message}` };
  }
}

/** Whether pages trust the authorities that images and webhooks do. */
function checkAuthorities({ extraAuthorities, programFolders, roles }: Config): DoctorCheck[] {
  if (extraAuthorities === null) return [];
  const isTrusted = !roles.has('browser') || findCertutil(programFolders) !== null;
  const message = isTrusted ? `${extraAuthorities} is trusted beside the usual ones.` : NO_CERTUTIL;
  return [{ name: 'authorities', state: isTrusted ? 'ok' : 'limited', message }];
}

/** Which fonts Chromium can read where they are: as root's child it is another user. */
async function fontsSeen({ folders }: FontLibrary, { user }: Confinement): Promise<string> {
  const { unreadableFolders } = await import('#server/chromium/readable-fonts.ts');
  const hidden = user === null ? [] : await unreadableFolders(folders, user);
  if (hidden.length === 0) return 'It reads all fonts where they are.';
  return `Its user may not read ${hidden.length} of ${folders.length} folders with fonts, such as ${hidden[0]}; it gets links to their files in a folder of its own.`;
}

// Compares all stored files with their recorded size and digest, and records missing digests.

interface FileCheck {
  /** Files that match what was stored. */
  sound: number;
  /** Of the sound files, those whose digest was recorded now. */
  filledIn: number;
  /** One sentence for each damaged file. */
  readonly damaged: string[];
}

/** Rows read per query. */
const BATCH = 500;

/**
 * @param blobs by kind; null where the folder does not exist
 */
export async function checkAllFiles(
  storage: Storage,
  blobs: Readonly<Record<FileKind, BlobStore | null>>,
): Promise<FileCheck> {
  const check: FileCheck = { sound: 0, filledIn: 0, damaged: [] };
  for (const kind of FILE_KINDS) {
    const store = blobs[kind];
    for (let after = '', rows: StoredFile[]; ; after = rows.at(-1)?.id ?? '') {
      rows = await storage.storedFiles.list(kind, after, BATCH);
      for (const file of rows) await checkFile(storage, kind, store, file, check);
      if (rows.length < BATCH) break;
    }
  }
  return check;
}

async function checkFile(
  storage: Storage,
  kind: FileKind,
  store: BlobStore | null,
  file: StoredFile,
  check: FileCheck,
): Promise<void> {
  try {
    const blob = store && (await new CheckedFiles(store).open(file));
    if (blob && file.digest === null) {
      await storage.storedFiles.fillIn(kind, file.id, await digestOfBlob(blob));
      check.filledIn += 1;
    }
    check.sound += 1;
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'file_damaged') throw error;
    // A file that was deleted or swept meanwhile has no row any more.
    const row = await storage.storedFiles.find(kind, file.id);
    if (row) check.damaged.push(`${kind}: ${(error.cause as Error).message}`);
  }
}
