// The OpenAPI document as a page to read: one file, no script, nothing fetched.

import { createHash } from 'node:crypto';
import type { Json, OpenApiDocument } from './document.ts';

export interface Page {
  readonly html: string;
  /** The Content-Security-Policy that lets it have its own style and nothing else. */
  readonly policy: string;
}

export function documentPage(document: OpenApiDocument): Page {
  const entries = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  );
  const sections = document.tags.map((tag) => {
    const own = entries.filter(({ operation }) => strings(operation.tags).includes(tag.name));
    return { ...tag, own };
  });

  const html = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Platen API</title>
<style>${STYLE}</style>
<nav>
<p class="brand">Platen</p>
${sections
  .map(
    ({ name, own }) =>
      `<p><a href="#${slug(name)}">${escapeHtml(name)}</a></p>\n<ul>${own
        .map(({ operation }) => `<li><a href="#${operation.operationId}">${text(operation.summary)}</a>`)
        .join('')}</ul>`,
  )
  .join('\n')}
<p><a href="#errors">Errors</a></p>
<p><a href="#schemas">Schemas</a></p>
</nav>
<main>
<header>
<h1>The API</h1>
<p>All JSON, under <code>${escapeHtml(document.servers[0]?.url ?? '')}</code>, with
<code>Authorization: Bearer plt_live_…</code> wherever a key is asked for. The same as
<a href="/v1/openapi.json">OpenAPI ${document.openapi}</a>, contract ${text(document.info.version)}.</p>
</header>
${sections
  .map(
    ({ name, description, own }) =>
      `<section><h2 id="${slug(name)}">${escapeHtml(name)}</h2><p>${escapeHtml(description)}</p>${own.map(article).join('\n')}</section>`,
  )
  .join('\n')}
<section><h2 id="errors">Errors</h2>
<p>${kindOf({ $ref: '#/components/schemas/Error' })}: a sentence that says what was wrong and how to mend it; plain text where a signed URL is answered.</p>
${errorTable(entries.map(({ operation }) => operation))}
</section>
<section><h2 id="schemas">Schemas</h2>
${Object.entries(document.components.schemas).map(schemaDetails).join('\n')}
</section>
</main>
</html>
`;
  const hash = createHash('sha256').update(STYLE).digest('base64');
  return { html, policy: `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; frame-ancestors 'none'` };
}

function article({ path, method, operation }: { path: string; method: string; operation: Json }): string {
  const secured = objects(operation.security).flatMap((one) => Object.keys(one));
  return `<article id="${operation.operationId}">
<h3><span class="${method}">${method.toUpperCase()}</span> <code>${escapeHtml(path).replace(/\{\w+\}/g, '<i>$&</i>')}</code></h3>
<p><b>${text(operation.summary)}.</b> ${text(operation.description)}${secured.length === 0 ? ' Needs no key.' : ''}</p>
${parameters(objects(operation.parameters))}
${bodyOf('Body', operation.requestBody as Json | undefined)}
${answers(operation.responses as Json)}
</article>`;
}

function parameters(list: readonly Json[]): string {
  if (list.length === 0) return '';
  const rows = list.map(({ name, in: place, required, description, schema }) => {
    const where = required ? text(place) : `${text(place)}, optional`;
    return `<tr><td><code>${text(name)}</code><td class="kind">${kindOf(schema as Json)}<td>${text(description)} <small>${where}</small>`;
  });
  return `<table><caption>Parameters</caption>${rows.join('')}</table>`;
}

function bodyOf(caption: string, body: Json | undefined): string {
  if (!body) return '';
  return `<p class="body"><span>${caption}</span> ${contents(body.content as Json)}</p>`;
}

function answerOf({ description, content }: Json): string {
  return `${text(description)}${content ? ` ${contents(content as Json)}` : ''}`;
}

/** What went well a line each; errors as their statuses, which mean the same everywhere. */
function answers(responses: Json): string {
  const all = Object.entries(responses) as [string, Json][];
  const rows = all
    .filter(([status]) => Number(status) < 400)
    .map(([status, answer]) => `<tr><td><code>${status}</code><td>${answerOf(answer)}`);
  const errors = all
    .filter(([status]) => Number(status) >= 400)
    .map(([status]) => `<a href="#errors"><code>${status}</code></a>`);
  return `<table class="answers"><caption>Answers</caption>${rows.join('')}<tr><td class="kind">errors<td>${errors.join(' ')}</table>`;
}

/** What each status of an error means, wherever it is given. */
function errorTable(operations: readonly Json[]): string {
  const meanings = new Map<string, string>();
  for (const { responses } of operations) {
    for (const [status, { description }] of Object.entries(responses as Record<string, Json>)) {
      if (Number(status) >= 400) meanings.set(status, text(description));
    }
  }
  const rows = [...meanings].sort().map(([status, meaning]) => `<tr><td><code>${status}</code><td>${meaning}`);
  return `<table class="answers">${rows.join('')}</table>`;
}

/** JSON by its schema's name, anything else by its media types. */
function contents(content: Json): string {
  const { 'application/json': json, ...others } = content;
  const types = Object.keys(others).map((type) => `<code>${escapeHtml(type)}</code>`);
  return [...(json ? [kindOf((json as Json).schema as Json)] : []), ...types].join(', ');
}

function schemaDetails([name, schema]: readonly [string, unknown]): string {
  const { description, properties, required } = schema as Json;
  const needed = strings(required);
  const rows = Object.entries((properties ?? {}) as Json).map(([key, value]) => {
    const property = value as Json;
    const fallback =
      'default' in property ? ` <small>default <code>${text(JSON.stringify(property.default))}</code></small>` : '';
    const mark = needed.includes(key) ? '' : '?';
    return `<tr><td><code>${escapeHtml(key)}${mark}</code><td class="kind">${kindOf(property)}<td>${text(property.description)}${fallback}`;
  });
  const body = rows.length > 0 ? `<table>${rows.join('')}</table>` : `<p class="kind">${kindOf(schema as Json)}</p>`;
  return `<article id="schema-${name}"><h3>${escapeHtml(name)}</h3><p>${text(description)}</p>${body}</article>`;
}

/** A schema in a few words, its references as links. */
function kindOf(schema: Json): string {
  if (typeof schema.$ref === 'string') {
    const name = schema.$ref.slice(schema.$ref.lastIndexOf('/') + 1);
    return `<a href="#schema-${name}">${escapeHtml(name)}</a>`;
  }
  if (schema.const !== undefined) return `<code>${text(JSON.stringify(schema.const))}</code>`;
  if (Array.isArray(schema.enum)) return schema.enum.map((one) => `<code>${text(one)}</code>`).join(' ');
  const options = objects(schema.anyOf ?? schema.oneOf);
  if (options.length > 0) return options.map(kindOf).join(' or ');
  if (schema.type === 'array') return `list of ${schema.items ? kindOf(schema.items as Json) : 'anything'}`;
  const type = Array.isArray(schema.type) ? schema.type.join(' or ') : text(schema.type ?? 'anything');
  const { minimum: low, maximum: high } = schema;
  const whole = (bound: unknown) => bound !== undefined && Math.abs(Number(bound)) < Number.MAX_SAFE_INTEGER;
  if (whole(low) && whole(high)) return `${type} ${text(low)}–${text(high)}`;
  return whole(low) ? `${type} ≥ ${text(low)}` : type;
}

const objects = (value: unknown): readonly Json[] => (Array.isArray(value) ? (value as Json[]) : []);
const strings = (value: unknown): readonly string[] => (Array.isArray(value) ? (value as string[]) : []);
const slug = (name: string) => name.toLowerCase().replace(/\W+/g, '-');
const text = (value: unknown) => escapeHtml(value === undefined ? '' : String(value));

function escapeHtml(value: string): string {
  return value.replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`);
}

