// What the environment says of the server: the only place that reads it. The variables stand in config/variables.ts.

import { readFileSync } from 'node:fs';
import { availableParallelism, totalmem } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import type { z } from 'zod';
import { keepsSecrets, type Plan, type Role, type S3Place } from './config/forms.ts';
import { VARIABLES, type Variable, type VariableName } from './config/variables.ts';
import type { TelemetryConfig } from './open-telemetry.ts';

/** What is wrong with the environment, one line a variable; to be shown as it is. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

type Value<V> = V extends Variable<infer T> ? T : never;
/** Those that a file may hold, and that are never shown. */
type Secret =
  | 'DATABASE_URL'
  | 'AWS_ACCESS_KEY_ID'
  | 'AWS_SECRET_ACCESS_KEY'
  | 'PLATEN_KEY'
  | 'PLATEN_OIDC_CLIENT_SECRET'
  | 'OTEL_EXPORTER_OTLP_HEADERS';
type Environment = Readonly<Record<string, string | undefined>>;

/** An identity provider that people sign in by. */
export interface OidcProvider {
  readonly issuer: string;
  readonly clientId: string;
  /** Null: a public client. */
  readonly clientSecret: string | null;
  readonly name: string;
  /** Domains whose people join by themselves, and as what. */
  readonly join: ReadonlyMap<string, 'editor' | 'viewer'>;
}

/** The environment, parsed once; nothing else in the program looks at it again. */
export interface Config {
  readonly port: number;
  readonly host: string;
  /** Absolute. */
  readonly dataFolder: string;
  /** A `postgres:` URL, or SQLite's file. */
  readonly database: string;
  /** Whether no other server may work on the same database and files. */
  readonly alone: boolean;
  readonly roles: ReadonlySet<Role>;
  /** Where requests go that need a browser, if this server has none. Never ends in a slash. */
  readonly browserUrl: string | null;
  /** Where files are kept; null = in the data folder. */
  readonly s3: S3Place | null;
  /** Whether clients are sent to the bucket for stored files. */
  readonly redirects: boolean;
  /** What links to assets begin with; null = `publicUrl`. Never ends in a slash. */
  readonly assetsUrl: string | null;
  /** Where a user drops fonts: beside the catalogue, or in the data folder. */
  readonly fontFolders: readonly string[];
  /** Null: the address that the server listens on. Never ends in a slash. */
  readonly publicUrl: string | null;
  readonly plans: Readonly<Record<string, z.infer<typeof Plan>>>;
  readonly renderConcurrency: number;
  readonly renderQueue: number;
  readonly jobConcurrency: number;
  readonly batchConcurrency: number;
  /** ms; null = for ever. */
  readonly assetTtl: number | null;
  /** Bytes. */
  readonly rasterMemory: number;
  /** 0 = any number. */
  readonly previewsPerMinute: number;
  /** 0 = any number. */
  readonly requestsPerMinute: number;
  /** 0 = any number. */
  readonly requestsAtOnce: number;
  /** 0 = any number. */
  readonly badKeysPerMinute: number;
  /** ms */
  readonly drainDelay: number;
  readonly metricsPort: number | null;
  /** Bytes. */
  readonly variantCacheBytes: number;
  readonly allowPrivateNetworks: readonly string[];
  readonly allowLinkLocal: boolean;
  readonly outboundPorts: readonly number[];
  readonly chromiumPath: string | null;
  /** The folders of PATH. */
  readonly programFolders: readonly string[];
  readonly browsers: number;
  readonly pageQueue: number;
  /** Who owns the studio from the first start on; null = whoever uses the printed link. */
  readonly owner: { readonly email: string; readonly passwordFile: string } | null;
  /** Who vouches for people; null = nobody. */
  readonly oidc: OidcProvider | null;
  /** Of `platen mcp`. */
  readonly apiKey: string | null;
  /** Null: no spans are sent. */
  readonly telemetry: TelemetryConfig | null;
  readonly logLevel: Value<(typeof VARIABLES)['LOG_LEVEL']>;
}

