// Previews and measures a document that is not stored, as if it were: for an editor.
//
// The renderer caches it under a hash of its text, so that the same document is parsed once.

import { createHash } from 'node:crypto';
import type { Modifications } from '#core/resolve/apply-modifications.ts';
import { AppError } from '#errors';
import type { ExportOptions, Output } from '#output/formats.ts';
import type { Drawing, MeasuredLayout } from '#renderer/renderer.ts';
import type { Storage } from '#storage/storage.ts';
import type { PreviewContext } from './preview.ts';
import { draw, fitTemplate, supplied } from './render.ts';
import type { FoundTemplate } from './templates.ts';

export interface DocumentContext extends PreviewContext {
  readonly storage: Storage;
}

type Document = Readonly<Record<string, unknown>>;

/**
 * @throws ValidationError when it is no valid template or the values do not fit; AppError `rate_limited`, and what a
 *   render throws
 */
export async function previewDocument(
  ctx: DocumentContext,
  accountId: string,
  document: Document,
  { modifications, output, options }: { modifications: Modifications; output: Output; options: ExportOptions },
): Promise<Drawing> {
  ctx.previews.take(accountId);
  const found = await unstored(ctx, accountId, document);
  const fitted = await fitTemplate(ctx.templates.checks, found, modifications);
  return draw(ctx, fitted, output, options);
}

/** @throws as `previewDocument` */
export async function measureDocument(
  ctx: DocumentContext,
  accountId: string,
  document: Document,
  modifications: Modifications,
): Promise<MeasuredLayout> {
  ctx.previews.take(accountId);
  const found = await unstored(ctx, accountId, document);
  if ((await ctx.templates.checks.summaryOf(found)).engine === 'html') {
    throw new AppError('invalid_request', 'document: an html template has no layout to ask for');
  }
  const fitted = await fitTemplate(ctx.templates.checks, found, modifications);
  return supplied(ctx, fitted, (subject, supplies, signal) => ctx.renderer.measure(subject, supplies, signal));
}

async function unstored(
  { storage, templates }: DocumentContext,
  accountId: string,
  document: Document,
): Promise<FoundTemplate> {
  const { document: text } = await templates.checks.read(accountId, document);
  const id = `unstored_${createHash('sha256').update(text).digest('hex')}`;
  const uploadsVersion = await storage.accounts.uploadsVersion(accountId);
  return { id, version: 1, accountId, uploadsVersion, document: text };
}
