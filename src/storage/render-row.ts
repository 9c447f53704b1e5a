// A row of the table `renders`: a job while it waits or is processed, then the record of its asset or of its failure.
//
// jobs.ts uses it as a job, renders.ts as a record.

import type { Output } from '#output/formats.ts';

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
  trace: string | null;
  needs_browser: number;
}

/** What a render was asked for, to show to its account. */
export interface Asked {
  /** Null for a screenshot. */
  readonly template: { readonly id: string; readonly version: number } | null;
  /** JSON: the values of a render, or the page of a screenshot without its query; null where it is too long to keep. */
  readonly values: string | null;
}

/** The properties of a render that never change. */
export interface RenderBase {
  readonly id: string;
  readonly accountId: string;
  readonly kind: RenderRow['kind'];
  readonly output: Output;
  readonly createdAt: Date;
}

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

export const askedColumns = ({ template, values }: Asked) => ({
  template_id: template?.id ?? null,
  template_version: template?.version ?? null,
  asked: values,
});
