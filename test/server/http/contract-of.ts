// Checks an answer against the OpenAPI document: its status, its content type, and its body.

import { z } from 'zod';
import { type Json, openApiDocument } from '#server/http/openapi/document.ts';

export const document = openApiDocument('https://img.example.com', 'all');

const schemas = new Map<string, z.ZodType>();

/** A validator of a schema, built from the published document and not from the zod schemas it was generated from. */
export function validator(schema: Json): z.ZodType {
  const key = JSON.stringify(schema);
  const known = schemas.get(key);
  if (known) return known;
  const inlined = JSON.stringify({ ...schema, $defs: document.components.schemas });
  const made = z.fromJSONSchema(JSON.parse(inlined.replaceAll('#/components/schemas/', '#/$defs/')));
  schemas.set(key, made);
  return made;
}

export interface GivenAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly text: string;
}

/** Describes how an answer breaks the contract, or null. Paths and methods outside the document are not checked. */
export function breach(method: string, path: string, { status, headers, text }: GivenAnswer): string | null {
  // Answers that Node itself sends have none of Platen's headers.
  if (headers['x-content-type-options'] === undefined) return null;
  const operation = operationOf(method === 'HEAD' ? 'GET' : method, path);
  if (!operation) return null;
  const what = `${method} ${path.slice(0, 80)} ${status}`;

  const answer = (operation.responses as Record<string, Json>)[status];
  if (!answer) return `${what}: this status is not documented`;
  const content = answer.content as Record<string, Json> | undefined;
  const type = String(headers['content-type'] ?? '').split(';')[0] ?? '';
  if (!content) return text === '' ? null : `${what}: a body is not documented`;
  const media = content[type];
  if (!media) return `${what}: ${type} is not documented`;
  if (method === 'HEAD' || type !== 'application/json') return null;
  const result = validator(media.schema as Json).safeParse(JSON.parse(text));
  return result.success ? null : `${what}: ${z.prettifyError(result.error)}\n${text.slice(0, 400)}`;
}

const operations = Object.entries(document.paths).flatMap(([path, methods]) => {
  const pattern = new RegExp(`^${path.replace(/[.]/g, '\\.').replace(/\{\w+\}/g, '[^/]+')}$`);
  return Object.entries(methods).map(([method, operation]) => ({ path, pattern, method, operation }));
});

function operationOf(method: string, path: string): Json | null {
  const bare = path.split('?')[0] ?? '';
  const fits = operations.filter((one) => one.method === method.toLowerCase() && one.pattern.test(bare));
  // A path without parameters takes precedence over one with parameters.
  return (fits.find(({ path: exact }) => exact === bare) ?? fits[0])?.operation ?? null;
}
