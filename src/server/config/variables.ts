// The environment variables of Platen: name, default, format and meaning of each.
//
// docs/configuration.md and `platen doctor` print this table.

import { z } from 'zod';
import {
  Cidrs,
  ContainerUrl,
  Domains,
  IssuerUrl,
  OtlpHeaders,
  Plans,
  Ports,
  PostgresUrl,
  ProxyUrl,
  PublicUrl,
  Ratio,
  Roles,
  S3Url,
  SAMPLERS,
  Switch,
  TimeSpan,
  wholeNumber,
} from './forms.ts';

export interface Variable<T> {
  /** The value of an absent or empty variable; null = none. */
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

export const VARIABLES = {
  PORT: variable('3000', wholeNumber(0, 65_535), 'The TCP port to listen on; 0 takes any free one.'),
  HOST: variable('127.0.0.1', z.string(), 'The address to listen on; 0.0.0.0 opens the server to the network.'),
  PLATEN_DATA: variable('./data', z.string(), 'The folder that holds the database, the assets and the uploads.'),
  PLATEN_PUBLIC_URL: optional(
    PublicUrl,
    'The address under which clients reach the server; links to assets begin with it. Needed behind a proxy, whose X-Forwarded-For is trusted then. Default: http://HOST:PORT.',
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
    'The address of servers with the roles api and browser, to which servers without a browser forward the requests that need one.',
  ),
  PLATEN_SHARED_FILES: variable(
    'false',
    Switch,
    'Says that PLATEN_DATA is one folder that several servers share, as on NFS: any number of them may then work on one PostgreSQL database.',
  ),
  ASSETS_URL: optional(
    S3Url,
    'The S3 bucket that files are kept in: s3://bucket/prefix?endpoint=https://host&region=name, with addressing=virtual, kms=KEY, credentials=aws or credentials=google where needed. Absent: the data folder.',
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
  AWS_SESSION_TOKEN: optional(z.string(), 'The session token of a key that is temporary.'),
  AWS_SESSION_TOKEN_FILE: optional(z.string(), 'A file that holds AWS_SESSION_TOKEN.'),
  AWS_ROLE_ARN: optional(
    z.string(),
    'The role of AWS that ASSETS_URL is used in, for the token in AWS_WEB_IDENTITY_TOKEN_FILE; EKS sets both.',
  ),
  AWS_WEB_IDENTITY_TOKEN_FILE: optional(
    z.string(),
    'The file with the token of the service account, for AWS_ROLE_ARN.',
  ),
  AWS_CONTAINER_CREDENTIALS_RELATIVE_URI: optional(
    z.string().regex(/^\/[\x21-\x7e]*$/, 'must be a path'),
    'Where ECS gives a container the credentials of its role, a path at 169.254.170.2; ECS sets it.',
  ),
  AWS_CONTAINER_CREDENTIALS_FULL_URI: optional(
    ContainerUrl,
    'The same as a whole address; the pod identity of EKS sets it.',
  ),
  AWS_CONTAINER_AUTHORIZATION_TOKEN: optional(z.string(), 'The token that is sent to that address.'),
  AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE: optional(z.string(), 'A file that holds the token, read each time.'),
  PLATEN_PLANS: variable(
    '{"free":{"quota":100,"blocks":true,"storage":512,"renderStorage":2048},"pro":{"quota":5000,"blocks":false,"storage":10240}}',
    Plans,
    'The plans as JSON: renders a calendar month (UTC), whether reaching them blocks, and in MiB the storage of images, fonts and templates, and of the files of renders (renderStorage), beyond which saving and rendering are answered 402; without one of them = any amount.',
  ),
  PLATEN_RENDER_CONCURRENCY: optional(
    wholeNumber(1, 256),
    'How many renders are drawn at the same time. Default: one per processor.',
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
  PLATEN_AUDIT_DAYS: variable(
    '365',
    wholeNumber(1, 36_500),
    'For how many days the audit log is kept: who made, changed, retired, deleted or was shown what.',
  ),
  PLATEN_CACHE_MB: optional(
    wholeNumber(0, 100_000),
    'Memory for letters, image files, scaled pictures, encoded bands of PNGs and images of PDFs that are kept between renders, MiB. Default: a sixteenth of what there is, at most 128. With 64, a server holds 60 MB less, and sixty templates with photos in rotation take one and a half times the processor time.',
  ),
  PLATEN_FONT_MEMORY_MB: variable(
    '192',
    wholeNumber(16, 100_000),
    'Memory for opened fonts, with the outlines and words read from them, that are kept between renders, MiB; a third of it is for slow renders, which have a thread of their own. A font counts twice its file. Those used least recently are closed and opened again when a text needs them.',
  ),
  PLATEN_PREVIEWS_PER_MINUTE: variable(
    '60',
    wholeNumber(0, 100_000),
    'How many unmetered previews an account may ask for in a minute; 0 = any number.',
  ),
  PLATEN_PREVIEWS_AT_ONCE: variable(
    '8',
    wholeNumber(0, 10_000),
    'How many previews and layouts of an account are worked on at once; the next ones wait, for up to 30 s. 0 = any number.',
  ),
  PLATEN_REQUESTS_PER_MINUTE: variable(
    '0',
    wholeNumber(0, 1_000_000),
    'How many requests with a key or from the studio an account may send in a minute, beyond which it is answered 429; 0 = any number.',
  ),
  PLATEN_REQUESTS_AT_ONCE: variable(
    '256',
    wholeNumber(0, 10_000),
    'How many requests with a key or from the studio an account may have under way, until their answers are sent, beyond which it is answered 429; 0 = any number.',
  ),
  PLATEN_BODY_MEMORY_MB: variable(
    '256',
    wholeNumber(32, 100_000),
    'Memory for the bodies of requests above 64 KiB while they are read and worked on, MiB; an account gets at most half. A body waits for it, for up to 10 s; then it is answered 429, or 503 where other accounts hold it.',
  ),
  PLATEN_ANSWER_MEMORY_MB: variable(
    '256',
    wholeNumber(32, 100_000),
    'Memory for previews and files that are being sent, MiB; an account gets at most half. Beyond it, as for PLATEN_BODY_MEMORY_MB.',
  ),
  PLATEN_BAD_KEYS_PER_MINUTE: variable(
    '1200',
    wholeNumber(0, 1_000_000),
    'How many requests with a wrong API key an address may send in a minute, beyond which it is answered 429; 0 = any number.',
  ),
  PLATEN_CONNECTIONS_PER_ADDRESS: variable(
    '1536',
    wholeNumber(0, 2_048),
    'How many connections an address, or a /64 of IPv6, may have open, of 2,048 in all; further ones are closed. 0 = any number. When all are taken, a new one takes the place of one that waits for its client, of the address that has most. With PLATEN_PUBLIC_URL, addresses of private networks are taken for proxies: their clients, told apart by X-Forwarded-For, may have so many requests under way instead, beyond which they are answered 429.',
  ),
  PLATEN_DRAIN_DELAY: variable(
    '2',
    TimeSpan,
    'How long a server that is told to stop still takes requests, with a 503 at /readyz, so that load balancers stop routing to it: seconds.',
  ),
  PLATEN_METRICS_PORT: optional(
    wholeNumber(0, 65_535),
    'A TCP port of HOST for Prometheus metrics at /metrics, apart from the API. Absent: none.',
  ),
  PLATEN_VARIANT_CACHE_MB: variable(
    '1024',
    wholeNumber(0, 10_000_000),
    'How much disk the pictures of signed URLs may take up, MiB; the least recently used are deleted, and drawn again when they are asked for.',
  ),
  PLATEN_ALLOW_PRIVATE_NETWORKS: optional(
    Cidrs,
    'CIDRs, separated by commas, that images, pages and webhooks may reach although they are not public, on any port. ' +
      'For programs on the same machine, as in development: 127.0.0.0/8.',
  ),
  PLATEN_ALLOW_LINK_LOCAL: variable(
    'false',
    Switch,
    'Lets images, pages and webhooks reach link-local and cloud metadata addresses too.',
  ),
  PLATEN_OUTBOUND_PORTS: variable(
    '80,443,8080,8443',
    Ports,
    'The TCP ports of public hosts that images and pages are fetched from and webhooks sent to, separated by commas.',
  ),
  PLATEN_OUTBOUND_PROXY: optional(
    ProxyUrl,
    'The forward proxy, http or https, that images, pages and webhooks reach public hosts through by CONNECT: http://user:password@host:3128. PLATEN_ALLOW_PRIVATE_NETWORKS are reached directly. Absent: none; HTTPS_PROXY is not read.',
  ),
  PLATEN_OUTBOUND_PROXY_FILE: optional(z.string(), 'A file that holds PLATEN_OUTBOUND_PROXY.'),
  PLATEN_OUTBOUND_PROXY_NAMES: variable(
    'here',
    z.enum(['here', 'proxy'], 'must be here or proxy'),
    'Who resolves names for PLATEN_OUTBOUND_PROXY: here = Platen, which checks every address; proxy = the proxy, where Platen can check only the text of a name, so that the proxy must refuse private addresses.',
  ),
  CHROMIUM_PATH: optional(
    z.string(),
    'The Chromium that draws screenshots and html templates. Absent: looked for in the usual places.',
  ),
  PLATEN_BROWSERS: optional(
    wholeNumber(1, 64),
    'How many pages are drawn at the same time, each in a Chromium of its own; two more for accounts that have none under way. Default: one per processor, at most 4.',
  ),
  PLATEN_PAGE_QUEUE: variable(
    '100',
    wholeNumber(0, 10_000),
    'How many pages may wait for a Chromium; the next one is answered 503.',
  ),
  PLATEN_FONT_REGISTRY: optional(
    PublicUrl,
    'The npm registry, such as https://registry.npmjs.org, from which people may add families of the catalogue to their account in the studio. Absent: the studio fetches no fonts, and names the command that installs them.',
  ),
  PLATEN_GOTENBERG: variable(
    'false',
    Switch,
    'Serves /forms/chromium/convert/html, /convert/url, /screenshot/html and /screenshot/url as Gotenberg does, for software that knows Gotenberg; behind an API key.',
  ),
  PLATEN_OWNER_EMAIL: optional(
    z.string().regex(/^[^\s@]+@[^\s@]+$/, 'must be an e-mail address'),
    'The first owner of the studio, with PLATEN_OWNER_PASSWORD_FILE; otherwise the server prints a link to become its owner.',
  ),
  PLATEN_OWNER_PASSWORD_FILE: optional(
    z.string(),
    'A file that holds the password of PLATEN_OWNER_EMAIL, at least 12 characters; read until there is an owner.',
  ),
  PLATEN_OIDC_ISSUER: optional(
    IssuerUrl,
    'The issuer of the identity provider (OpenID Connect) through which people may sign in to the studio, such as https://id.example.com. Its client needs the redirect URI PLATEN_PUBLIC_URL/studio/oidc.',
  ),
  PLATEN_OIDC_CLIENT_ID: optional(z.string(), 'The OAuth client ID at PLATEN_OIDC_ISSUER.'),
  PLATEN_OIDC_CLIENT_SECRET: optional(z.string(), 'The secret of that client; absent for a public client.'),
  PLATEN_OIDC_CLIENT_SECRET_FILE: optional(z.string(), 'A file that holds PLATEN_OIDC_CLIENT_SECRET.'),
  PLATEN_OIDC_NAME: optional(z.string().max(60), 'What the sign-in page calls PLATEN_OIDC_ISSUER. Default: its host.'),
  PLATEN_OIDC_JOIN: optional(
    Domains,
    'Domains whose people join the oldest account when they first sign in through PLATEN_OIDC_ISSUER, and the role they get: example.com=viewer, example.org=editor. Absent: only people who exist or are invited may sign in.',
  ),
  PLATEN_KEY: optional(z.string(), 'The API key used by `platen mcp`.'),
  PLATEN_KEY_FILE: optional(z.string(), 'A file that holds PLATEN_KEY.'),
  OTEL_EXPORTER_OTLP_ENDPOINT: optional(
    PublicUrl,
    'Where OpenTelemetry spans are sent by OTLP over HTTP, such as http://collector:4318; its packages must be installed. Absent: nowhere.',
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
  OTEL_SERVICE_NAME: variable('platen', z.string().max(200), 'The service name in spans.'),
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
