// Every place where a text from outside is read, as a function of the text: the fields of requests by the contract,
// templates, modifications, html and css, SVG files, forms in Gotenberg's shape, CSV and XLIFF, queries and headers.

import { Agent, request } from 'node:http';
import { z } from 'zod';
import { checkAny } from '#core/resolve/resolve-any.ts';
import { naturalSizeOf } from '#core/svg/natural-size.ts';
import { parseAnyTemplate } from '#core/template/any-template.ts';
import { parse } from '#core/template/validation.ts';
import { readXliff } from '#design/xliff.ts';
import { checkHtmlTemplate } from '#draw/html/check-template.ts';
import { sanitizeSvg } from '#draw/images/sanitize-svg.ts';
import { parseXml } from '#draw/images/xml.ts';
import { familyFinder, importSvg } from '#import/import-svg.ts';
import { readPdfForm, readScreenshotForm } from '#server/http/gotenberg/form-fields.ts';
import { openApiDocument } from '#server/http/openapi/document.ts';
import { REQUESTS, SentTemplate } from '#server/http/openapi/schemas.ts';
import { createLog } from '#server/observability/log.ts';
import { parseCsv } from '#server/service/jobs/csv.ts';
import { uniqueNames } from '#server/service/jobs/zip.ts';
import { openServices } from '#server/services.ts';
import { startServer } from '#server/start-server.ts';
import { loadConfig } from '../../../src/server/config/config.ts';

export interface TextField {
  readonly name: string;
  /** The longest text that is tried, characters. */
  readonly limit: number;
  /** Reads it as the product does. Whatever it throws is an answer. */
  readonly read: (text: string) => unknown;
}

/** Where a schema sets no limit. */
const BODY = 128 * 1024;
const DOCUMENT = 128 * 1024;

type Schema = Readonly<Record<string, unknown>>;

/** A text in a schema, and the smallest valid value around it. */
interface Place {
  readonly path: string;
  readonly limit: number;
  readonly around: (text: string) => unknown;
}

const isSchema = (value: unknown): value is Schema => typeof value === 'object' && value !== null;

/** The places of a schema where a caller's text may stand, names of properties that there are not among them. */
export class Places {
  readonly #root: Schema;

  constructor(root: Schema) {
    this.#root = root;
  }

  #resolved(schema: Schema): Schema {
    const { $ref } = schema;
    if (typeof $ref !== 'string') return schema;
    const steps = $ref.replace(/^#\/?/, '').split('/').filter(Boolean);
    return this.#resolved(steps.reduce<Schema>((at, step) => at[step] as Schema, this.#root));
  }

  /** The smallest value that a schema allows, as far as it says. */
  #least(wanted: Schema, depth = 0): unknown {
    const schema = this.#resolved(wanted);
    if ('const' in schema) return schema.const;
    if ('default' in schema) return schema.default;
    if (Array.isArray(schema.enum)) return schema.enum[0];
    const [branch] = (schema.anyOf ?? schema.oneOf ?? schema.allOf ?? []) as Schema[];
    if (branch) return this.#least(branch, depth);
    if (schema.type === 'string') return 'a';
    if (schema.type === 'array') {
      const count = depth > 6 ? 0 : Number(schema.minItems ?? 0);
      return Array.from({ length: count }, () => this.#least((schema.items ?? {}) as Schema, depth + 1));
    }
    if (schema.type === 'object') return this.#required(schema, depth);
    if (schema.type === 'boolean') return true;
    return Math.max(Number(schema.minimum ?? 10), 10);
  }

