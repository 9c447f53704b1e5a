// Offers Platen's features as Model Context Protocol tools, which call the HTTP API with the caller's key.
//
// So validation, limits, metering and error messages are the API's own. A tool only adds an image, or leaves out large
// data.

import { readFileSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { z } from 'zod';
import { CONTENT_TYPE, type Output, PAGE_OUTPUTS, REQUEST_OUTPUTS } from '#draw/output/formats.ts';
import type { ApiAnswer, CallApi } from './call-api.ts';

const { version } = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'));

/** Longer side of images for a model, which has no use for larger ones, px. */
const SHOWN_SIDE = 1_000;

type Content = { type: 'text'; text: string } | { type: 'image'; data: string; mimeType: string };
interface ToolResult {
  [key: string]: unknown;
  content: Content[];
  isError?: boolean;
}

const Id = z.string().min(1).max(100).describe('The id of a template: tpl_…, or tpl_…@3 for a version.');
const Modifications = z
  .record(z.string(), z.unknown())
  .optional()
  .describe(
    'By layer name: a string sets its text, picture, value or fill, true or false shows or hides it, an object is merged into it.',
  );
const Document = z
  .record(z.string(), z.unknown())
  .describe('A template: {name, width, height, background?, layers: […]}. read_template_schema tells its JSON Schema.');

/** Checked as it is decoded: an expression for so long a text would hold the thread. */
const Base64 = z.string().meta({ format: 'base64', contentEncoding: 'base64' });

const OneOrSeveral = z.union([z.string(), z.array(z.string())]).optional();

const INSTRUCTIONS = `Platen draws pictures and PDFs from templates: named layers on a canvas, in px.
To make one: read_template_schema, then create_template, which answers with its picture; look at it, and mend it by change_template.
To fill one: read_template shows its layers; render_template with modifications by layer name stores a file and answers with its URL. preview_template draws without storing or counting.
Warnings name what was not drawn as asked. measure_template says where each layer is, and which text overflows.
Texts: fontSize, fontWeight, color, align, maxLines, autoFit {min}. Frames lay their children out by flexbox or grid: layout {type: "flex", direction, gap, justify, align}; widths may be "fill" or "hug".`;

/** Creates a server, one per connection or request. */
export function createMcp(call: CallApi): McpServer {
  const capabilities = { tools: { listChanged: false } };
  const server = new McpServer({ name: 'platen', version }, { capabilities, instructions: INSTRUCTIONS });
  const read = { readOnlyHint: true };

  server.registerTool(
    'list_templates',
    { description: 'The templates of the account: id, name, size.', inputSchema: z.object({}), annotations: read },
    () => answer(call('GET', '/v1/templates')),
  );
  server.registerTool(
    'read_template',
    { description: 'A template as JSON.', inputSchema: z.object({ id: Id }), annotations: read },
    ({ id }) => answer(call('GET', pathOf(id))),
  );
  server.registerTool(
    'read_template_schema',
    {
      description:
        'Every layer and property of templates with its kind, in short; with `part`, the JSON Schema of one part, such as "TextLayer", with what its properties mean.',
      inputSchema: z.object({ part: z.string().max(100).optional().describe('A name from the short form.') }),
      annotations: read,
    },
    async ({ part }) => {
      const made = await call('GET', '/v1/schema/template.json');
      if (made.status !== 200) return refusal(made);
      const document = JSON.parse(made.bytes.toString());
      if (part === undefined) return text(templateGuide(document));
      const schema = templatePart(document, part);
      if (schema !== null) return text(JSON.stringify(schema));
      const names = partNames(document).join(', ');
      return { ...text(`There is no part ${JSON.stringify(part)}; there are ${names}.`), isError: true };
    },
  );
  server.registerTool(
    'create_template',
    {
      description: 'Stores a new template. Answers with its id, what was odd about it, and its picture.',
      inputSchema: z.object({ template: Document }),
    },
    ({ template }) => saved(call, call('POST', '/v1/templates', json(template))),
  );
  server.registerTool(
    'change_template',
    {
      description:
        'Replaces a template by a new version. Answers with the version, what was odd about it, and its picture.',
      inputSchema: z.object({ id: Id, template: Document }),
    },
    ({ id, template }) => saved(call, call('PUT', pathOf(id), json(template))),
  );
  server.registerTool(
    'preview_template',
    {
      description: 'The picture of a template with modifications, unmetered, and what was odd about it.',
      inputSchema: z.object({ id: Id, modifications: Modifications }),
      annotations: read,
    },
    async ({ id, modifications }) => {
      const stored = await call('GET', pathOf(id));
      return stored.status === 200 ? shown(await preview(call, stored, modifications)) : refusal(stored);
    },
  );
  server.registerTool(
    'measure_template',
    {
      description: 'Where each layer ends up: boxes, font sizes after autoFit, lines and overflow.',
      inputSchema: z.object({ id: Id, modifications: Modifications }),
      annotations: read,
    },
    ({ id, modifications }) => answer(call('POST', `${pathOf(id)}/layout`, json({ modifications }))),
  );
  server.registerTool(
    'render_template',
    {
      description:
        'Renders a stored template (id), or one that is sent along and not stored (template); stores the file, which counts as one render. Answers with its public URL and what was odd.',
      inputSchema: z.object({
        id: Id.optional(),
        template: Document.optional(),
        modifications: Modifications,
        output: z.enum(REQUEST_OUTPUTS).default('png'),
        size: OneOrSeveral.describe('A size of the template, several, or "all": each gives a file.'),
        lang: OneOrSeveral.describe('A language of its texts (BCP 47), several, or "all".'),
        brand: OneOrSeveral.describe('A brand in place of its own, or several.'),
      }),
    },
    ({ id, template, ...request }) =>
      answer(call('POST', '/v1/renders', json({ template: id ?? template, ...request }))),
  );
  server.registerTool(
    'list_fonts',
    {
      description: "The account's own fonts. The catalogue's families need no upload.",
      inputSchema: z.object({}),
      annotations: read,
    },
    () => answer(call('GET', '/v1/fonts')),
  );
  server.registerTool(
    'upload',
    {
      description:
        'Stores a picture (PNG, JPEG, WebP, AVIF, GIF, SVG) or a font (TTF, OTF, WOFF, WOFF2) for templates of the account.',
      inputSchema: z.object({ kind: z.enum(['image', 'font']), data: Base64.describe('The file, in base64.') }),
    },
    async ({ kind, data }) => {
      const bytes = await decodeBase64(data);
      if (bytes === null) return { ...text('data is no base64 (RFC 4648).'), isError: true };
      return answer(
        call('POST', kind === 'image' ? '/v1/images' : '/v1/fonts', { type: 'application/octet-stream', bytes }),
      );
    },
  );
  server.registerTool(
    'screenshot',
    {
      description:
        'Captures a public web page (url) or a page of your own (html), which counts as one render. Answers with the URL of the file, what was odd, and the picture, unless it is a PDF.',
      inputSchema: z.object({
        url: z.string().optional(),
        html: z.string().optional().describe('The page itself, instead of url.'),
        width: z.int().optional(),
        height: z.int().optional(),
        fullPage: z.boolean().optional(),
        output: z.enum(PAGE_OUTPUTS).default('png'),
        pdf: z
          .record(z.string(), z.unknown())
          .optional()
          .describe('Sheets of a PDF: {format: "A4", margin: "20mm", headerTemplate, footerTemplate, …}.'),
      }),
    },
    async (request) => {
      const made = await call('POST', '/v1/screenshots', json(request));
      if (made.status !== 200) return refusal(made);
      const content = withWarnings(made);
      if (request.output === 'pdf') return { content };
      const stored = await call('GET', `/assets/${JSON.parse(made.bytes.toString()).id}.${request.output}`);
      return { content: [...content, ...(stored.status === 200 ? pictureOf(stored, request.output) : [])] };
    },
  );
  return server;
}

/** Characters decoded per turn of the event loop; a multiple of four. */
const DECODED = 2 ** 20;

/** null for a text that is no base64. */
async function decodeBase64(text: string): Promise<Buffer | null> {
  const length = text.length - (text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0);
  const bytes = Buffer.alloc(Math.floor((length * 3) / 4));
  let written = 0;
  for (let at = 0; at < length; at += DECODED) {
    // Characters of no base64 are left out.
    written += bytes.write(text.slice(at, Math.min(length, at + DECODED)), written, 'base64');
    await setImmediate();
  }
  return written === bytes.length && length % 4 !== 1 ? bytes : null;
}

const json = (value: unknown) => ({ type: 'application/json', bytes: Buffer.from(JSON.stringify(value)) });

/** `tpl_…@3` works like `tpl_…?version=3`. */
const pathOf = (id: string) => `/v1/templates/${encodeURIComponent(id).replace('%40', '@')}`;

async function answer(pending: Promise<ApiAnswer>): Promise<ToolResult> {
  const made = await pending;
  return made.status < 300 ? { content: withWarnings(made) } : refusal(made);
}

/** The answer to a save: id and version, with a preview of the template, or the reason why there is none. */
async function saved(call: CallApi, pending: Promise<ApiAnswer>): Promise<ToolResult> {
  const stored = await pending;
  if (stored.status >= 300) return refusal(stored);
  const { id, version } = JSON.parse(stored.bytes.toString());
  return {
    content: [{ type: 'text', text: JSON.stringify({ id, version }) }, ...(await pictureOrReason(call, stored))],
  };
}

/** Never an error: whoever is told that a save has failed saves again, and has the template twice. */
async function pictureOrReason(call: CallApi, stored: ApiAnswer): Promise<Content[]> {
  const because = (reason: string): Content[] => [
    { type: 'text', text: `It is stored; its preview failed: ${reason}` },
  ];
  try {
    const drawn = await preview(call, stored, undefined);
    return drawn.status === 200 ? shown(drawn).content : because(drawn.bytes.toString());
  } catch (error) {
    return because(error instanceof Error ? error.message : String(error));
  }
}

function preview(call: CallApi, stored: ApiAnswer, modifications: unknown): Promise<ApiAnswer> {
  const { id, width, height } = JSON.parse(stored.bytes.toString());
  const scale = Math.max(0.1, Math.min(1, SHOWN_SIDE / Math.max(width, height)));
  return call('POST', `${pathOf(id)}/preview`, json({ modifications, output: 'png', scale }));
}

function shown(drawn: ApiAnswer): ToolResult {
  if (drawn.status !== 200) return refusal(drawn);
  return { content: [{ type: 'text', text: `warnings: ${warningsOf(drawn) ?? 'none'}` }, ...pictureOf(drawn)] };
}

const warningsOf = ({ headers: { 'platen-warnings': warnings } }: ApiAnswer): string | null =>
  typeof warnings === 'string' ? warnings : null;

/** The body of the answer, and what was odd, if anything. */
function withWarnings(made: ApiAnswer): Content[] {
  const warnings = warningsOf(made);
  return [...textOf(made), ...(warnings === null ? [] : [{ type: 'text' as const, text: `warnings: ${warnings}` }])];
}

const text = (words: string): ToolResult => ({ content: [{ type: 'text', text: words }] });
const textOf = ({ bytes }: ApiAnswer): Content[] => [{ type: 'text', text: bytes.toString() }];
const pictureOf = ({ bytes }: ApiAnswer, output: Output = 'png'): Content[] => [
  { type: 'image', data: bytes.toString('base64'), mimeType: CONTENT_TYPE[output] },
];

/** The API's own error message. */
const refusal = (refused: ApiAnswer): ToolResult => ({ content: textOf(refused), isError: true });

// Shortens the JSON Schema of templates for a model: every part with its properties and their kinds, one line each, without
// descriptions and bounds. The whole schema of one part is told on demand.

type Schema = Readonly<Record<string, unknown>>;
type Schemas = Readonly<Record<string, Schema>>;

const LEGEND = `A template is a LayersTemplate; px are canvas px. "?" may be left out, "|" is or, "[…]" a list, "{…}" an object.
A part written with a capital letter has its own line. read_template_schema {"part": "TextLayer"} tells what its properties mean.`;

/** @param document the JSON Schema of templates. @returns at most 30,000 characters */
export function templateGuide(document: unknown): string {
  const parts = partsOf(document);
  const layers = Object.values(parts).filter(isLayer).map(propertiesOf);
  const [first = new Map<string, string>(), ...others] = layers;
  const shared = new Map([...first].filter(([name, kind]) => others.every((other) => other.get(name) === kind)));
  const lines = Object.entries(parts).map(([name, schema]) => {
    if (!isLayer(schema)) return `${name} = ${kindOf(schema)}`;
    const own = [...propertiesOf(schema)].filter(([property]) => !shared.has(property));
    return `${name} = AnyLayer & {${listed(own)}}`;
  });
  return toldOnce([LEGEND, `AnyLayer = {${listed([...shared])}}`, ...lines].join('\n'), parts);
}

/** Letters from which on a kind that several properties have gets a line of its own. */
const LONG_KIND = 60;

/** Names long kinds that several properties have after the first of these: `format?: Format`. */
function toldOnce(guide: string, parts: Schemas): string {
  const kinds = new Map<string, string>();
  const collect = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    const { properties } = value as Schema;
    for (const [name, schema] of Object.entries((properties ?? {}) as Schemas)) {
      const kind = kindOf(schema);
      if (kind.length >= LONG_KIND && !kinds.has(kind)) kinds.set(kind, name[0]?.toUpperCase() + name.slice(1));
    }
    for (const each of Object.values(value)) collect(each);
  };
  collect(parts);
  const taken = new Set(Object.keys(parts));
  return [...kinds]
    .sort(([a], [b]) => b.length - a.length)
    .reduce((told, [kind, name]) => {
      if (taken.has(name) || told.split(`: ${kind}`).length < 3) return told;
      taken.add(name);
      return `${told.replaceAll(`: ${kind}`, `: ${name}`)}\n${name} = ${kind}`;
    }, guide);
}

