// The environment variables that Platen knows, and the only place that reads them.
//
// One table says each variable's name, default, form and meaning; docs/configuration.md and `platen doctor` print that table.

import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { availableParallelism, totalmem } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { z } from 'zod';
import { SAMPLERS, type TelemetryConfig } from './open-telemetry.ts';

/** What is wrong with the environment, one line a variable; to be shown as it is. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

interface Variable<T> {
  /** What holds when the variable is absent or empty; null = nothing. */
  readonly fallback: string | null;
  readonly schema: z.ZodType<T, string>;
  /** One sentence for docs/configuration.md and `platen doctor`. */
  readonly about: string;
}

const variable = <T>(fallback: string, schema: z.ZodType<T, string>, about: string): Variable<T> => ({
  fallback,
  schema,
  about,
});
const optional = <T>(schema: z.ZodType<T, string>, about: string): Variable<T | null> => ({
  fallback: null,
  schema,
  about,
});

const wholeNumber = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d{1,9}$/, 'must be a whole number')
    .transform(Number)
    .refine((value) => value >= min && value <= max, `must be between ${min} and ${max}`);

/** Seconds, or with a unit: `2`, `0.5`, `500ms`. → ms */
const Moment = z
  .string()
  .regex(/^\d{1,6}(\.\d{1,3})?\s*(s|ms)?$/, 'must be a number of seconds, such as 2 or 500ms')
  .transform((text) => Number.parseFloat(text) * (text.endsWith('ms') ? 1 : 1_000))
  .refine((ms) => ms <= 300_000, 'must be at most 300 s');

const Switch = z
  .enum(['0', '1', 'false', 'true', 'no', 'yes'], 'must be true or false')
  .transform((text) => ['1', 'true', 'yes'].includes(text));

