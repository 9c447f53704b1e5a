// Parses the query of a list: its filters and the page.

import { z } from 'zod';
import { parse } from '#core/template/validation.ts';
import type { RequestContext } from './request-context.ts';

const DEFAULT_LIMIT = 50;
export const MAX_LIMIT = 200;
/** A whole number from 1, written in digits. */
export const PositiveInteger = z
  .string()
  .regex(/^[1-9]\d{0,8}$/, 'must be a whole number from 1')
  .transform(Number);
const Limit = PositiveInteger.refine((limit) => limit <= MAX_LIMIT, `must be at most ${MAX_LIMIT}`);

/** The requested page of a list. @param standard items where the query names none. @throws ValidationError */
export function pageRequest(koa: RequestContext, standard = DEFAULT_LIMIT): { limit: number; after: string | null } {
  const { limit, after } = koa.query;
  return {
    limit: limit === undefined ? standard : parse(Limit, limit, 'limit'),
    after: after === undefined ? null : parse(z.string().max(120), after, 'after'),
  };
}

/** A number in the query; null when absent. @throws ValidationError */
export function numberInQuery(koa: RequestContext, name: string): number | null {
  const value = koa.query[name];
  return value === undefined ? null : parse(PositiveInteger, value, name);
}

/** A text in the query; null when absent or blank. @throws ValidationError */
export function textInQuery(koa: RequestContext, name: string, most = 100): string | null {
  const value = koa.query[name];
  return value === undefined ? null : parse(z.string().trim().max(most), value, name) || null;
}

/** One of the given words in the query; null when absent or empty. @throws ValidationError */
export function wordInQuery<T extends string>(koa: RequestContext, name: string, words: readonly T[]): T | null {
  const value = koa.query[name];
  return value === undefined || value === '' ? null : parse(z.enum(words as [T, ...T[]]), value, name);
}