/** What is kept between renders by default, MiB: a sixteenth of the machine's memory, or of what a container may have. */
function keptMegabytes(): number {
  // 0 or more than there is: no limit.
  const limit = process.constrainedMemory() || totalmem();
  return Math.min(128, Math.floor(Math.min(limit, totalmem()) / 16 / 2 ** 20));
}

/** @throws ConfigError naming every variable that does not fit its form */
export function loadConfig(env: Environment = process.env): Config {
  const problems: string[] = [];

  function read<N extends VariableName>(name: N): Value<(typeof VARIABLES)[N]> {
    const text = env[name]?.trim() || VARIABLES[name].fallback;
    return text === null ? (null as Value<(typeof VARIABLES)[N]>) : parseValue(name, text);
  }

  function parseValue<N extends VariableName>(name: N, text: string): Value<(typeof VARIABLES)[N]> {
    const result = VARIABLES[name].schema.safeParse(text);
    if (!result.success) problems.push(`${name}: ${result.error.issues.map((issue) => issue.message).join('; ')}`);
    return result.data as Value<(typeof VARIABLES)[N]>;
  }

  /** The variable itself, or what the file holds that the other one names. */
  function readSecret<N extends Secret>(name: N, file: `${N}_FILE`): Value<(typeof VARIABLES)[N]> {
    const path = read(file);
    if (path === null) return read(name);
    if (env[name]?.trim()) problems.push(`${file}: is set beside ${name}; leave one of them unset`);
    try {
      return parseValue(name, readFileSync(path, 'utf8').trim());
    } catch (error) {
      problems.push(`${file}: ${(error as Error).message}`);
      return null as Value<(typeof VARIABLES)[N]>;
    }
  }

  function readS3(): S3Place | null {
    const place = read('ASSETS_URL');
    const accessKeyId = readSecret('AWS_ACCESS_KEY_ID', 'AWS_ACCESS_KEY_ID_FILE');
    const secretAccessKey = readSecret('AWS_SECRET_ACCESS_KEY', 'AWS_SECRET_ACCESS_KEY_FILE');
    if (place === null) return null;
    if (accessKeyId !== null && secretAccessKey !== null) return { ...place, accessKeyId, secretAccessKey };
    problems.push('ASSETS_URL: needs AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or their _FILEs');
    return null;
  }

  function readTelemetry(): TelemetryConfig | null {
    const endpoint = read('OTEL_EXPORTER_OTLP_ENDPOINT');
    const url = read('OTEL_EXPORTER_OTLP_TRACES_ENDPOINT') ?? (endpoint && `${endpoint}/v1/traces`);
    const [protocol, serviceName] = [read('OTEL_EXPORTER_OTLP_PROTOCOL'), read('OTEL_SERVICE_NAME')];
    const [sampler, ratio] = [read('OTEL_TRACES_SAMPLER'), read('OTEL_TRACES_SAMPLER_ARG')];
    const headers = readSecret('OTEL_EXPORTER_OTLP_HEADERS', 'OTEL_EXPORTER_OTLP_HEADERS_FILE') ?? {};
    if (url === null || read('OTEL_SDK_DISABLED')) return null;
    return { url, protocol, headers, serviceName, sampler, ratio };
  }

  function readOidc(): OidcProvider | null {
    const issuer = read('PLATEN_OIDC_ISSUER');
    const clientId = read('PLATEN_OIDC_CLIENT_ID');
    const clientSecret = readSecret('PLATEN_OIDC_CLIENT_SECRET', 'PLATEN_OIDC_CLIENT_SECRET_FILE');
    const join = read('PLATEN_OIDC_JOIN') ?? new Map();
    if (!issuer || !clientId) {
      if ((issuer === null) !== (clientId === null))
        problems.push('PLATEN_OIDC_ISSUER and PLATEN_OIDC_CLIENT_ID: one needs the other');
      return null;
    }
    if (!keepsSecrets(read('PLATEN_PUBLIC_URL') ?? 'http://localhost')) {
      problems.push('PLATEN_OIDC_ISSUER: needs a PLATEN_PUBLIC_URL of https');
    }
    return { issuer, clientId, clientSecret, name: read('PLATEN_OIDC_NAME') ?? new URL(issuer).host, join };
  }

  const databaseUrl = readSecret('DATABASE_URL', 'DATABASE_URL_FILE');
  const sharedFiles = read('PLATEN_SHARED_FILES');
  if (sharedFiles && databaseUrl === null) {
    problems.push('PLATEN_SHARED_FILES: needs DATABASE_URL; SQLite works for one server alone');
  }
  const s3 = readS3();
  const redirects = read('ASSETS_DELIVERY') === 'redirect';
  if (redirects && s3 === null && !env.ASSETS_URL?.trim()) {
    problems.push('ASSETS_DELIVERY: redirect needs ASSETS_URL; files of this machine have no other address');
  }
  const alone = databaseUrl === null || !(sharedFiles || s3 !== null);
  const roles = read('PLATEN_ROLES');
  if (alone && roles && !(roles.has('api') && roles.has('worker'))) {
    problems.push(
      'PLATEN_ROLES: a server that works alone needs api and worker; several need DATABASE_URL and ASSETS_URL',
    );
  }
  const ownerOf = (email: string | null, passwordFile: string | null) => {
    if (email !== null && passwordFile !== null) return { email, passwordFile };
    if (email !== passwordFile) problems.push('PLATEN_OWNER_EMAIL and PLATEN_OWNER_PASSWORD_FILE: one needs the other');
    return null;
  };
  const dataFolder = resolve(read('PLATEN_DATA') ?? '');
  const assetTtlDays = read('PLATEN_ASSET_TTL_DAYS');
  const config: Config = {
    port: read('PORT'),
    host: read('HOST'),
    dataFolder,
    alone,
    roles,
    browserUrl: read('PLATEN_BROWSER_URL'),
    s3,
    redirects,
    assetsUrl: read('ASSETS_PUBLIC_URL'),
    database: databaseUrl ?? join(dataFolder, 'platen.sqlite'),
    fontFolders: [join(import.meta.dirname, '../fonts'), join(dataFolder, 'fonts')],
    publicUrl: read('PLATEN_PUBLIC_URL'),
    plans: read('PLATEN_PLANS'),
    renderConcurrency: read('PLATEN_RENDER_CONCURRENCY') ?? availableParallelism(),
    renderQueue: read('PLATEN_RENDER_QUEUE'),
    jobConcurrency: read('PLATEN_JOB_CONCURRENCY'),
    batchConcurrency: read('PLATEN_BATCH_CONCURRENCY'),
    assetTtl: assetTtlDays === null ? null : assetTtlDays * 24 * 60 * 60 * 1000,
    rasterMemory: (read('PLATEN_CACHE_MB') ?? keptMegabytes()) * 2 ** 20,
    previewsPerMinute: read('PLATEN_PREVIEWS_PER_MINUTE'),
    requestsPerMinute: read('PLATEN_REQUESTS_PER_MINUTE'),
    requestsAtOnce: read('PLATEN_REQUESTS_AT_ONCE'),
    badKeysPerMinute: read('PLATEN_BAD_KEYS_PER_MINUTE'),
    drainDelay: read('PLATEN_DRAIN_DELAY'),
    metricsPort: read('PLATEN_METRICS_PORT'),
    variantCacheBytes: read('PLATEN_VARIANT_CACHE_MB') * 2 ** 20,
    allowPrivateNetworks: read('PLATEN_ALLOW_PRIVATE_NETWORKS') ?? [],
    allowLinkLocal: read('PLATEN_ALLOW_LINK_LOCAL'),
    outboundPorts: read('PLATEN_OUTBOUND_PORTS'),
    chromiumPath: read('CHROMIUM_PATH'),
    programFolders: (env.PATH ?? '').split(delimiter).filter((folder) => folder !== ''),
    browsers: read('PLATEN_BROWSERS') ?? Math.min(4, availableParallelism()),
    pageQueue: read('PLATEN_PAGE_QUEUE'),
    owner: ownerOf(read('PLATEN_OWNER_EMAIL'), read('PLATEN_OWNER_PASSWORD_FILE')),
    oidc: readOidc(),
    apiKey: readSecret('PLATEN_KEY', 'PLATEN_KEY_FILE'),
    telemetry: readTelemetry(),
    logLevel: read('LOG_LEVEL'),
  };
  if (problems.length > 0) throw new ConfigError(problems.join('\n'));
  return config;
}