const STYLE = `
:root { color-scheme: light dark; --ink: #16181d; --soft: #5b616e; --line: #e3e5ea; --paper: #fff; --well: #f5f6f8; --accent: #2f5bea }
@media (prefers-color-scheme: dark) { :root { --ink: #e8eaf0; --soft: #9aa1b0; --line: #2a2e38; --paper: #101218; --well: #181b23; --accent: #8aa5ff } }
* { box-sizing: border-box }
html { scroll-padding-top: 1.5rem }
body { margin: 0; display: grid; grid-template-columns: 15rem minmax(0, 50rem); gap: 0 4rem; color: var(--ink); background: var(--paper);
  font: 15px/1.55 Inter, system-ui, sans-serif }
a { color: var(--accent); text-decoration: none } a:hover { text-decoration: underline }
code { font: 0.88em/1.5 "JetBrains Mono", ui-monospace, monospace; background: var(--well); padding: 0.1em 0.35em; border-radius: 4px }
nav { position: sticky; top: 0; height: 100vh; overflow-y: auto; padding: 2rem 0 2rem 2rem; border-right: 1px solid var(--line); font-size: 14px }
nav p { margin: 1.1rem 0 0.3rem; font-weight: 600 } nav p a { color: var(--ink) }
nav .brand { margin: 0 0 1.5rem; font-size: 1.25rem; font-weight: 800; letter-spacing: -0.02em }
nav ul { list-style: none; margin: 0; padding: 0 } nav li a { display: block; padding: 0.12rem 0; color: var(--soft) }
main { padding: 2.5rem 2rem 6rem 0 }
h1 { font-size: 2.2rem; letter-spacing: -0.03em; margin: 0 0 0.5rem; line-height: 1.15 }
h2 { font-size: 1.4rem; letter-spacing: -0.02em; margin: 3.5rem 0 0.25rem }
section > p, header p { color: var(--soft); margin: 0 0 1rem; max-width: 40rem }
article { border-top: 1px solid var(--line); padding: 1.4rem 0 }
h3 { font-size: 1rem; margin: 0 0 0.5rem; font-weight: 500 } h3 code { background: none; font-size: 1rem; padding: 0 } h3 i { color: var(--accent); font-style: normal }
h3 span { display: inline-block; min-width: 5em; padding: 0 0.4em; text-align: center; font: 700 11px/1.9 ui-monospace, monospace; border-radius: 5px; color: #fff; background: #5b616e }
h3 .get { background: #2563c9 } h3 .post { background: #157f4c } h3 .put { background: #a8620c } h3 .delete { background: #bf3340 }
article p { margin: 0 0 0.75rem; max-width: 42rem }
table { width: 100%; border-collapse: collapse; margin: 0.75rem 0; font-size: 14px }
caption, .body span { text-align: left; color: var(--soft); font-size: 12px; font-weight: 600; text-transform: uppercase; letter-spacing: 0.06em; padding-bottom: 0.25rem }
.body span { margin-right: 0.5rem }
td { padding: 0.35rem 0.75rem 0.35rem 0; vertical-align: top; border-top: 1px solid var(--line) } td:first-child { width: 11rem } .answers td:first-child { width: 4rem }
td.kind { width: 13rem; color: var(--soft) } small { color: var(--soft) }
article:target h3 { color: var(--accent) }
@media (max-width: 60rem) { body { display: block } nav { position: static; height: auto; border: 0; padding: 1.5rem } nav ul { display: none } main { padding: 0 1.5rem 4rem } td.kind { width: auto } }
`;