  #required(schema: Schema, depth = 0): Record<string, unknown> {
    const properties = (schema.properties ?? {}) as Record<string, Schema>;
    const names = (schema.required ?? []) as string[];
    return Object.fromEntries(names.map((name) => [name, this.#least(properties[name] ?? {}, depth + 1)]));
  }

  /** @param open references that are being walked: each once, so that layers within layers end */
  *of(wanted: Schema, path: string, around: (value: unknown) => unknown, open: readonly unknown[]): Generator<Place> {
    if (open.includes(wanted.$ref ?? wanted)) return;
    const inner = wanted.$ref === undefined ? open : [...open, wanted.$ref];
    const schema = this.#resolved(wanted);
    for (const key of ['anyOf', 'oneOf', 'allOf'] as const) {
      for (const branch of (schema[key] ?? []) as Schema[]) yield* this.of(branch, path, around, inner);
    }
    if (schema.type === 'string' && !('const' in schema) && !('enum' in schema)) {
      yield { path, limit: Math.min(Number(schema.maxLength ?? BODY), BODY), around };
    }
    if (isSchema(schema.items)) yield* this.of(schema.items, `${path}[]`, (value) => around([value]), inner);
    const properties = Object.entries((schema.properties ?? {}) as Record<string, Schema>);
    if (properties.length === 0 && !isSchema(schema.additionalProperties)) return;
    const least = this.#required(schema);
    yield { path: `${path}.UNKNOWN`, limit: BODY, around: (text) => around({ ...least, [text]: 0 }) };
    const { type } = (schema.properties ?? {}) as Record<string, Schema>;
    const kind = typeof type?.const === 'string' ? `(${type.const})` : '';
    for (const [name, property] of properties) {
      yield* this.of(property, `${path}${kind}.${name}`, (value) => around({ ...least, [name]: value }), inner);
    }
    if (isSchema(schema.additionalProperties)) {
      const entry = schema.additionalProperties;
      yield { path: `${path}.KEY`, limit: BODY, around: (text) => around({ ...least, [text]: this.#least(entry) }) };
      yield* this.of(entry, `${path}.a`, (value) => around({ ...least, a: value }), inner);
    }
  }
}

function* fieldsOf(name: string, schema: z.ZodType, read: (value: unknown) => unknown): Generator<TextField> {
  const json = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any', target: 'draft-2020-12' }) as Schema;
  const seen = new Set<string>();
  for (const { path, limit, around } of new Places(json).of(json, name, (value) => value, [])) {
    if (seen.has(path)) continue;
    seen.add(path);
    yield { name: path, limit, read: (text) => read(around(text)) };
  }
}

const template = (layer: object) => ({ name: 'a', width: 100, height: 100, layers: [{ name: 'a', ...layer }] });

/** The values that callers send for a layer of each type. */
function* modifications(): Generator<TextField> {
  const layers: Readonly<Record<string, object>> = {
    text: { type: 'text', text: 'a' },
    markdown: { type: 'text', text: 'a', markup: 'markdown' },
    image: { type: 'image', src: 'https://example.com/a.png' },
    qr: { type: 'qr', value: 'a' },
    ean13: { type: 'barcode', format: 'ean13', value: '400638133393' },
    code128: { type: 'barcode', format: 'code128', value: 'a' },
    chart: { type: 'chart', chart: 'bar', data: '1,2' },
    shape: { type: 'shape', width: 10, height: 10, fill: '#000' },
    path: { type: 'shape', shape: 'path', d: 'M0 0L1 1', width: 10, height: 10 },
    table: { type: 'table', columns: ['fill'], row: [{ name: 'a' }], rows: [{ a: '1' }] },
    frame: { type: 'frame', layout: { type: 'grid', columns: ['1fr'] }, children: [] },
  };
  const properties =
    'text src value data fill stroke d color fontFamily fontSize width height href visible rows format lang columns gap padding borderRadius shadow gradient filter'.split(
      ' ',
    );
  for (const [kind, layer] of Object.entries(layers)) {
    const parsed = parseAnyTemplate(template(layer));
    const field = (name: string, values: (text: string) => object): TextField => ({
      name: `modifications of ${kind}: ${name}`,
      limit: 64 * 1024,
      read: (text) => checkAny(parsed, values(text) as Parameters<typeof checkAny>[1], 'render'),
    });
    yield field('itself', (text) => ({ a: text }));
    yield field('name', (text) => ({ [text]: 'a' }));
    for (const property of properties) yield field(property, (text) => ({ a: { [property]: text } }));
  }
}

const CSS =
  'font font-family font-feature-settings font-variant font-size background background-image background-position background-size mask mask-image mask-position -webkit-mask clip-path filter transform transform-origin object-position object-fit aspect-ratio color border border-radius box-shadow text-shadow margin grid-template-columns grid-template-areas flex content fill stroke width line-height letter-spacing text-decoration image-rendering --a opacity list-style'.split(
    ' ',
  );
const BEFORE = [
  '',
  '1px ',
  'url(',
  'linear-gradient(red ',
  'repeating-radial-gradient(circle, red ',
  'calc(',
  'color-mix(in srgb, red 5%',
  'var(--a,',
  '"',
];

/** Parts of a page and of its style sheets. */
function* pages(): Generator<TextField> {
  const page = (name: string, parts: (text: string) => object): TextField => ({
    name: `html template: ${name}`,
    limit: DOCUMENT,
    read: (text) =>
      checkHtmlTemplate(
        parseAnyTemplate({ name: 'a', width: 100, height: 100, engine: 'html', ...parts(text) }) as never,
      ),
  });
  yield page('html', (text) => ({ html: text }));
  for (const [name, [begin, end]] of Object.entries({
    'a tag': ['<p ', '>a</p>'],
    'an attribute': ['<p id="', '">a</p>'],
    'a class': ['<p class="', '">a</p>'],
    'style element': ['<style>', '</style><p>a'],
    'style attribute': ['<p style="', '">a</p>'],
    'image source': ['<img src="', '">'],
    'a comment': ['<!--', '--><p>a</p>'],
    'a drawing': ['<svg width="10" height="10"><path d="', '"/></svg>'],
    'a cell': ['<table><tr><td width="', '">a</table>'],
    'a layer': ['<p data-layer="', '">a</p>'],
    'a script': ['<script ', '></script><p>a'],
  })) {
    yield page(name, (text) => ({ html: `${begin}${text}${end}` }));
  }
  for (const [name, [begin, end]] of Object.entries({
    css: ['', ''],
    selector: ['p', '{color:red}'],
    'pseudo-class': ['p:nth-child(', '){color:red}'],
    'attribute selector': ['p[a=', ']{color:red}'],
    property: ['p{', ':red}'],
    'media query': ['@media (', '){p{color:red}}'],
    'font face': ['@font-face{', '}'],
    theme: ['@import "tailwindcss"; @theme{', '}'],
    import: ['@import ', ';'],
  })) {
    yield page(`css, ${name}`, (text) => ({ html: '<p class="a">a<b>b</b></p>', css: `${begin}${text}${end}` }));
  }
  yield page('tailwind class', (text) => ({
    html: `<p class="before:content-['${text}']">a`,
    css: '@import "tailwindcss";',
  }));
  for (const property of CSS) {
    for (const before of BEFORE) {
      yield page(`css, ${property}: ${before}`, (text) => ({ html: '<p>a', css: `p{${property}:${before}${text}}` }));
    }
  }
}

const SVG_ATTRIBUTES =
  'width height viewBox x y rx d points transform fill stroke font font-family font-size style class id href filter mask clip-path offset stop-color gradientTransform stroke-dasharray opacity preserveAspectRatio text-anchor letter-spacing xml:space'.split(
    ' ',
  );
const SVG_ELEMENTS = ['svg', 'rect', 'path', 'text', 'g', 'image', 'linearGradient', 'use', 'style', 'filter'];

/** Files as they are uploaded, embedded, and imported as layers. */
function* drawings(): Generator<TextField> {
  const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
  const file = (name: string, body: (text: string) => string): readonly TextField[] => [
    {
      name: `SVG upload: ${name}`,
      limit: DOCUMENT,
      read: (text) => naturalSizeOf(sanitizeSvg(Buffer.from(body(text))).root),
    },
    {
      name: `SVG import: ${name}`,
      limit: DOCUMENT,
      read: (text) =>
        importSvg(parseXml(body(text), { elements: 50_000, depth: 100 }), {
          familyOf: familyFinder(['Inter'], new Map()),
        }),
    },
  ];
  const inside = (element: string, attributes: string) =>
    element === 'svg'
      ? `<svg xmlns="http://www.w3.org/2000/svg" ${attributes}><rect width="9" height="9"/></svg>`
      : `<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><${element} ${attributes}>a</${element}><rect id="b" class="c" fill="url(#a)" width="9" height="9"/></svg>`;
  for (const element of SVG_ELEMENTS) {
    for (const attribute of SVG_ATTRIBUTES) {
      yield* file(`${attribute} of ${element}`, (text) => inside(element, `${attribute}="${escaped(text)}"`));
    }
  }
  yield* file('style sheet', (text) => inside('style', `>${escaped(text)}</style><style `));
  yield* file('rule', (text) => inside('style', `>rect{fill:${escaped(text)}}</style><style `));
  yield* file('font', (text) => inside('text', `style="font:${escaped(text)}"`));
  yield* file('text', (text) => inside('text', `>${escaped(text)}</text><text `));
  yield* file('markup', (text) => text);
  yield* file('many classes', (text) =>
    inside('g', `>${'<rect class="a b" width="1" height="1"/>'.repeat(Math.min(9_000, text.length / 40))}</g><g `),
  );
}

/** The names of the fields that a form is asked for. */
function formFields(): readonly string[] {
  const asked = new Set<string>();
  class Asked extends Map<string, string> {
    override get(name: string): string | undefined {
      asked.add(name);
      return undefined;
    }
  }
  for (const read of [readPdfForm, readScreenshotForm]) read(new Asked(), { index: '<p>', header: null, footer: null });
  return [...asked];
}

function* forms(): Generator<TextField> {
  const wrapped: readonly ((text: string) => string)[] = [
    (text) => text,
    (text) => JSON.stringify({ Keywords: text }),
    (text) => JSON.stringify({ a: text }),
    (text) => JSON.stringify([{ name: text, value: text, domain: text }]),
  ];
  for (const name of formFields()) {
    for (const [at, wrap] of wrapped.entries()) {
      for (const read of [readPdfForm, readScreenshotForm]) {
        yield {
          name: `form field ${name}${at > 0 ? ` as JSON ${at}` : ''}, ${read.name}`,
          limit: 64 * 1024,
          read: (text) => read(new Map([[name, wrap(text)]]), { index: '<p>', header: null, footer: null }),
        };
      }
    }
  }
}

function* files(): Generator<TextField> {
  yield { name: 'nameFrom of a batch', limit: 1024 * 1024, read: (text) => uniqueNames([text, text]) };
  yield { name: 'CSV', limit: 512 * 1024, read: (text) => parseCsv(text) };
  yield { name: 'CSV, a cell', limit: 512 * 1024, read: (text) => parseCsv(`a,b\n${text},1\n`) };
  const xliff = (body: string) =>
    `<xliff xmlns="urn:oasis:names:tc:xliff:document:2.0" version="2.0" srcLang="en" trgLang="de"><file id="f">${body}</file></xliff>`;
  yield { name: 'XLIFF', limit: 512 * 1024, read: readXliff };
  for (const [name, [begin, end]] of Object.entries({
    'a target': ['<unit id="a"><segment><source>a</source><target>', '</target></segment></unit>'],
    'an id': ['<unit id="', '"><segment><source>a</source><target>a</target></segment></unit>'],
    'a tag': ['<unit ', '>'],
    'a comment': ['<!--', '-->'],
  })) {
    yield { name: `XLIFF, ${name}`, limit: 512 * 1024, read: (text) => readXliff(xliff(`${begin}${text}${end}`)) };
  }
}

/** Characters of a header, and of a value in a query, each of which is sent as three: Node takes 16 KiB of both. */
const [HEADER, QUERY] = [8_192, 4_096];
/** What any request may have, beside what the contract names. */
const HEADERS =
  'accept accept-encoding accept-language authorization content-disposition content-type cookie forwarded gotenberg-output-filename gotenberg-trace host if-match if-none-match if-range idempotency-key origin range referer sec-fetch-site traceparent tracestate user-agent x-forwarded-for x-forwarded-host x-forwarded-proto x-request-id'.split(
    ' ',
  );
/** Of each kind of route: with a key, a signature, a session, a form, and of files. */
const ROUTES = [
  'GET /v1/templates',
  'POST /v1/renders',
  'POST /v1/images',
  'GET /v1/templates/tpl_a/render.png?sig=a',
  'GET /v1/studio/session',
  'POST /forms/chromium/convert/html',
  'GET /assets/rnd_a.png',
  'GET /studio/',
  'POST /mcp',
];

interface Sent {
  readonly route: string;
  readonly headers?: Readonly<Record<string, string>>;
}

let sender: Promise<(sent: Sent) => Promise<unknown>> | null = null;

/** Starts a server in this process, on the folder PLATEN_DATA. */
async function startSender() {
  const { PLATEN_DATA } = process.env;
  const config = loadConfig({ PLATEN_DATA, PORT: '0', PLATEN_GOTENBERG: '1', PLATEN_BAD_KEYS_PER_MINUTE: '0' });
  const server = await startServer(config, createLog('silent'));
  await using services = await openServices(config);
  const { id } = await services.accounts.create({ email: null, displayName: null, plan: 'pro' });
  const { key } = await services.keys.create(id, 'live');
  const person = await services.people.create({ email: `${id}@example.com`, name: 'A', password: null });
  await services.members.add(id, person.id, 'owner');
  const { token } = await services.sessions.begin(person.id, { address: '127.0.0.1', agent: 'test' });
  const agent = new Agent({ keepAlive: true });
  return ({ route, headers = {} }: Sent) => {
    const [method = '', path = ''] = route.split(' ');
    const isStudio = path.startsWith('/v1/studio');
    const known = isStudio
      ? { cookie: `__Host-platen=${token}`, origin: server.url }
      : { authorization: `Bearer ${key}` };
    const { promise, resolve } = Promise.withResolvers<unknown>();
    request(
      server.url + path.replace(/\{(\w+)\}/g, (_, name) => (/account/i.test(name) ? id : 'a')),
      { method, agent, headers: { ...known, ...headers } },
      (answer) => answer.resume().on('close', () => resolve(answer.statusCode)),
    )
      .on('error', resolve)
      .end();
    return promise;
  };
}

/** What stands in queries and headers, sent to a server. */
function* parameters(): Generator<TextField> {
  const send = async (sent: Sent) => {
    sender ??= startSender();
    return (await sender)(sent);
  };
  interface Parameter {
    readonly name: string;
    readonly in: string;
  }
  for (const [path, operations] of Object.entries(openApiDocument('https://img.example.com', 'all').paths)) {
    for (const [method, { parameters = [] }] of Object.entries(
      operations as Record<string, { parameters?: readonly Parameter[] }>,
    )) {
      const route = `${method.toUpperCase()} ${path}`;
      for (const { name, in: place } of parameters) {
        if (place === 'query') {
          const query = `${path.includes('?') ? '&' : '?'}${encodeURIComponent(name)}=`;
          const read = (text: string) => send({ route: `${route}${query}${encodeURIComponent(text)}` });
          yield { name: `query, ${name} of ${route}`, limit: QUERY, read };
        }
        if (place === 'header') {
          const read = (text: string) => send({ route, headers: { [name]: text } });
          yield { name: `header, ${name} of ${route}`, limit: HEADER, read };
        }
      }
    }
  }
  for (const route of ROUTES) {
    for (const name of HEADERS) {
      const read = (text: string) => send({ route, headers: { [name]: text } });
      yield { name: `header, ${name} of ${route}`, limit: HEADER, read };
    }
    const query = route.includes('?') ? '&' : '?';
    yield { name: `query of ${route}`, limit: QUERY, read: (text) => send({ route: route + query + encodeURI(text) }) };
    yield {
      name: `query, a name of ${route}`,
      limit: QUERY,
      read: (text) => send({ route: `${route}${query}${encodeURIComponent(text)}=a` }),
    };
  }
}

/** All of them, in the same order in each process. */
export function textFields(): readonly TextField[] {
  const requests = Object.entries(REQUESTS).flatMap(([name, schema]) => [
    ...fieldsOf(name, schema, (value) => parse(schema, value)),
  ]);
  const templates = [...fieldsOf('template', SentTemplate, (value) => checkAny(parseAnyTemplate(value), {}, 'render'))];
  return [
    ...requests,
    ...templates,
    ...modifications(),
    ...pages(),
    ...drawings(),
    ...forms(),
    ...files(),
    ...parameters(),
  ];
}