/** The JSON Schema of one part, or null where there is none of that name. */
export function templatePart(document: unknown, name: string): Schema | null {
  const parts = partsOf(document);
  return Object.hasOwn(parts, name) ? (parts[name] ?? null) : null;
}

export const partNames = (document: unknown): readonly string[] => Object.keys(partsOf(document));

/** What zod names by a number, to write it once, stands where it is used. */
const NUMBERED = /^__schema\d+$/;

/** The named parts, without references to numbered ones. */
function partsOf(document: unknown): Schemas {
  const { $defs = {} } = document as { readonly $defs?: Schemas };
  const whole = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(whole);
    if (typeof value !== 'object' || value === null) return value;
    const { $ref, ...rest } = value as Schema;
    const name = typeof $ref === 'string' ? $ref.slice($ref.lastIndexOf('/') + 1) : '';
    if (NUMBERED.test(name)) return { ...(whole($defs[name]) as Schema), ...rest };
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, whole(each)]));
  };
  const named = Object.entries($defs).filter(([name]) => !NUMBERED.test(name));
  return Object.fromEntries(named.map(([name, schema]) => [name, whole(schema) as Schema]));
}

const isLayer = ({ properties }: Schema) => {
  const { type, name, opacity } = (properties ?? {}) as Schemas;
  return typeof type?.const === 'string' && name !== undefined && opacity !== undefined;
};

