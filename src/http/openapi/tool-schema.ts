// Rewrites JSON Schemas into the subset that OpenAPI generators, linters and gateways read correctly.
//
// zod writes JSON Schema 2020-12 to the letter. Spectral and Prism want `items` beside `type: array` and know nothing of
// `prefixItems`; openapi-typescript takes a property with a default to be always there, also in a request.

import type { Json } from './document.ts';

/** The schema with plain arrays for tuples, and its defaults told in words. */
export function toolSchema(schema: unknown): unknown {
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

/** By name: a property may be called `default` or `examples`. */
const each = (properties: Json) =>
  Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, toolSchema(schema)]));

/** A tuple as a list of just as many items, of any of its kinds. */
function arrayOf(kinds: readonly unknown[]): Json {
  const distinct = [...new Map(kinds.map((kind) => [JSON.stringify(kind), toolSchema(kind)])).values()];
  return {
    items: distinct.length === 1 ? distinct[0] : { anyOf: distinct },
    minItems: kinds.length,
    maxItems: kinds.length,
  };
}

function withDefault(description: unknown, fallback: unknown): string {
  const said = typeof description === 'string' ? `${description.replace(/[.\s]*$/, '.')} ` : '';
  return `${said}Default: ${JSON.stringify(fallback)}.`;
}
