// Describes a render's request for storage, so that its account can see it later and repeat it.
//
// Of a template that came with the request, the document is kept too. Of a page, only the address without user, query and fragment is kept: those, headers and cookies may hold secrets.

import type { Choice } from '#design/choice.ts';
import type { ExportOptions } from '#draw/output/formats.ts';
import type { AskedRender } from '#server/storage/render-row.ts';
import type { FoundTemplate, InlineDocument } from '../templates/templates.ts';
import { type Metadata, storedMetadata } from './metadata.ts';
import type { RenderRequest } from './render-request.ts';

/** Values whose JSON is longer than this are not kept, in characters. */
const MAX_KEPT = 32 * 1024;

/** The values of a render as they are stored; without modifications and options where these were too long to keep. */
export interface AskedValues {
  readonly modifications?: Readonly<Record<string, unknown>>;
  readonly options?: ExportOptions;
  /** Of a design. */
  readonly choice?: Choice;
  /** The template, where it came with the request. */
  readonly inline?: InlineTemplate;
}

interface InlineTemplate {
  /** `inline@<digest>`. */
  readonly id: string;
  readonly name: string;
  /** Absent where it was too long to keep. */
  readonly document?: InlineDocument;
}

export function recordOfRender(
  found: Pick<FoundTemplate, 'id' | 'version' | 'inlineName'>,
  request: Pick<RenderRequest, 'template' | 'modifications' | 'options' | 'metadata' | 'choice'>,
): AskedRender {
  const { id, version, inlineName } = found;
  const { template, modifications, options } = request;
  const chosen = request.choice === undefined ? {} : { choice: request.choice };
  const metadata = storedMetadata(request.metadata);
  if (typeof template === 'string' || inlineName === undefined) {
    const isShort = left(modifications, MAX_KEPT) > 0;
    const values = isShort ? JSON.stringify({ modifications, options, ...chosen }) : null;
    return { template: { id, version }, values, metadata };
  }
  const inline = { id, name: inlineName };
  const isShort = left(modifications, left(template, MAX_KEPT)) > 0;
  const values: AskedValues = isShort
    ? { modifications, options, ...chosen, inline: { ...inline, document: template } }
    : { inline };
  return { template: null, values: JSON.stringify(values), metadata };
}

/** @param address null for a page whose markup was sent */
export function recordOfPage(address: string | null, metadata?: Metadata): AskedRender {
  const url = address === null ? null : URL.parse(address);
  return {
    template: null,
    metadata: storedMetadata(metadata),
    values: url ? JSON.stringify({ page: `${url.origin}${url.pathname}`.slice(0, 2_000) }) : null,
  };
}

/** Subtracts the approximate JSON length of `value` from `budget`. The result is 0 or less when the value is longer. */
function left(value: unknown, budget: number): number {
  if (typeof value === 'string') return budget - value.length - 3;
  if (typeof value !== 'object' || value === null) return budget - 6;
  let rest = budget - 2;
  for (const [name, inner] of Object.entries(value)) {
    if (rest <= 0) break;
    rest = left(inner, rest - name.length - 4);
  }
  return rest;
}
