// Builds the OpenAPI 3.1.0 documents from the operations and schemas (contract version 1.0.0): of the API for keys, served
// at /v1/openapi.json, and of the studio's own for sessions, at /v1/openapi-studio.json.
//
// All references stay inside the document.

import { z } from 'zod';
import { withDesigns } from '#core/template/published-schema.ts';
import { withoutEnd } from '#core/without-end.ts';
import { STUDIO_OPERATIONS } from '../studio/contract.ts';
import { type Answer, type BodyContent, type Operation, TAGS } from '../v1/operation.ts';
import { OPERATIONS } from '../v1/operations.ts';
import { BEYOND_SCOPE, BODY_EXAMPLES, ERROR_EXAMPLES, OPERATION_ERRORS } from './examples.ts';
import { ANSWERS, type ComponentName, REQUESTS, SentTemplate } from './schemas.ts';

export interface OpenApiDocument {
  readonly openapi: '3.1.0';
  readonly info: Json;
  readonly servers: readonly { readonly url: string }[];
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Json>>>>;
  readonly webhooks?: Json;
  readonly components: { readonly schemas: Readonly<Record<string, Json>>; readonly securitySchemes: Json };
}

const CONTRACT_VERSION = '1.0.0';

/** Which operations a document has. */
const CONTRACTS = {
  keys: OPERATIONS,
  studio: STUDIO_OPERATIONS,
  all: { ...OPERATIONS, ...STUDIO_OPERATIONS },
} as const satisfies Readonly<Record<string, Readonly<Record<string, Operation>>>>;
export type Contract = keyof typeof CONTRACTS;

/**
 * @param address the server's own URL, without a trailing slash
 */
export function openApiDocument(address: string, contract: Contract): OpenApiDocument {
  const paths: Record<string, Record<string, Json>> = {};
  for (const [id, operation] of Object.entries<Operation>(CONTRACTS[contract])) {
    paths[operation.path] = { ...paths[operation.path], [operation.method]: describe(id, operation) };
  }
  const used = new Set(
    Object.values(paths).flatMap((methods) => Object.values(methods).map(({ tags }) => String(tags))),
  );
  return {
    openapi: '3.1.0',
    info: {
      title: 'Platen',
      version: CONTRACT_VERSION,
      summary: 'Named layers to pixels and vectors.',
      description: 'Renders stored templates to PNG, JPEG, WebP and vector PDF, and captures web pages.',
      contact: { name: 'Platen', url: address },
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: address }],
    tags: Object.entries(TAGS).flatMap(([name, description]) => (used.has(name) ? [{ name, description }] : [])),
    paths,
    ...(contract === 'studio' ? {} : { webhooks: { jobCompleted: { post: COMPLETION } } }),
    components: { schemas: referredTo(paths, components(), contract), securitySchemes: SECURITY },
  };
}

/** The schemas that a document refers to, itself or by others. */
function referredTo(paths: unknown, schemas: Record<string, Json>, contract: Contract): Record<string, Json> {
  const found = new Set<string>();
  const look = (value: unknown): void => {
    for (const [, name = ''] of JSON.stringify(value).matchAll(/"#\/components\/schemas\/([^"]{1,100})"/g)) {
      if (found.has(name)) continue;
      found.add(name);
      look(schemas[name]);
    }
  };
  look(contract === 'studio' ? paths : [paths, COMPLETION]);
  return Object.fromEntries(Object.entries(schemas).filter(([name]) => found.has(name)));
}

const SECURITY = {
  apiKey: { type: 'http', scheme: 'bearer', description: 'plt_live_… or plt_test_…; a test key is not metered.' },
  session: {
    type: 'apiKey',
    in: 'cookie',
    name: '__Host-platen',
    description:
      'Of a person who signed in. Requests that may change something must come from the studio’s own origin.',
  },
  editorToken: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: 'Of an embedded editor, which also sends its page’s origin as platen-embedding-origin.',
  },
  signature: { type: 'apiKey', in: 'query', name: 'sig', description: 'HMAC-SHA256 by the account’s signing secret.' },
} as const;

const ref = (name: string): Json => ({ $ref: `#/components/schemas/${name}` });

const COMPLETION = {
  operationId: 'jobCompleted',
  summary: 'A job or batch with a webhookUrl has finished',
  description: 'Signed with the account’s webhook secret. Any answer but 2xx and 410 is retried, for about three days.',
  // The request is signed, and carries no key of the receiver.
  security: [],
  parameters: [
    header('x-platen-signature', 'sha256=<hex HMAC-SHA256 of the body>', { pattern: '^sha256=[0-9a-f]{64}$' }),
    header('webhook-id', 'The same for every attempt (Standard Webhooks).'),
    header('webhook-timestamp', 'Seconds since 1970, of the attempt (Standard Webhooks).'),
    header('webhook-signature', 'v1,<base64> of id.timestamp.body (Standard Webhooks).'),
  ],
  requestBody: { required: true, content: jsonContent('CompletionEvent') },
  responses: {
    '2XX': { description: 'Acknowledged.' },
    410: { description: 'The receiver is gone; no more attempts.' },
  },
} as const;

