// Parses requests of the studio: bodies, templates and versions in the path, `If-Match`.

import type { z } from 'zod';
import { AppError } from '#base/errors.ts';
import { ValidationError } from '#core/diagnostics.ts';
import { parse } from '#core/template/validation.ts';
import { readJsonObject } from '../middleware/body.ts';
import { numberInQuery, PositiveInteger } from '../middleware/list-query.ts';
import { idOf, type RequestContext } from '../middleware/request-context.ts';
import { STUDIO_REQUESTS as Request } from './schemas.ts';

/** Maximum size of bodies without a template, bytes. */
const SMALL = 64 * 1024;

/** Reads a small body. @throws ValidationError naming the field, AppError `invalid_request`, `too_large` */
export async function readSmall<T extends z.ZodType>(koa: RequestContext, schema: T): Promise<z.output<T>> {
  return parse(schema, await readJsonObject(koa, SMALL));
}

/** Reads a body that contains a template. @throws as `readSmall` */
export async function readLarge<T extends z.ZodType>(koa: RequestContext, schema: T): Promise<z.output<T>> {
  return parse(schema, await readJsonObject(koa));
}

/** Reads a small body; an absent one counts as `{}`. @throws as `readSmall` */
export async function readOptional<T extends z.ZodType>(koa: RequestContext, schema: T): Promise<z.output<T>> {
  const isEmpty =
    koa.get('content-length') === '0' || (koa.get('content-length') === '' && koa.get('transfer-encoding') === '');
  return isEmpty ? parse(schema, {}) : readSmall(koa, schema);
}

/** A version in the path. @throws ValidationError */
export const versionInPath = (koa: RequestContext): number => parse(PositiveInteger, koa.params.version, 'version');

/** `tpl_…`, or `tpl_…@3` where the query names a version. */
export function templateReference(koa: RequestContext, version = numberInQuery(koa, 'version')): string {
  return version === null ? idOf(koa) : `${idOf(koa)}@${version}`;
}

/** The revision given by `If-Match`. @throws AppError `precondition_required`, `invalid_request` */
export function revisionToMatch(koa: RequestContext): number {
  const header = koa.get('if-match');
  if (header === '') {
    throw new AppError('precondition_required', 'Send the draft’s revision as If-Match: "7"; GET …/draft tells it.');
  }
  const revision = /^(?:W\/)?"(\d{1,9})"$/.exec(header.trim())?.[1];
  if (revision === undefined) throw new AppError('invalid_request', 'If-Match: must be one revision in quotes, as "7"');
  return Number(revision);
}

/** Refuses a deletion unless the name of what is deleted was typed. @throws ValidationError */
export async function requireTyped(koa: RequestContext, name: string): Promise<void> {
  const { confirm } = await readSmall(koa, Request.StudioDeletion);
  if (confirm.trim() !== name.trim()) throw new ValidationError('confirm', `must be ${JSON.stringify(name)}`);
}
