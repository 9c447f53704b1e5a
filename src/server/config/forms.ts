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
export const TimeSpan = z
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

/** What the driver knows; all but `disable` and `no-verify` encrypt and check the certificate. */
const SSL_MODES = ['disable', 'prefer', 'require', 'verify-ca', 'verify-full', 'no-verify'];

export const PostgresUrl = z.string().transform((text, context) => {
  const problem = problemOfPostgresUrl(text);
  // The driver warns of the others, as it may no longer check certificates for them in a later version.
  if (problem === null) return text.replace(/([?&]sslmode=)(prefer|require|verify-ca)(?=&|$)/, '$1verify-full');
  context.addIssue(problem);
  return z.NEVER;
});

function problemOfPostgresUrl(text: string): string | null {
  const example = 'postgres://user:password@host:5432/name';
  const [isUrl, host = '', name = '', query = ''] =
    /^postgres(?:ql)?:\/\/(?:[^/?#]*@)?([^/?#]*)(?:\/([^?#]*))?(?:\?([^#]*))?/i.exec(text) ?? [];
  if (isUrl === undefined) return `must be an address such as ${example}`;
  // In a user or password, these would end the host, the path or the address.
  const unescaped =
    text.includes('#') && text.lastIndexOf('@') > text.indexOf('#')
      ? '#'
      : name.includes('@')
        ? '/'
        : name === '' && query.includes('@')
          ? '?'
          : null;
  if (unescaped !== null) {
    return `has a ${unescaped} in its user or password, or elsewhere before an @: write it as ${encodeURIComponent(unescaped)}`;
  }
  const parameters = new URLSearchParams(query);
  const [socket, mode] = [parameters.get('host') ?? '', parameters.get('sslmode')];
  if (host.includes(',') || socket.includes(',')) {
    return 'names several hosts, and Platen connects to one: name the primary, or a proxy or DNS name that leads to it';
  }
  if (mode !== null && !SSL_MODES.includes(mode)) {
    return `has the sslmode ${JSON.stringify(mode)}; there are ${SSL_MODES.join(', ')}`;
  }
  if (name !== '' && (host === '' || URL.canParse(text))) return null;
  return `must be an address such as ${example}, or, for a socket, postgres://user:password@/name?host=/folder/of/socket`;
}

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
const ROLES = ['api', 'worker', 'browser'] as const;
export type ServerRole = (typeof ROLES)[number];

export const Roles = z.string().transform((text, context): ReadonlySet<ServerRole> => {
  const named = text.split(',').map((part) => part.trim());
  const wrong = named.find((name) => !ROLES.includes(name as ServerRole));
  if (wrong === undefined) return new Set(named as ServerRole[]);
  context.addIssue(`${JSON.stringify(wrong)} is no role: list some of ${ROLES.join(', ')}, separated by commas`);
  return z.NEVER;
});

/** A bucket, and the prefix of the names in it. */
export interface S3Bucket {
  readonly endpoint: string;
  readonly region: string;
  readonly bucket: string;
  /** Without slashes at its ends. */
  readonly prefix: string;
  readonly isVirtualHosted: boolean;
  readonly kmsKey: string | null;
  /** Whose role gives the keys, if the address says so. */
  readonly role: 'aws' | 'google' | null;
}

const S3_EXAMPLE = 's3://bucket/prefix?endpoint=https://host:9000&region=eu-central-1';
const S3_PARAMETERS = ['region', 'endpoint', 'addressing', 'kms', 'credentials'];

export const S3Url = z.string().transform((text, context): S3Bucket => {
  const url = /^s3:\/\//i.test(text) ? URL.parse(text) : null;
  const query = url?.searchParams ?? new URLSearchParams();
  const region = query.get('region') ?? 'us-east-1';
  const endpoint =
    query.get('endpoint') ?? `https://s3.${region}.amazonaws.com${region.startsWith('cn-') ? '.cn' : ''}`;
  const [addressing, role] = [query.get('addressing') ?? 'path', query.get('credentials')];
  const bucket = url?.hostname ?? '';
  const prefix = withoutSlashes(url?.pathname.replace(/^\/+/, '') ?? '');
  const strange = [...query.keys()].find((name) => !S3_PARAMETERS.includes(name));
  const isVirtualHosted = addressing === 'virtual';
  const problem =
    url === null || url.username !== '' || url.port !== '' || bucket === ''
      ? `must be an address such as ${S3_EXAMPLE}`
      : !/^[A-Za-z0-9][A-Za-z0-9._-]{1,62}$/.test(bucket)
        ? `names the bucket ${JSON.stringify(bucket)}: 2 to 63 letters, digits, ".", "_" and "-" make one`
        : !/^[A-Za-z0-9-]+$/.test(region)
          ? `has the region ${JSON.stringify(region)}: letters, digits and "-" make one`
          : !/^[A-Za-z0-9/_.-]*$/.test(prefix)
            ? `has the prefix ${JSON.stringify(prefix)}: letters, digits, "/", "_", "." and "-" make one`
            : !/^https?:\/\/[^?#@]+$/.test(endpoint) || !URL.canParse(endpoint)
              ? `has the endpoint ${JSON.stringify(endpoint)}: it must be an address such as https://host:9000`
              : /\.blob\.core\.(windows|chinacloudapi|usgovcloudapi)\.\w+$/i.test(new URL(endpoint).hostname)
                ? 'names Azure Blob Storage, which does not speak S3: put a gateway that does in between, or mount it and set PLATEN_SHARED_FILES'
                : strange !== undefined
                  ? `has the parameter ${JSON.stringify(strange)}; there are ${S3_PARAMETERS.join(', ')}`
                  : !['path', 'virtual'].includes(addressing)
                    ? 'has another addressing than path (host/bucket/key) or virtual (bucket.host/key)'
                    : role !== null && !['aws', 'google'].includes(role)
                      ? 'has other credentials than aws or google, the role of the machine there'
                      : isVirtualHosted && !/^[a-z0-9.-]+$/.test(bucket)
                        ? `names the bucket ${JSON.stringify(bucket)}, which cannot be part of a host`
                        : null;
  if (problem === null) {
    const [place, kmsKey] = [{ endpoint: withoutSlashes(endpoint), region, bucket, prefix }, query.get('kms')];
    return { ...place, isVirtualHosted, kmsKey, role: role as S3Bucket['role'] };
  }
  context.addIssue(problem);
  return z.NEVER;
});

/** Addresses other than https: that may give a container its credentials, as AWS's SDKs take them. */
const OF_CONTAINERS =
  /^http:\/\/(169\.254\.170\.(2|23)|\[fd00:ec2::23\]|localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?\//i;

export const ContainerUrl = z
  .string()
  .refine(
    (text) => URL.canParse(text) && (/^https:\/\//i.test(text) || OF_CONTAINERS.test(text)),
    'must be an https: address, or one of 169.254.170.2, 169.254.170.23 and this machine',
  );

/** A forward proxy, with credentials if it wants some. */
export const ProxyUrl = z.string().transform((text, context) => {
  const url = /^https?:\/\/[^/?#]+\/?$/i.test(text) ? URL.parse(text) : null;
  if (url && isDecodable(url.username + url.password)) return url;
  context.addIssue(
    'must be an address such as http://user:password@proxy.example.com:3128, with / in a password as %2F',
  );
  return z.NEVER;
});

function isDecodable(text: string): boolean {
  try {
    return decodeURIComponent(text) !== null;
  } catch {
    return false;
  }
}

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