function describe(id: string, operation: Operation): Json {
  const { tag, summary, description, idempotent, ifMatch, parameters, body, completes } = operation;
  const headers = [
    ...(idempotent ? [header('Idempotency-Key', IDEMPOTENCY, { minLength: 1, maxLength: 255 })] : []),
    ...(ifMatch ? [header('If-Match', 'The revision, in quotes: "7".', { pattern: '^(W/)?"\\d+"$' })] : []),
  ];
  const all = [...parameters, ...headers];
  return {
    operationId: id,
    tags: [tag],
    summary,
    description,
    security: securityOf(operation),
    ...(all.length === 0 ? {} : { parameters: all }),
    ...(body === null ? {} : { requestBody: { required: true, content: contentOf(body) } }),
    responses: { ...answersOf(operation), ...errorsOf(id, operation) },
    ...(completes
      ? { callbacks: { completed: { '{$request.body#/webhookUrl}': { post: withoutId(COMPLETION) } } } }
      : {}),
  };
}

const IDEMPOTENCY = 'A request repeated within 24 hours with the same key and body gets the first answer again.';

function securityOf({ access, tag }: Operation): readonly Json[] {
  if (access === 'open') return [];
  if (access === 'signature') return [{ signature: [] }];
  if (access === 'editor-token') return [{ editorToken: [] }];
  return [tag === 'Studio' ? { session: [] } : { apiKey: [] }];
}

const withoutId = ({ operationId: _, ...operation }: typeof COMPLETION): Json => operation;

function answersOf({ answers, warns }: Operation): Json {
  return Object.fromEntries(
    Object.entries(answers).map(([status, answer]) => {
      const headers = { ...(warns ? WARNINGS : {}), ...(answer.orFile ? FILE_HEADERS : {}) };
      return [status, { ...answerOf(answer), ...(Object.keys(headers).length === 0 ? {} : { headers }) }];
    }),
  );
}

const textHeader = (description: string) => ({ description, schema: { type: 'string' } });
const WARNINGS = {
  'platen-warnings': textHeader('Warnings about the render: an ASCII JSON array of sentences, at most 20 and 2 KiB.'),
};
const FILE_HEADERS = {
  'platen-render-id': textHeader('Beside a file: the render’s id.'),
  'platen-render-url': textHeader('Beside a file: its public URL.'),
};

const answerOf = ({ description, content, orFile = [] }: Answer): Json => ({
  description,
  ...(content === null
    ? {}
    : { content: { ...contentOf(content), ...(orFile.length ? contentOf({ bytes: orFile }) : {}) } }),
});

function contentOf(content: BodyContent): Json {
  if ('json' in content) return { ...jsonContent(content.json), ...contentOf({ bytes: content.or ?? [] }) };
  if ('object' in content) return { 'application/json': { schema: { type: 'object' }, example: content.object } };
  // Forms have no schema either: one among files makes generators write bodies that do not compile (orval).
  return Object.fromEntries(content.bytes.map((type) => [type, {}]));
}

function jsonContent(name: ComponentName): Json {
  const example = BODY_EXAMPLES[name];
  return { 'application/json': { schema: ref(name), ...(example === undefined ? {} : { example }) } };
}

function errorsOf(id: string, { access, tag, errors }: Operation): Json {
  const statuses = [...errors, 429, 500, 503];
  const contentOfError = (status: number) => {
    if (tag === 'Studio') return jsonContent(status === 412 ? 'StudioChanged' : 'StudioError');
    const ofKey = status === 403 && access !== 'signature' ? BEYOND_SCOPE : undefined;
    const error = OPERATION_ERRORS[id]?.[status] ?? ofKey ?? ERROR_EXAMPLES[status];
    return access === 'signature'
      ? { 'text/plain': { schema: { type: 'string' }, example: error } }
      : { 'application/json': { schema: ref('Error'), example: { error } } };
  };
  return Object.fromEntries(
    statuses.map((status) => [
      status,
      {
        description: MEANING[status],
        content: contentOfError(status),
        ...([429, 503].includes(status) ? RETRY : {}),
      },
    ]),
  );
}

const RETRY = {
  headers: { 'retry-after': { description: 'Seconds.', schema: { type: 'integer' } } },
} as const;

