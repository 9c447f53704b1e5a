// Migrates a database to the newest schema: numbered steps, each applied once, all in one transaction.
//
// Of processes that start together one migrates; the others wait and then find nothing to do. SQLite's transaction is
// itself the lock, in PostgreSQL it is an advisory lock. A kill in the middle leaves the old schema intact.
//
// Nodes of the previous version keep running while the first node of a new one migrates. So a step only expands the
// schema: it adds tables, columns with defaults, indexes. What is no longer used is dropped by a later version.

import { atomically, type Database, lock } from './database.ts';
import * as firstTables from './migrations/0001-first-tables.ts';
import * as jobs from './migrations/0002-jobs.ts';
import * as variants from './migrations/0003-variants.ts';
import * as idempotentAnswers from './migrations/0004-idempotent-answers.ts';
import * as uploads from './migrations/0005-uploads.ts';
import * as idempotentParts from './migrations/0006-idempotent-parts.ts';
import * as turns from './migrations/0007-turns.ts';
import * as uploadsVersion from './migrations/0008-uploads-version.ts';
import * as usageByUnits from './migrations/0009-usage-by-units.ts';
import * as digests from './migrations/0010-digests.ts';
import * as people from './migrations/0011-people.ts';
import * as drafts from './migrations/0012-drafts.ts';
import * as deletedTemplates from './migrations/0013-deleted-templates.ts';
import * as versionAuthors from './migrations/0014-version-authors.ts';
import * as keyNames from './migrations/0015-key-names.ts';
import * as renderRequests from './migrations/0016-render-requests.ts';
import * as imageNames from './migrations/0017-image-names.ts';
import * as variantDays from './migrations/0018-variant-days.ts';
import * as bulks from './migrations/0019-bulks.ts';
import * as changeCount from './migrations/0030-change-count.ts';
import * as leases from './migrations/0031-leases.ts';
import * as traces from './migrations/0040-traces.ts';
import * as passkeys from './migrations/0041-passkeys.ts';
import * as jobTurns from './migrations/0042-job-turns.ts';
import * as verifiedAddresses from './migrations/0050-verified-addresses.ts';
import * as knownBrowsers from './migrations/0051-known-browsers.ts';
import * as metadata from './migrations/0060-metadata.ts';
import * as keyScopes from './migrations/0061-key-scopes.ts';
import * as auditLog from './migrations/0062-audit-log.ts';
import * as renderWarnings from './migrations/0063-render-warnings.ts';
import * as bulkNames from './migrations/0064-bulk-names.ts';
import * as templateFolders from './migrations/0065-template-folders.ts';
import * as deletedUploads from './migrations/0070-deleted-uploads.ts';

/** One step of the schema. A step that was released is never changed again. */
export interface Migration {
  up(db: Database): Promise<void>;
}

const MIGRATIONS: readonly Migration[] = [
  firstTables,
  jobs,
  variants,
  idempotentAnswers,
  uploads,
  idempotentParts,
  turns,
  uploadsVersion,
  usageByUnits,
  digests,
  people,
  drafts,
  deletedTemplates,
  versionAuthors,
  keyNames,
  renderRequests,
  imageNames,
  variantDays,
  bulks,
  changeCount,
  leases,
  traces,
  passkeys,
  jobTurns,
  verifiedAddresses,
  knownBrowsers,
  metadata,
  keyScopes,
  auditLog,
  renderWarnings,
  bulkNames,
  templateFolders,
  deletedUploads,
];

/** @throws Error when the database was written by a newer Platen */
export async function migrate(db: Database, steps: readonly Migration[] = MIGRATIONS): Promise<void> {
  const apply = async (tx: Database) => {
    await lock(tx, 'migrations');
    await tx.raw('CREATE TABLE IF NOT EXISTS migrations (version INTEGER PRIMARY KEY, applied_at BIGINT NOT NULL)');
    const [current = 0] = await tx<{ version: number }>('migrations')
      .orderBy('version', 'desc')
      .limit(1)
      .pluck('version');
    if (current > steps.length) {
      throw new Error(
        `The database has schema ${current}, this Platen knows ${steps.length}: it was written by a newer version. Update Platen.`,
      );
    }
    for (const [index, step] of steps.entries()) {
      if (index < current) continue;
      await step.up(tx);
      await tx('migrations').insert({ version: index + 1, applied_at: Date.now() });
    }
  };
  await atomically(db, apply, 'long');
}
