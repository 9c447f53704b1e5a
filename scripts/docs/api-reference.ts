// Renders the OpenAPI document as HTML for the API page: operations, errors and schemas.

import type { Json, OpenApiDocument } from '../../src/server/http/openapi/document.ts';
import { escapeHtml } from './escape-html.ts';
import type { Heading, Passage } from './markdown-page.ts';

export interface ApiReference {
  readonly html: string;
  readonly headings: readonly Heading[];
  readonly passages: readonly Passage[];
}

export function apiReference(document: OpenApiDocument): ApiReference {
  const entries = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  );
  const isStudio = ({ path }: { readonly path: string }) => path.startsWith('/v1/studio/');
  const sections = document.tags
    .map((tag) => ({
      ...tag,
      own: entries.filter((entry) => !isStudio(entry) && strings(entry.operation.tags).includes(tag.name)),
    }))
    .filter(({ own }) => own.length > 0);
  const ofStudio = entries.filter(isStudio);
  const heading = (id: string, label: string) => `<h2 id="${id}"><a class="anchor" href="#${id}">${label}</a></h2>`;
  const html = `${sections
    .map(
      ({ name, description, own }) =>
        `<section>${heading(slug(name), escapeHtml(name))}<p>${escapeHtml(description)}</p>${own.map(article).join('\n')}</section>`,
    )
    .join('\n')}
<section>${heading('errors', 'Errors')}
<p>${kindOf({ $ref: '#/components/schemas/Error' })}: a sentence that says what was wrong and how to mend it; plain text where a signed URL is answered.</p>
${errorTable(entries.map(({ operation }) => operation))}
</section>
<section>${heading('studio-requests', 'Requests of the studio')}
<p>These ${ofStudio.length} requests are made by the studio's pages. They need the session of a person who signed in, and no key; they may change with
the studio. Programs use the requests above.</p>
${ofStudio.map(article).join('\n')}
</section>
<section>${heading('schemas', 'Schemas')}
${Object.entries(document.components.schemas).map(schemaDetails).join('\n')}
</section>`;

  const headings = [...sections.map(({ name }) => name), 'Errors'].map((name) => ({
    ...{ depth: 2, id: slug(name), text: name },
  }));
  headings.push(
    { depth: 2, id: 'studio-requests', text: 'Requests of the studio' },
    { depth: 2, id: 'schemas', text: 'Schemas' },
  );
  // The search finds what programs use: each request of the studio has a namesake among those.
  const passages = entries
    .filter((entry) => !isStudio(entry))
    .map(({ path, method, operation }) => ({
      heading: { depth: 3, id: String(operation.operationId), text: String(operation.summary) },
      text: `${method.toUpperCase()} ${path} ${operation.description ?? ''}`,
    }));
  return { html, headings, passages };
}

function article({ path, method, operation }: { path: string; method: string; operation: Json }): string {
  const secured = objects(operation.security).flatMap((one) => Object.keys(one));
  return `<div class="operation" id="${operation.operationId}">
<h3><span class="method ${method}">${method.toUpperCase()}</span> <code>${escapeHtml(path).replace(/\{\w+\}/g, '<i>$&</i>')}</code></h3>
<p><b>${text(operation.summary)}.</b> ${text(operation.description)}${secured.length === 0 ? ' Needs no key.' : ''}</p>
${parameters(objects(operation.parameters))}
${bodyOf('Body', operation.requestBody as Json | undefined)}
${answers(operation.responses as Json)}
</div>`;
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

/** One line for each success; errors only as statuses, which have the same meaning everywhere. */
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

/** The meaning of each error status. */
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

/** JSON as the name of its schema, other content as its media types. */
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
  return `<div class="operation" id="schema-${name}"><h3>${escapeHtml(name)}</h3><p>${text(description)}</p>${body}</div>`;
}

/** A short description of a schema, with references as links. */
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