/** Each property with its kind: `"fontSize?"` → `number`. */
function propertiesOf({ properties = {}, required = [] }: Schema): ReadonlyMap<string, string> {
  const isRequired = (name: string) => (required as readonly string[]).includes(name);
  return new Map(
    Object.entries(properties as Schemas).map(([name, schema]) => [
      isRequired(name) ? name : `${name}?`,
      kindOf(schema),
    ]),
  );
}

const listed = (properties: readonly (readonly [string, string])[]) =>
  properties.map(([name, kind]) => `${name}: ${kind}`).join(', ');

function kindOf(schema: Schema): string {
  const { $ref, type, anyOf, oneOf, items, prefixItems, additionalProperties } = schema;
  if (typeof $ref === 'string') return $ref.slice($ref.lastIndexOf('/') + 1);
  if ('const' in schema) return JSON.stringify(schema.const);
  if (Array.isArray(schema.enum)) return schema.enum.map((one) => JSON.stringify(one)).join('|');
  const options = (anyOf ?? oneOf) as readonly Schema[] | undefined;
  // Beside properties it says which of them are required.
  if (options && !schema.properties) return [...new Set(options.map(kindOf))].join('|');
  if (Array.isArray(prefixItems)) return `[${prefixItems.map(kindOf).join(', ')}]`;
  if (type === 'array') return `[${typeof items === 'object' ? kindOf(items as Schema) : 'any'}]`;
  if (schema.properties) return `{${listed([...propertiesOf(schema)])}}`;
  if (type === 'object') {
    return `{name: ${typeof additionalProperties === 'object' ? kindOf(additionalProperties as Schema) : 'any'}}`;
  }
  return Array.isArray(type) ? type.join('|') : ((type as string | undefined) ?? 'any');
}

// Serves the Model Context Protocol in two ways: over HTTP without sessions, and over standard input and output.

export type AnswerMcp = (request: Request, message: unknown) => Promise<Response>;

/**
 * @param callAs calls the API with the caller's `authorization`
 */
export function mcpOverHttp(callAs: (authorization: string) => CallApi): AnswerMcp {
  // The server sends no notifications, so no stream is kept open.
  const { fetch } = createMcpHandler(
    ({ requestInfo }) => createMcp(callAs(requestInfo?.headers.get('authorization') ?? '')),
    { maxSubscriptions: 0 },
  );
  return (request, parsedBody) => fetch(request, { parsedBody });
}

/** Serves until standard input ends. */
export async function mcpOverStdio(call: CallApi): Promise<void> {
  const ended = new Promise((resolve) => process.stdin.once('end', resolve).once('close', resolve));
  const connection = serveStdio(() => createMcp(call));
  await ended;
  await connection.close();
}
