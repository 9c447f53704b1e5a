// Reads the server's configuration from the environment, which no other module reads. The variables are listed in
// server/config/variables.ts.

import { existsSync, readFileSync } from 'node:fs';
import { availableParallelism, totalmem } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import type { z } from 'zod';
import { nearestName } from '#core/nearest-name.ts';
import type { TelemetryConfig } from '#server/observability/open-telemetry.ts';
import type { S3KeySource } from '#server/storage/s3/s3-credentials.ts';
import { keepsSecrets, type Plan, type S3Bucket, type ServerRole } from './forms.ts';
import { VARIABLES, type Variable, type VariableName } from './variables.ts';

/** The errors of the environment, one line per variable, ready to be shown. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

type Value<V> = V extends Variable<infer T> ? T : never;
/** Secrets, which may also be read from a file. */
type Secret =
  | 'DATABASE_URL'
  | 'AWS_ACCESS_KEY_ID'
  | 'AWS_SECRET_ACCESS_KEY'
  | 'AWS_SESSION_TOKEN'
  | 'PLATEN_OUTBOUND_PROXY'
  | 'PLATEN_KEY'
  | 'PLATEN_OIDC_CLIENT_SECRET'
  | 'OTEL_EXPORTER_OTLP_HEADERS';
export type Environment = Readonly<Record<string, string | undefined>>;

/** An identity provider through which people sign in. */
export interface OidcProvider {
  readonly issuer: string;
  readonly clientId: string;
  /** Null: a public client. */
  readonly clientSecret: string | null;
  readonly name: string;
  /** Domains whose people join without an invitation, with their role. */
  readonly join: ReadonlyMap<string, 'editor' | 'viewer'>;
}

/** Where the files are, and where the keys to them come from. */
type S3Place = S3Bucket & { readonly keys: S3KeySource };

/** The environment, parsed once; no other code reads it. */
export interface Config {
  readonly port: number;
  readonly host: string;
  /** Absolute path. */
  readonly dataFolder: string;
  /** A `postgres:` URL, or the path of the SQLite file. */
  readonly database: string;
  /** Whether this must be the only server on its database and files. */
  readonly alone: boolean;
  readonly roles: ReadonlySet<ServerRole>;
  /** Where requests that need a browser are forwarded, if this server has none. Without a trailing slash. */
  readonly browserUrl: string | null;
  /** Where files are stored; null = in the data folder. */
  readonly s3: S3Place | null;
  /** Whether clients are redirected to the bucket for stored files. */
  readonly redirects: boolean;
  /** The URL with which links to assets begin; null = `publicUrl`. Without a trailing slash. */
  readonly assetsUrl: string | null;
  /** Folders for a user's own fonts: beside the catalogue, or in the data folder. */
  readonly fontFolders: readonly string[];
  /** URL of the registry from which the studio may fetch fonts; null = it fetches none. Without a trailing slash. */
  readonly fontRegistry: string | null;
  /** Null: the address that the server listens on. Without a trailing slash. */
  readonly publicUrl: string | null;
  readonly plans: Readonly<Record<string, z.infer<typeof Plan>>>;
  readonly renderConcurrency: number;
  readonly renderQueue: number;
  readonly jobConcurrency: number;
  readonly batchConcurrency: number;
  /** ms; null = for ever. */
  readonly assetTtl: number | null;
  /** How long the audit log is kept, ms. */
  readonly auditTtl: number;
  /** Bytes. */
  readonly rasterMemory: number;
  /** Bytes. */
  readonly fontMemory: number;
  /** 0 = unlimited. */
  readonly previewsPerMinute: number;
  /** 0 = unlimited. */
  readonly previewsAtOnce: number;
  /** 0 = unlimited. */
  readonly requestsPerMinute: number;
  /** 0 = unlimited. */
  readonly requestsAtOnce: number;
  /** 0 = unlimited. */
  readonly badKeysPerMinute: number;
  /** Maximum open connections per client address; 0 = unlimited. */
  readonly connectionsPerAddress: number;
  /** Bytes. */
  readonly bodyMemory: number;
  /** Bytes. */
  readonly answerMemory: number;
  /** ms */
  readonly drainDelay: number;
  readonly metricsPort: number | null;
  /** Bytes. */
  readonly variantCacheBytes: number;
  readonly allowPrivateNetworks: readonly string[];
  readonly allowLinkLocal: boolean;
  readonly outboundPorts: readonly number[];
  /** Null: public hosts are reached directly. */
  readonly outboundProxy: { readonly url: URL; readonly names: 'here' | 'proxy' } | null;
  /** The file of a company's own authorities, which Node trusts beside the usual ones; null = none. */
  readonly extraAuthorities: string | null;
  readonly chromiumPath: string | null;
  /** The folders in PATH. */
  readonly programFolders: readonly string[];
  readonly browsers: number;
  readonly pageQueue: number;
  /** Whether the routes in Gotenberg's shape are served. */
  readonly gotenberg: boolean;
  /** The studio's owner from the first start on; null = the person who uses the printed link. */
  readonly owner: { readonly email: string; readonly passwordFile: string } | null;
  /** The identity provider; null = none. */
  readonly oidc: OidcProvider | null;
  /** For `platen mcp`. */
  readonly apiKey: string | null;
  /** Null: no spans are sent. */
  readonly telemetry: TelemetryConfig | null;
  readonly logLevel: Value<(typeof VARIABLES)['LOG_LEVEL']>;
}

