// Schemas that parse the values of environment variables.
//
// Their messages follow the variable's name: "PORT: must be a whole number".

import { z } from 'zod';

export const wholeNumber = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d{1,9}$/, 'must be a whole number')
    .transform(Number)
    .refine((value) => value >= min && value <= max, `must be between ${min} and ${max}`);

/** Seconds, or with a unit: `2`, `0.5`, `500ms`. Parsed to ms. */
export const Moment = z
  .string()
  .regex(/^\d{1,6}(\.\d{1,3})?\s*(s|ms)?$/, 'must be a number of seconds, such as 2 or 500ms')
  .transform((text) => Number.parseFloat(text) * (text.endsWith('ms') ? 1 : 1_000))
  .refine((ms) => ms <= 300_000, 'must be at most 300 s');

export const Switch = z
  .enum(['0', '1', 'false', 'true', 'no', 'yes'], 'must be true or false')
  .transform((text) => ['1', 'true', 'yes'].includes(text));

/** Without the slashes at its end. */
function withoutSlashes(text: string): string {
  let end = text.length;
  while (text[end - 1] === '/') end -= 1;
  return text.slice(0, end);
}

/** The URL with which links to assets begin: no query, no trailing slash. */
export const PublicUrl = z.string().transform((text, context) => {
  const url = /^https?:\/\/[^?#@]+$/i.test(text) ? URL.parse(text) : null;
  if (url) return withoutSlashes(url.href);
  context.addIssue('must be an http: or https: address without a query, such as https://images.example.com');
  return z.NEVER;
});

/** Loaded on first use, as most environments name no address. */
const isIP = (text: string) => process.getBuiltinModule('node:net').isIP(text);

export const Cidrs = z.string().transform((text, context) => {
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

export const Ports = z
  .string()
  .regex(/^\d{1,5}(\s*,\s*\d{1,5})*$/, 'must be port numbers, separated by commas')
  .transform((text) => text.split(',').map(Number))
  .refine((ports) => ports.every((port) => port >= 1 && port <= 65_535), 'must be between 1 and 65535');

export const Plan = z.strictObject({
  quota: z.int().min(0),
  blocks: z.boolean(),
  storage: z.int().min(0).nullable().optional(),
  renderStorage: z.int().min(0).nullable().optional(),
});

export const Plans = z.string().transform((text, context) => {
  try {
    return z.record(z.string().regex(/^[a-z0-9-]{1,40}$/), Plan).parse(JSON.parse(text));
  } catch {
    context.addIssue('must be JSON such as {"free":{"quota":100,"blocks":true}}');
    return z.NEVER;
  }
});

export const PostgresUrl = z.string().transform((text, context) => {
  const url = /^postgres(ql)?:\/\//i.test(text) ? URL.parse(text) : null;
  if (url && url.pathname.length > 1) return text;
  context.addIssue('must be an address such as postgres://user:password@host:5432/name');
  return z.NEVER;
});

/** In the format of W3C Baggage: percent-encoded values. */
export const OtlpHeaders = z.string().transform((text, context): Readonly<Record<string, string>> => {
  const pairs = text.split(',').map((pair) => {
    const [, name = '', value = ''] = /^([^=]*)=(.*)$/s.exec(pair) ?? [];
    return [name.trim(), value.trim()] as const;
  });
  try {
    if (pairs.every(([name, value]) => /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name) && /^[\x20-\x7e]*$/.test(value)))
      return Object.fromEntries(pairs.map(([name, value]) => [name, decodeURIComponent(value)]));
  } catch {
    // A percent sign without a valid escape.
  }
  context.addIssue('must be pairs such as x-api-key=abc,x-team=images, their values percent-encoded');
  return z.NEVER;
});

export const Ratio = z
  .string()
  .regex(/^(0|1|0?\.\d{1,9}|1\.0{1,9})$/, 'must be a number between 0 and 1')
  .transform(Number);

/** OpenTelemetry's samplers. */
export const SAMPLERS = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const;
export type SamplerName = (typeof SAMPLERS)[number];

/** The tasks of a server. */
export const ROLES = ['api', 'worker', 'browser'] as const;
export type Role = (typeof ROLES)[number];

export const Roles = z.string().transform((text, context): ReadonlySet<Role> => {
  const named = text.split(',').map((part) => part.trim());
  const wrong = named.find((name) => !ROLES.includes(name as Role));
  if (wrong === undefined) return new Set(named as Role[]);
  context.addIssue(`${JSON.stringify(wrong)} is no role: list some of ${ROLES.join(', ')}, separated by commas`);
  return z.NEVER;
});

/** A bucket, and the prefix of the names in it. */
export interface S3Place {
  readonly endpoint: string;
  readonly region: string;
  readonly bucket: string;
  /** Without slashes at its ends. */
  readonly prefix: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

export const S3Url = z.string().transform((text, context): Omit<S3Place, 'accessKeyId' | 'secretAccessKey'> => {
  const url = /^s3:\/\//i.test(text) ? URL.parse(text) : null;
  const region = url?.searchParams.get('region') ?? 'us-east-1';
  const endpoint = url?.searchParams.get('endpoint') ?? `https://s3.${region}.amazonaws.com`;
  const isPlain =
    url?.username === '' && /^[a-z0-9][a-z0-9.-]{1,62}$/.test(url.hostname) && /^[a-z0-9-]+$/.test(region);
  const prefix = withoutSlashes(url?.pathname.replace(/^\/+/, '') ?? '');
  if (
    url &&
    isPlain &&
    /^[A-Za-z0-9/_.-]*$/.test(prefix) &&
    /^https?:\/\/[^?#@]+$/.test(endpoint) &&
    URL.canParse(endpoint)
  ) {
    return { endpoint: withoutSlashes(endpoint), region, bucket: url.hostname, prefix };
  }
  context.addIssue('must be an address such as s3://bucket/prefix?endpoint=https://host:9000&region=eu-central-1');
  return z.NEVER;
});

/** `example.com=editor, example.org=viewer`. */
export const Domains = z.string().transform((text, context) => {
  const domains = new Map<string, 'editor' | 'viewer'>();
  for (const entry of text.split(',')) {
    const [, domain, role] = /^\s*([a-z0-9-]+(?:\.[a-z0-9-]+)+)\s*=\s*(editor|viewer)\s*$/i.exec(entry) ?? [];
    if (domain && role) domains.set(domain.toLowerCase(), role.toLowerCase() as 'editor' | 'viewer');
    else context.addIssue(`${JSON.stringify(entry.trim())} is not a domain and a role such as example.com=viewer`);
  }
  return domains;
});

const ON_THIS_MACHINE = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;
/** Whether an address is https, or http on this machine. */
export const keepsSecrets = (address: string) => {
  const url = URL.parse(address);
  return url?.protocol === 'https:' || ON_THIS_MACHINE.test(url?.hostname ?? '');
};

export const IssuerUrl = z
  .string()
  .refine(
    (text) => /^https?:\/\/[^?#@]+$/i.test(text) && keepsSecrets(text),
    'must be an https: address without a query, such as https://id.example.com',
  );