/** The configuration that these variables would make, over what the environment says. @throws ConfigError as `loadConfig` */
export function configWith(variables: Environment): Config {
  return loadConfig({ ...process.env, ...variables });
}

/** The address that links begin with, when the server listens on `port`. */
export function publicAddress({ publicUrl, host }: Config, port: number): string {
  if (publicUrl !== null) return publicUrl;
  // An address to listen on is not always one to connect to.
  const name = host === '0.0.0.0' || host === '::' ? 'localhost' : host;
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}`;
}

export interface VariableReport {
  readonly name: VariableName;
  readonly default: string | null;
  readonly about: string;
  /** What the environment says, without passwords, or null. */
  readonly set: string | null;
}

const SECRETS: readonly string[] = [
  'AWS_SECRET_ACCESS_KEY',
  'PLATEN_KEY',
  'PLATEN_OIDC_CLIENT_SECRET',
  'OTEL_EXPORTER_OTLP_HEADERS',
];

/** A value without what is secret in it: an address may hold a password. */
function shown(name: string, text: string): string {
  return SECRETS.includes(name) ? text && '…' : text.replace(/\/\/[^/@]*@/, '//…@');
}

/** Each variable with what the environment says about it. */
export function reportVariables(env: Environment = process.env): VariableReport[] {
  return Object.entries(VARIABLES).map(([name, { fallback, about }]) => ({
    name: name as VariableName,
    default: fallback,
    about,
    set: shown(name, env[name]?.trim() ?? '') || null,
  }));
}

/** Names that look like ours and are none: most likely typing errors. */
export function unknownVariables(env: Environment = process.env): string[] {
  return Object.keys(env).filter((name) => name.startsWith('PLATEN_') && !Object.hasOwn(VARIABLES, name));
}

/** The table of docs/configuration.md, in Markdown. */
export function variablesTable(): string {
  const rows = reportVariables({}).map(
    ({ name, default: fallback, about }) =>
      `| \`${name}\` | ${fallback === null ? '' : `\`${fallback}\``} | ${about} |`,
  );
  return ['| Variable | Default | Meaning |', '|---|---|---|', ...rows, ''].join('\n');
}

/**
 * Gives libuv 16 threads instead of 4, unless the environment says otherwise: SQLite, files, zlib and sharp
 * share them, and four slow ones would stall all others. Only has an effect before the first of them is used.
 */
export function widenThreadPool(): void {
  process.env.UV_THREADPOOL_SIZE ??= '16';
}

/**
 * Has old objects collected once they are half as many again as those that were needed: left alone, V8 lets them become
 * twice as many and more, 55 MB under load. Threads that are started from now on have a young generation of 8 MB,
 * whatever the main thread has. The flags are V8's own; another version that lacks one says so, and goes on.
 */
export function boundHeaps(): void {
  setFlagsFromString('--heap-growing-percent=50');
  setFlagsFromString('--max-semi-space-size=8');
}