/** The address that links to assets begin with: no query, no trailing slash. */
const PublicUrl = z.string().transform((text, context) => {
  const url = /^https?:\/\/[^?#@]+$/i.test(text) ? URL.parse(text) : null;
  if (url) return url.href.replace(/\/+$/, '');
  context.addIssue('must be an http: or https: address without a query, such as https://images.example.com');
  return z.NEVER;
});

const Cidrs = z.string().transform((text, context) => {
  const list = text.split(',').map((part) => part.trim());
  for (const entry of list) {
    const [address = '', bits = '', ...rest] = entry.split('/');
    const width = isIP(address) === 4 ? 32 : 128;
    if (isIP(address) === 0 || !/^\d{1,3}$/.test(bits) || Number(bits) > width || rest.length > 0) {
      context.addIssue(`${JSON.stringify(entry)} is not a CIDR such as 10.0.0.0/8 or fd00::/8`);
    }
  }
  return list;
});

const Ports = z
  .string()
  .regex(/^\d{1,5}(\s*,\s*\d{1,5})*$/, 'must be port numbers, separated by commas')
  .transform((text) => text.split(',').map(Number))
  .refine((ports) => ports.every((port) => port >= 1 && port <= 65_535), 'must be between 1 and 65535');

const Plan = z.strictObject({ quota: z.int().min(0), blocks: z.boolean() });

const Plans = z.string().transform((text, context) => {
  try {
    return z.record(z.string().regex(/^[a-z0-9-]{1,40}$/), Plan).parse(JSON.parse(text));
  } catch {
    context.addIssue('must be JSON such as {"free":{"quota":100,"blocks":true}}');
    return z.NEVER;
  }
});

const PostgresUrl = z.string().transform((text, context) => {
  const url = /^postgres(ql)?:\/\//i.test(text) ? URL.parse(text) : null;
  if (url && url.pathname.length > 1) return text;
  context.addIssue('must be an address such as postgres://user:password@host:5432/name');
  return z.NEVER;
});

/** As baggage is written (W3C): percent-encoded values. */
const OtlpHeaders = z.string().transform((text, context): Readonly<Record<string, string>> => {
  const pairs = text
    .split(',')
    .map((pair) => /^\s*([!#$%&'*+.^_`|~0-9A-Za-z-]+)\s*=\s*([\x21-\x7e ]*?)\s*$/.exec(pair));
  try {
    if (!pairs.includes(null))
      return Object.fromEntries(pairs.map((pair) => [pair?.[1], decodeURIComponent(pair?.[2] ?? '')]));
  } catch {
    // A percent sign that begins no escape.
  }
  context.addIssue('must be pairs such as x-api-key=abc,x-team=images, their values percent-encoded');
  return z.NEVER;
});

const Ratio = z
  .string()
  .regex(/^(0|1|0?\.\d{1,9}|1\.0{1,9})$/, 'must be a number between 0 and 1')
  .transform(Number);

/** What a server does of all that servers do. */
export const ROLES = ['api', 'worker', 'browser'] as const;
export type Role = (typeof ROLES)[number];

const Roles = z.string().transform((text, context): ReadonlySet<Role> => {
  const named = text.split(',').map((part) => part.trim());
  const wrong = named.find((name) => !ROLES.includes(name as Role));
  if (wrong === undefined) return new Set(named as Role[]);
  context.addIssue(`${JSON.stringify(wrong)} is no role: list some of ${ROLES.join(', ')}, separated by commas`);
  return z.NEVER;
});

/** A bucket, and what is before the names in it. */
export interface S3Place {
  readonly endpoint: string;
  readonly region: string;
  readonly bucket: string;
  /** Without slashes at its ends. */
  readonly prefix: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

const S3Url = z.string().transform((text, context): Omit<S3Place, 'accessKeyId' | 'secretAccessKey'> => {
  const url = /^s3:\/\//i.test(text) ? URL.parse(text) : null;
  const region = url?.searchParams.get('region') ?? 'us-east-1';
  const endpoint = url?.searchParams.get('endpoint') ?? `https://s3.${region}.amazonaws.com`;
  const isPlain =
    url?.username === '' && /^[a-z0-9][a-z0-9.-]{1,62}$/.test(url.hostname) && /^[a-z0-9-]+$/.test(region);
  const prefix = url?.pathname.replace(/^\/+|\/+$/g, '') ?? '';
  if (
    url &&
    isPlain &&
    /^[A-Za-z0-9/_.-]*$/.test(prefix) &&
    /^https?:\/\/[^?#@]+$/.test(endpoint) &&
    URL.canParse(endpoint)
  ) {
    return { endpoint: endpoint.replace(/\/+$/, ''), region, bucket: url.hostname, prefix };
  }
  context.addIssue('must be an address such as s3://bucket/prefix?endpoint=https://host:9000&region=eu-central-1');
  return z.NEVER;
});

/** `example.com=editor, example.org=viewer`. */
const Domains = z.string().transform((text, context) => {
  const domains = new Map<string, 'editor' | 'viewer'>();
  for (const entry of text.split(',')) {
    const [, domain, role] = /^\s*([a-z0-9-]+(?:\.[a-z0-9-]+)+)\s*=\s*(editor|viewer)\s*$/i.exec(entry) ?? [];
    if (domain && role) domains.set(domain.toLowerCase(), role.toLowerCase() as 'editor' | 'viewer');
    else context.addIssue(`${JSON.stringify(entry.trim())} is not a domain and a role such as example.com=viewer`);
  }
  return domains;
});

const ON_THIS_MACHINE = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;
/** https, or http to this machine. */
const keepsSecrets = (address: string) => {
  const url = URL.parse(address);
  return url?.protocol === 'https:' || ON_THIS_MACHINE.test(url?.hostname ?? '');
};

const IssuerUrl = z
  .string()
  .refine(
    (text) => /^https?:\/\/[^?#@]+$/i.test(text) && keepsSecrets(text),
    'must be an https: address without a query, such as https://id.example.com',
  );

export const VARIABLES = {
  PORT: variable('3000', wholeNumber(0, 65_535), 'The TCP port to listen on; 0 takes any free one.'),
  HOST: variable('127.0.0.1', z.string(), 'The address to listen on; 0.0.0.0 opens the server to the network.'),
  PLATEN_DATA: variable('./data', z.string(), 'The folder that holds the database, the assets and the uploads.'),
  PLATEN_PUBLIC_URL: optional(
    PublicUrl,
    'The address under which clients reach the server; links to assets begin with it. Default: http://HOST:PORT.',
  ),
  DATABASE_URL: optional(
    PostgresUrl,
    'The PostgreSQL database, version 15 or newer: postgres://user:password@host/name. Absent: SQLite in the data folder.',
  ),
  DATABASE_URL_FILE: optional(z.string(), 'A file that holds DATABASE_URL, as secrets are mounted in containers.'),
  PLATEN_ROLES: variable(
    'api,worker,browser',
    Roles,
    'What this server does, separated by commas: api (answers requests), worker (does jobs, sends webhooks), browser (draws pages by Chromium).',
  ),
  PLATEN_BROWSER_URL: optional(
    PublicUrl,
    'Where servers with the roles api and browser are reached, for requests that need a browser on a server without one.',
  ),
  PLATEN_SHARED_FILES: variable(
    'false',
    Switch,
    'Says that PLATEN_DATA is one folder that several servers share, as on NFS: any number of them may then work on one PostgreSQL database.',
  ),
  ASSETS_URL: optional(
    S3Url,
    'The S3 bucket that files are kept in: s3://bucket/prefix?endpoint=https://host&region=name. Absent: the data folder.',
  ),
  ASSETS_DELIVERY: variable(
    'proxy',
    z.enum(['proxy', 'redirect'], 'must be proxy or redirect'),
    'How clients get files of ASSETS_URL: proxy = through this server, redirect = by a presigned address of the bucket, which clients must be able to reach.',
  ),
  ASSETS_PUBLIC_URL: optional(
    PublicUrl,
    'The address that links to assets begin with instead of PLATEN_PUBLIC_URL, as of a CDN before the server, or before the bucket and its prefix.',
  ),
  AWS_ACCESS_KEY_ID: optional(z.string(), 'The access key of ASSETS_URL.'),
  AWS_ACCESS_KEY_ID_FILE: optional(z.string(), 'A file that holds AWS_ACCESS_KEY_ID.'),
  AWS_SECRET_ACCESS_KEY: optional(z.string(), 'The secret of that key.'),
  AWS_SECRET_ACCESS_KEY_FILE: optional(z.string(), 'A file that holds AWS_SECRET_ACCESS_KEY.'),
  PLATEN_PLANS: variable(
    '{"free":{"quota":100,"blocks":true},"pro":{"quota":5000,"blocks":false}}',
    Plans,
    'The plans as JSON: renders a calendar month (UTC), and whether reaching them blocks.',
  ),
  PLATEN_RENDER_CONCURRENCY: optional(
    wholeNumber(1, 256),
    'How many renders are drawn at the same time. Default: one a processor.',
  ),
  PLATEN_RENDER_QUEUE: variable(
    '1000',
    wholeNumber(0, 100_000),
    'How many renders may wait for their turn; the next one is answered 503.',
  ),
  PLATEN_JOB_CONCURRENCY: variable(
    '8',
    wholeNumber(1, 256),
    'How many asynchronous jobs are worked on at the same time; their drawing shares PLATEN_RENDER_CONCURRENCY.',
  ),
  PLATEN_BATCH_CONCURRENCY: variable(
    '5',
    wholeNumber(1, 50),
    'How many items of one batch are rendered at the same time.',
  ),
  PLATEN_ASSET_TTL_DAYS: optional(
    wholeNumber(1, 36_500),
    'After how many days assets are deleted. Absent: they are kept.',
  ),
  PLATEN_CACHE_MB: optional(
    wholeNumber(0, 100_000),
    'Memory for rasters, glyphs, image files and scaled pictures that are kept between renders, MiB. Default: a sixteenth of what there is, at most 128.',
  ),
  PLATEN_PREVIEWS_PER_MINUTE: variable(
    '60',
    wholeNumber(0, 100_000),
    'How many unmetered previews an account may ask for in a minute; 0 = any number.',
  ),
  PLATEN_REQUESTS_PER_MINUTE: variable(
    '0',
    wholeNumber(0, 1_000_000),
    'How many requests with a key an account may send in a minute, beyond which it is answered 429; 0 = any number.',
  ),
  PLATEN_REQUESTS_AT_ONCE: variable(
    '256',
    wholeNumber(0, 10_000),
    'How many requests with a key an account may have under way, beyond which it is answered 429; 0 = any number.',
  ),
  PLATEN_BAD_KEYS_PER_MINUTE: variable(
    '1200',
    wholeNumber(0, 1_000_000),
    'How many requests with a wrong API key an address may send in a minute, beyond which it is answered 429; 0 = any number.',
  ),
  PLATEN_DRAIN_DELAY: variable(
    '2',
    Moment,
    'How long a server that is told to stop still takes requests, with a 503 at /readyz, so that balancers turn away: seconds.',
  ),
  PLATEN_METRICS_PORT: optional(
    wholeNumber(0, 65_535),
    'A TCP port of HOST for Prometheus metrics at /metrics, apart from the API. Absent: none.',
  ),
  PLATEN_VARIANT_CACHE_MB: variable(
    '1024',
    wholeNumber(0, 10_000_000),
    'How much disk the pictures of signed URLs may take up, MiB; what was not used for longest is drawn again.',
  ),
  PLATEN_ALLOW_PRIVATE_NETWORKS: optional(
    Cidrs,
    'CIDRs, separated by commas, that images, pages and webhooks may reach although they are not public, on any port.',
  ),
  PLATEN_ALLOW_LINK_LOCAL: variable(
    'false',
    Switch,
    'Lets images, pages and webhooks reach link-local and cloud metadata addresses too.',
  ),
  PLATEN_OUTBOUND_PORTS: variable(
    '80,443,8080,8443',
    Ports,
    'The TCP ports of public hosts that images are fetched from and webhooks sent to, separated by commas.',
  ),
  CHROMIUM_PATH: optional(
    z.string(),
    'The Chromium that screenshots and html templates are drawn by. Absent: looked for in the usual places.',
  ),
  PLATEN_BROWSERS: optional(
    wholeNumber(1, 64),
    'How many pages are drawn at the same time, each in a Chromium of its own. Default: one a processor, at most 4.',
  ),
  PLATEN_PAGE_QUEUE: variable(
    '100',
    wholeNumber(0, 10_000),
    'How many pages may wait for a Chromium; the next one is answered 503.',
  ),
  PLATEN_OWNER_EMAIL: optional(
    z.string().regex(/^[^\s@]+@[^\s@]+$/, 'must be an e-mail address'),
    'Who owns the studio from the first start on, with PLATEN_OWNER_PASSWORD_FILE; else a link for that is printed.',
  ),
  PLATEN_OWNER_PASSWORD_FILE: optional(
    z.string(),
    'A file that holds the password of PLATEN_OWNER_EMAIL, at least 12 characters; read until there is an owner.',
  ),
  PLATEN_OIDC_ISSUER: optional(
    IssuerUrl,
    'The identity provider (OpenID Connect) that people may sign in to the studio by: its issuer, as https://id.example.com. Its client needs the redirect URI PLATEN_PUBLIC_URL/studio/oidc.',
  ),
  PLATEN_OIDC_CLIENT_ID: optional(z.string(), 'The client that this server is to PLATEN_OIDC_ISSUER.'),
  PLATEN_OIDC_CLIENT_SECRET: optional(z.string(), 'The secret of that client; absent for a public client.'),
  PLATEN_OIDC_CLIENT_SECRET_FILE: optional(z.string(), 'A file that holds PLATEN_OIDC_CLIENT_SECRET.'),
  PLATEN_OIDC_NAME: optional(z.string().max(60), 'What the sign-in page calls PLATEN_OIDC_ISSUER. Default: its host.'),
  PLATEN_OIDC_JOIN: optional(
    Domains,
    'Whose people join the oldest account when they first sign in by PLATEN_OIDC_ISSUER, and as what: example.com=viewer, example.org=editor. Absent: only people who exist or are invited may sign in.',
  ),
  PLATEN_KEY: optional(z.string(), 'The API key that `platen mcp` asks with.'),
  PLATEN_KEY_FILE: optional(z.string(), 'A file that holds PLATEN_KEY.'),
  OTEL_EXPORTER_OTLP_ENDPOINT: optional(
    PublicUrl,
    'Where OpenTelemetry spans are sent by OTLP over HTTP, such as http://collector:4318; its packages are to be installed. Absent: nowhere.',
  ),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: optional(
    PublicUrl,
    'The same with its path. Absent: /v1/traces of the endpoint.',
  ),
  OTEL_EXPORTER_OTLP_PROTOCOL: variable(
    'http/protobuf',
    z.enum(['http/protobuf', 'http/json'], 'must be http/protobuf or http/json'),
    'How spans are written: http/protobuf or http/json.',
  ),
  OTEL_EXPORTER_OTLP_HEADERS: optional(OtlpHeaders, 'Headers that are sent with spans: name=value,name=value.'),
  OTEL_EXPORTER_OTLP_HEADERS_FILE: optional(z.string(), 'A file that holds OTEL_EXPORTER_OTLP_HEADERS.'),
  OTEL_SERVICE_NAME: variable('platen', z.string().max(200), 'What spans call this server.'),
  OTEL_TRACES_SAMPLER: variable(
    'parentbased_always_on',
    z.enum(SAMPLERS, `must be one of ${SAMPLERS.join(', ')}`),
    'Which traces are sent; parentbased_ ones heed what the caller decided.',
  ),
  OTEL_TRACES_SAMPLER_ARG: variable('1', Ratio, 'The share of the samplers by ratio, 0 to 1.'),
  OTEL_SDK_DISABLED: variable('false', Switch, 'Sends no spans, whatever the other variables say.'),
  LOG_LEVEL: variable(
    'info',
    z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']),
    'The least severe log lines to write: trace, debug, info, warn, error, fatal or silent.',
  ),
} as const satisfies Record<string, Variable<unknown>>;

export type VariableName = keyof typeof VARIABLES;
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