/**
 * Default size of the cache between renders, MiB: a sixteenth of the memory of the machine or container, at most 128.
 */
function keptMegabytes(): number {
  // 0, or more than the machine's memory, means no limit.
  const limit = process.constrainedMemory() || totalmem();
  return Math.min(128, Math.floor(Math.min(limit, totalmem()) / 16 / 2 ** 20));
}

/**
 * @throws ConfigError naming every variable with an invalid value
 */
export function loadConfig(env: Environment = process.env): Config {
  const problems: string[] = [];

  function read<N extends VariableName>(name: N): Value<(typeof VARIABLES)[N]> {
    const text = valueIn(env, name) || VARIABLES[name].fallback;
    return text === null ? (null as Value<(typeof VARIABLES)[N]>) : parseValue(name, text);
  }

  function parseValue<N extends VariableName>(name: N, text: string): Value<(typeof VARIABLES)[N]> {
    const result = VARIABLES[name].schema.safeParse(text);
    if (!result.success) problems.push(`${name}: ${result.error.issues.map((issue) => issue.message).join('; ')}`);
    return result.data as Value<(typeof VARIABLES)[N]>;
  }

  /** Reads the variable itself, or the file that its `_FILE` variant names. */
  function readSecret<N extends Secret>(name: N, file: `${N}_FILE`): Value<(typeof VARIABLES)[N]> {
    const path = read(file);
    if (path === null) return read(name);
    if (valueIn(env, name)) problems.push(`${file}: is set beside ${name}; leave one of them unset`);
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
    const sessionToken = readSecret('AWS_SESSION_TOKEN', 'AWS_SESSION_TOKEN_FILE');
    const role = readRole(place);
    if (!place) return null;
    // As AWS's own tools do: keys of the environment first, unless the address names a role.
    const isKeyed = accessKeyId !== null && secretAccessKey !== null && !place.role;
    if (isKeyed) return { ...place, keys: { kind: 'keys', accessKeyId, secretAccessKey, sessionToken } };
    if (role !== null) return { ...place, keys: role };
    problems.push(
      'ASSETS_URL: needs AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or their _FILEs, or credentials=aws or credentials=google in it for the role of the machine',
    );
    return null;
  }

  /** The role of a cloud in which the bucket is used, by the addresses that its documentation names. */
  function readRole(place: S3Bucket | null): S3KeySource | null {
    const [arn, identityFile] = [read('AWS_ROLE_ARN'), read('AWS_WEB_IDENTITY_TOKEN_FILE')];
    const [path, address] = [
      read('AWS_CONTAINER_CREDENTIALS_RELATIVE_URI'),
      read('AWS_CONTAINER_CREDENTIALS_FULL_URI'),
    ];
    const token = read('AWS_CONTAINER_AUTHORIZATION_TOKEN');
    const tokenFile = read('AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE');
    if (!place) return null;
    if (place.role === 'google') return { kind: 'google', endpoint: 'http://metadata.google.internal' };
    if (place.role === 'aws') return { kind: 'aws', endpoint: 'http://169.254.169.254' };
    if (arn !== null && identityFile !== null) {
      const domain = place.region.startsWith('cn-') ? 'amazonaws.com.cn' : 'amazonaws.com';
      const endpoint = `https://sts.${place.region}.${domain}/`;
      return { kind: 'web-identity', endpoint, role: arn, tokenFile: identityFile };
    }
    const endpoint = path === null ? address : `http://169.254.170.2${path}`;
    return endpoint === null ? null : { kind: 'container', endpoint, token, tokenFile };
  }

  function readProxy(): Config['outboundProxy'] {
    const url = readSecret('PLATEN_OUTBOUND_PROXY', 'PLATEN_OUTBOUND_PROXY_FILE');
    const names = read('PLATEN_OUTBOUND_PROXY_NAMES');
    return url ? { url, names } : null;
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
  if (redirects && s3?.role === 'google') {
    problems.push(
      'ASSETS_DELIVERY: redirect needs keys that sign, which credentials=google of ASSETS_URL does not give',
    );
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
    fontFolders: [join(import.meta.dirname, '../../../fonts'), join(dataFolder, 'fonts')],
    fontRegistry: read('PLATEN_FONT_REGISTRY'),
    publicUrl: read('PLATEN_PUBLIC_URL'),
    plans: read('PLATEN_PLANS'),
    renderConcurrency: read('PLATEN_RENDER_CONCURRENCY') ?? availableParallelism(),
    renderQueue: read('PLATEN_RENDER_QUEUE'),
    jobConcurrency: read('PLATEN_JOB_CONCURRENCY'),
    batchConcurrency: read('PLATEN_BATCH_CONCURRENCY'),
    assetTtl: assetTtlDays === null ? null : assetTtlDays * 24 * 60 * 60 * 1000,
    auditTtl: read('PLATEN_AUDIT_DAYS') * 24 * 60 * 60 * 1000,
    rasterMemory: (read('PLATEN_CACHE_MB') ?? keptMegabytes()) * 2 ** 20,
    fontMemory: read('PLATEN_FONT_MEMORY_MB') * 2 ** 20,
    previewsPerMinute: read('PLATEN_PREVIEWS_PER_MINUTE'),
    previewsAtOnce: read('PLATEN_PREVIEWS_AT_ONCE'),
    requestsPerMinute: read('PLATEN_REQUESTS_PER_MINUTE'),
    requestsAtOnce: read('PLATEN_REQUESTS_AT_ONCE'),
    badKeysPerMinute: read('PLATEN_BAD_KEYS_PER_MINUTE'),
    connectionsPerAddress: read('PLATEN_CONNECTIONS_PER_ADDRESS'),
    bodyMemory: read('PLATEN_BODY_MEMORY_MB') * 2 ** 20,
    answerMemory: read('PLATEN_ANSWER_MEMORY_MB') * 2 ** 20,
    drainDelay: read('PLATEN_DRAIN_DELAY'),
    metricsPort: read('PLATEN_METRICS_PORT'),
    variantCacheBytes: read('PLATEN_VARIANT_CACHE_MB') * 2 ** 20,
    allowPrivateNetworks: read('PLATEN_ALLOW_PRIVATE_NETWORKS') ?? [],
    allowLinkLocal: read('PLATEN_ALLOW_LINK_LOCAL'),
    outboundPorts: read('PLATEN_OUTBOUND_PORTS'),
    outboundProxy: readProxy(),
    extraAuthorities: env.NODE_EXTRA_CA_CERTS?.trim() || null,
    chromiumPath: read('CHROMIUM_PATH'),
    programFolders: (env.PATH ?? '').split(delimiter).filter((folder) => folder !== ''),
    browsers: read('PLATEN_BROWSERS') ?? Math.min(4, availableParallelism()),
    pageQueue: read('PLATEN_PAGE_QUEUE'),
    gotenberg: read('PLATEN_GOTENBERG'),
    owner: ownerOf(read('PLATEN_OWNER_EMAIL'), read('PLATEN_OWNER_PASSWORD_FILE')),
    oidc: readOidc(),
    apiKey: readSecret('PLATEN_KEY', 'PLATEN_KEY_FILE'),
    telemetry: readTelemetry(),
    logLevel: read('LOG_LEVEL'),
  };
  if (problems.length > 0) throw new ConfigError(problems.join('\n'));
  return config;
}

/** What rendering a file depends on. */
const OF_RENDERING: readonly string[] = [
  'CHROMIUM_PATH',
  'NODE_EXTRA_CA_CERTS',
  'PATH',
  ...['PLATEN_ALLOW_LINK_LOCAL', 'PLATEN_ALLOW_PRIVATE_NETWORKS', 'PLATEN_DATA', 'PLATEN_OUTBOUND_PORTS'],
  ...['PLATEN_OUTBOUND_PROXY', 'PLATEN_OUTBOUND_PROXY_FILE', 'PLATEN_OUTBOUND_PROXY_NAMES'],
];

/**
 * The configuration of commands that render files: of the environment only what they depend on, so that no variable of
 * another program stops them (`DATABASE_URL`, `PORT`, `LOG_LEVEL`).
 */
export function loadRenderConfig(env: Environment = process.env): Config {
  return loadConfig(Object.fromEntries(OF_RENDERING.map((name) => [name, env[name]])));
}

/** The configuration of the environment with these variables replaced. @throws ConfigError as `loadConfig` */
export function configWith(variables: Environment): Config {
  return loadConfig({ ...process.env, ...variables });
}

/** The URL with which links begin, when the server listens on `port`. */
export function publicAddress({ publicUrl, host }: Config, port: number): string {
  if (publicUrl !== null) return publicUrl;
  // A listening address is not always one to connect to.
  const name = host === '0.0.0.0' || host === '::' ? 'localhost' : host;
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}`;
}

export interface VariableReport {
  readonly name: VariableName;
  readonly default: string | null;
  readonly about: string;
  /** The value in the environment, without passwords, or null. */
  readonly set: string | null;
}

const SECRETS: readonly string[] = [
  'AWS_SECRET_ACCESS_KEY',
  'AWS_SESSION_TOKEN',
  'AWS_CONTAINER_AUTHORIZATION_TOKEN',
  'PLATEN_KEY',
  'PLATEN_OIDC_CLIENT_SECRET',
  'OTEL_EXPORTER_OTLP_HEADERS',
];

/** Masks the secrets in a value: a URL may contain a password. */
function shown(name: string, text: string): string {
  return SECRETS.includes(name) ? text && '…' : text.replace(/\/\/[^/@]*@/, '//…@');
}

/** Each variable with its value in the environment. */
export function reportVariables(env: Environment = process.env): VariableReport[] {
  return Object.entries(VARIABLES).map(([name, { fallback, about }]) => ({
    name: name as VariableName,
    default: fallback,
    about,
    set: shown(name, valueIn(env, name)) || null,
  }));
}

/** What clients and the examples of the documentation are given, as in the shell that starts the server. */
const OF_CLIENTS = ['PLATEN_URL', 'PLATEN_TEMPLATE', 'PLATEN_SIGNING_SECRET', 'PLATEN_WEBHOOK_SECRET'];

/**
 * Whether Kubernetes has set a variable: it tells each container where the services of its namespace are, under their
 * names. A service named platen-metrics gives PLATEN_METRICS_PORT=tcp://10.0.0.1:9464.
 */
const isOfKubernetes = (name: string, value = '') =>
  /^PLATEN_(\w+_)?(SERVICE_(HOST|PORT)|PORT_\d+_(TCP|UDP|SCTP))(_|$)/.test(name) ||
  (/^PLATEN_(\w+_)?PORT$/.test(name) && /^(tcp|udp|sctp):\/\//.test(value));

/** The value of a variable that somebody has set, or ''. */
function valueIn(env: Environment, name: string): string {
  const text = env[name]?.trim() ?? '';
  return isOfKubernetes(name, text) ? '' : text;
}

/** A sentence for each unknown name with our prefix, which is most likely a typing error. */
export function unknownVariables(env: Environment = process.env): string[] {
  const names = Object.keys(env).filter(
    (name) =>
      name.startsWith('PLATEN_') &&
      !Object.hasOwn(VARIABLES, name) &&
      !OF_CLIENTS.includes(name) &&
      !isOfKubernetes(name, env[name]),
  );
  const proxy = ['HTTPS_PROXY', 'https_proxy', 'HTTP_PROXY', 'http_proxy'].find((name) => env[name]?.trim());
  const unread =
    proxy === undefined || env.PLATEN_OUTBOUND_PROXY || env.PLATEN_OUTBOUND_PROXY_FILE
      ? []
      : [
          `${proxy} is set, which Platen does not read; should images, pages and webhooks go through that proxy, set PLATEN_OUTBOUND_PROXY.`,
        ];
  const unknown = names.map((name) => {
    // PORT and DATABASE_URL have no prefix.
    const bare = name.slice('PLATEN_'.length);
    const meant = Object.hasOwn(VARIABLES, bare) ? bare : nearestName(name, Object.keys(VARIABLES));
    const guess = meant === null ? 'docs/configuration.md lists those that there are' : `did you mean ${meant}?`;
    return `${name} is set, but there is no such variable; ${guess}${meant === null ? '.' : ''}`;
  });
  return [...unknown, ...unread];
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
 * Gives libuv 16 threads instead of 4, unless the environment says otherwise: SQLite, files, zlib and sharp share them,
 * and four slow tasks would stall all others. Must be called before the pool is first used.
 */
export function widenThreadPool(): void {
  process.env.UV_THREADPOOL_SIZE ??= '16';
}

/** Open files of a server without browsers; and of one page: its browser's pipes, and 64 connections on each side. */
const FILES_OF_SERVER = 256;
const FILES_OF_PAGE = 128;

/** A sentence when the system lets this process open too few files and connections; else null. Linux. */
export function tooFewFiles({ roles, browsers }: Config): string | null {
  // Two browsers more than PLATEN_BROWSERS may run. Node has raised the soft limit to the hard one.
  const needed = FILES_OF_SERVER + (roles.has('browser') ? (browsers + 2) * FILES_OF_PAGE : 0);
  const limits = existsSync('/proc/self/limits') ? readFileSync('/proc/self/limits', 'latin1') : '';
  const limit = Number(/^Max open files +(\d+)/m.exec(limits)?.[1] ?? Number.POSITIVE_INFINITY);
  if (limit >= needed) return null;
  return `Only ${limit} files and connections may be open at a time, where ${needed} may be needed: pages, images and requests can fail or hang. Raise the limit: "ulimit -n ${needed}", LimitNOFILE= of systemd, or --ulimit nofile=${needed} of Docker.`;
}

/**
 * Makes V8 collect the old generation once it has grown by half since the last collection. By default V8 lets it grow
 * to twice the size and more, 55 MB under load. Threads started from now on have the young generation that their
 * `resourceLimits` give, which the main thread's flag would overrule. Both are flags of V8; a version without them prints
 * a message and continues.
 */
export function boundHeaps(): void {
  setFlagsFromString('--heap-growing-percent=50');
  setFlagsFromString('--max-semi-space-size=0');
}
