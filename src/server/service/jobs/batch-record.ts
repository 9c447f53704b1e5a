// A batch as the API and its webhook tell of it.

import type { BulkProgress } from './bulks.ts';

/** @param address of this server, for the address of the file */
export const batchRecord = (batch: BulkProgress, address: string) => ({
  ...{ id: batch.id, template: batch.templateId, name: batch.name, merge: batch.archive },
  ...{ count: batch.total, done: batch.done, warned: batch.warned, failed: batch.failed },
  errors: batch.errors.map(({ row, error }) => ({ item: row, error })),
  file: batch.isReady ? `${address}/v1/batches/${batch.id}/file` : null,
  created_at: batch.createdAt.toISOString(),
});
