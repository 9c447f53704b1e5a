// A row of the table `renders`: a job while it waits or is processed, then the record of its asset or of its failure.
//
// jobs.ts uses it as a job, renders.ts as a record.

import type { Output } from '#draw/output/formats.ts';

export interface RenderRow {
  id: string;
  account_id: string;
  kind: 'render' | 'screenshot';
  status: 'queued' | 'processing' | 'done' | 'error';
  output: Output;
  size: number | null;
  digest: string | null;
  error: string | null;
  request: string | null;
  webhook_url: string | null;
  metered: number;
  attempt: number;
  worker: string | null;
  claimable_at: number | null;
  created_at: number;
  finished_at: number | null;
  template_id: string | null;
  template_version: number | null;
  asked: string | null;
  metadata: string | null;
  warnings: string | null;
  trace: string | null;
  needs_browser: number;
}

/** What a render was asked for, to show to its account. */
export interface AskedRender {
  /** Null for a screenshot, and for a template that came with the request. */
  readonly template: { readonly id: string; readonly version: number } | null;
  /**
   * JSON: the values of a render, with its template if that came with the request, or the page of a screenshot without
   * its query; null where it is too long to keep.
   */
  readonly values: string | null;
  /** JSON: what the caller gave to know it by; null or absent where nothing was given. */
  readonly metadata?: string | null;
}

/** The properties of a render that never change. */
export interface RenderBase {
  readonly id: string;
  readonly accountId: string;
  readonly kind: RenderRow['kind'];
  readonly output: Output;
  readonly createdAt: Date;
}

/** A list of sentences as it is stored: JSON, or null where it is empty. */
export const warningsColumn = (warnings: readonly string[]): string | null =>
  warnings.length === 0 ? null : JSON.stringify(warnings);

export const warningsOf = ({ warnings }: Pick<RenderRow, 'warnings'>): readonly string[] =>
  warnings === null ? [] : JSON.parse(warnings);

export const baseOf = (row: RenderRow): RenderBase => ({
  id: row.id,
  accountId: row.account_id,
  kind: row.kind,
  output: row.output,
  createdAt: new Date(row.created_at),
});

export const baseColumns = (base: RenderBase) => ({
  id: base.id,
  account_id: base.accountId,
  kind: base.kind,
  output: base.output,
  created_at: base.createdAt.getTime(),
});

export const askedColumns = ({ template, values, metadata = null }: AskedRender) => ({
  template_id: template?.id ?? null,
  template_version: template?.version ?? null,
  asked: values,
  metadata,
});