const MEANING: Readonly<Record<number, string>> = {
  400: 'The request is not valid.',
  401: 'The API key, or session, is missing, invalid or revoked.',
  402: 'The free plan’s quota is used up.',
  403: 'The signature is missing, invalid or expired; the key lacks the right; in the studio, the person lacks the role, or the request comes from another origin.',
  404: 'It does not exist, or belongs to another account.',
  409: 'It conflicts with the current state.',
  412: 'The draft was changed in the meantime.',
  413: 'The body is too large.',
  416: 'The range is outside the file.',
  422: 'The Idempotency-Key was used for another request.',
  428: 'If-Match is missing.',
  429: 'Too many requests.',
  500: 'Internal error.',
  503: 'Overloaded; try again.',
};

function header(name: string, description: string, bounds: Json = {}): Json {
  return { name, in: 'header', required: false, description, schema: { type: 'string', ...bounds } };
}

function components(): Record<string, Json> {
  const { $schema: _, $defs = {}, ...root } = z.toJSONSchema(SentTemplate, { io: 'input' });
  const own = JSON.parse(
    JSON.stringify({ Template: root, ...withDesigns($defs as Record<string, Json>) }).replaceAll(
      '"#/$defs/',
      '"#/components/schemas/',
    ),
  );
  // What requests and answers share with templates is as it is sent: answers fit that too.
  const answers = schemasOf(ANSWERS, 'output');
  const requests = schemasOf(REQUESTS, 'input');
  const all = { ...answers.shared, ...requests.shared, ...own, ...answers.named, ...requests.named };
  return Object.fromEntries(Object.entries(all).map(([name, schema]) => [name, toolSchema(schema) as Json]));
}

/** zod writes a date-time as a pattern of 300 characters; its `format` says enough. */
function withoutPattern({ jsonSchema }: { jsonSchema: z.core.JSONSchema.BaseSchema }): void {
  if (jsonSchema.format !== undefined) delete jsonSchema.pattern;
}

interface Converted {
  readonly named: Readonly<Record<string, Json>>;
  /** Schemas of templates that they contain, by their own ids. */
  readonly shared: Readonly<Record<string, Json>>;
}

/** Where zod puts schemas that have an id of their own. */
const SHARED = '__shared';

/** Converts named schemas, which refer to each other by name. */
function schemasOf(named: Readonly<Record<string, z.ZodType>>, io: 'input' | 'output'): Converted {
  const registry = z.registry<{ id: string }>();
  for (const [id, schema] of Object.entries(named)) registry.add(schema, { id });
  const { schemas } = z.toJSONSchema(registry, {
    io,
    uri: (id) => `#/components/schemas/${id}`,
    override: withoutPattern,
  });
  const text = JSON.stringify(schemas).replaceAll(`#/components/schemas/${SHARED}#/$defs/`, '#/components/schemas/');
  const { [SHARED]: shared, ...others }: Record<string, Json> = JSON.parse(text);
  return { named: withoutIds(others), shared: withoutIds((shared?.$defs ?? {}) as Record<string, Json>) };
}

const withoutIds = (schemas: Readonly<Record<string, Json>>): Record<string, Json> =>
  Object.fromEntries(
    Object.entries(schemas).map(([name, { $schema: _, $id: __, id: ___, ...schema }]) => [name, schema]),
  );

// Rewrites JSON Schemas into the subset that OpenAPI generators, linters and gateways read correctly.
//
// zod writes JSON Schema 2020-12 to the letter. Spectral and Prism want `items` beside `type: array` and do not support
// `prefixItems`; openapi-typescript treats a property with a default as always present, also in a request.

/** The schema with arrays instead of tuples, and with its defaults moved into the descriptions. */
function toolSchema(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(toolSchema);
  if (typeof schema !== 'object' || schema === null) return schema;
  const { default: fallback, prefixItems, examples, ...rest } = schema as Json;
  const plain = Object.fromEntries(
    Object.entries(rest).map(([key, value]) => [key, key === 'properties' ? each(value as Json) : toolSchema(value)]),
  );
  return {
    ...plain,
    ...(prefixItems === undefined ? {} : arrayOf(prefixItems as readonly unknown[])),
    ...(examples === undefined ? {} : { examples }),
    ...(fallback === undefined ? {} : { description: withDefault(plain.description, fallback) }),
  };
}

/** Handled by name, since a property may be called `default` or `examples`. */
const each = (properties: Json) =>
  Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, toolSchema(schema)]));

/** A tuple as an array of the same length, whose items may be of any of the tuple's types. */
function arrayOf(kinds: readonly unknown[]): Json {
  const distinct = [...new Map(kinds.map((kind) => [JSON.stringify(kind), toolSchema(kind)])).values()];
  return {
    items: distinct.length === 1 ? distinct[0] : { anyOf: distinct },
    minItems: kinds.length,
    maxItems: kinds.length,
  };
}

function withDefault(description: unknown, fallback: unknown): string {
  const said = typeof description === 'string' ? `${withoutEnd(description, /[.\s]/)}. ` : '';
  return `${said}Default: ${JSON.stringify(fallback)}.`;
}

export type Json = Readonly<Record<string, unknown>>;
