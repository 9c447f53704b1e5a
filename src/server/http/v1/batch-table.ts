// Reads a batch that is sent as a CSV: the rows in the body, the other fields in the query.

import { AppError } from '#base/errors.ts';
import { ValidationError } from '#core/diagnostics.ts';
import { decodeText, parseTable } from '#server/service/jobs/csv.ts';
import { parseInTurn, readBody } from '../middleware/body.ts';
import type { RequestContext } from '../middleware/request-context.ts';
import { CHOICES } from './choices.ts';

/** Fields that are texts, whatever they look like; others are numbers, booleans or JSON where they can be. */
const TEXTS: readonly string[] = [
  ...['template', 'templateId', 'merge', 'name', 'nameFrom', 'webhookUrl', 'metadata', 'output'],
  ...CHOICES,
];

export const isTable = (koa: RequestContext): boolean => /^text\/csv\s*(;|$)/i.test(koa.get('content-type'));

/**
 * @param limit of the body, bytes
 * @param most.rows with the first one
 * @returns rows of cells
 * @throws AppError `too_large`, or `invalid_request` for anything but a CSV
 */
export async function readTable(
  koa: RequestContext,
  limit: number,
  most: { readonly rows: number; readonly cells: number },
): Promise<readonly (readonly string[])[]> {
  const encoding = koa.get('content-encoding');
  if (encoding !== '' && encoding !== 'identity') {
    throw new AppError('invalid_request', 'The body must not be compressed.');
  }
  const bytes = await readBody(koa, limit);
  return parseInTurn(koa, bytes, () => parseTable(decodeText(bytes, 'The body'), most));
}

/** The fields of the query, as a JSON body would have them. @throws ValidationError for one that is given twice */
export function fieldsOfQuery({ query }: RequestContext): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(query).map(([name, value]) => {
      if (Array.isArray(value) && !CHOICES.includes(name)) throw new ValidationError(name, 'is given twice');
      return [name, typeof value === 'string' && !TEXTS.includes(name) ? typed(value) : value];
    }),
  );
}

function typed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
