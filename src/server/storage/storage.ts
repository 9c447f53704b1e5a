// All stores of one database, and transactions across them.
//
// Inside `transaction`, use only the stores that it passes: SQLite has one connection, which the transaction holds.

import { AccountStore } from './accounts.ts';
import { AuditStore } from './audit.ts';
import { BatchStore } from './batches.ts';
import { BrandStore } from './brands.ts';
import { StorageChanges } from './changes.ts';
import { atomically, type Database, execute, isPostgres, queryRows } from './database.ts';
import { DeliveryStore } from './deliveries.ts';
import { DraftStore } from './drafts.ts';
import { EmbeddingStore } from './embedding.ts';
import { ErasureStore } from './erasure.ts';
import { FontStore } from './fonts.ts';
import { IdempotentAnswerStore } from './idempotent-answers.ts';
import { ImageStore } from './images.ts';
import { JobStore } from './jobs.ts';
import { KeyStore } from './keys.ts';
import { LeaseStore } from './leases.ts';
import { LinkStore } from './links.ts';
import { migrate } from './migrate.ts';
import { moveUnderWay } from './move/move-mark.ts';
import { openDatabase } from './open-database.ts';
import { PasskeyStore } from './passkeys.ts';
import { PersonStore } from './people.ts';
import { PgBossJobStore } from './pg-boss-jobs.ts';
import { RenderStore } from './renders.ts';
import { ReviewStore } from './reviews.ts';
import { SecretStore } from './secrets.ts';
import { SessionStore } from './sessions.ts';
import { CeremonyStore, KnownBrowserStore, SignInTryStore } from './sign-in.ts';
import { StoredBytes } from './stored-bytes.ts';
import { StoredFileIndex } from './stored-files.ts';
import { TemplateMaterialStore } from './template-materials.ts';
import { TemplateStore } from './templates.ts';
import { explainUnusable } from './unusable-database.ts';
import { UsageStore } from './usage.ts';
import { VariantStore } from './variants.ts';

export interface Stores {
  readonly accounts: AccountStore;
  readonly keys: KeyStore;
  readonly secrets: SecretStore;
  readonly templates: TemplateStore;
  readonly templateMaterials: TemplateMaterialStore;
  readonly renders: RenderStore;
  readonly jobs: JobStore;
  readonly pgBossJobs: PgBossJobStore;
  readonly deliveries: DeliveryStore;
  readonly usage: UsageStore;
  readonly images: ImageStore;
  readonly fonts: FontStore;
  readonly variants: VariantStore;
  readonly idempotentAnswers: IdempotentAnswerStore;
  readonly storedFiles: StoredFileIndex;
  readonly storedBytes: StoredBytes;
  readonly leases: LeaseStore;
  readonly people: PersonStore;
  readonly sessions: SessionStore;
  readonly signInTries: SignInTryStore;
  readonly knownBrowsers: KnownBrowserStore;
  readonly links: LinkStore;
  readonly passkeys: PasskeyStore;
  readonly ceremonies: CeremonyStore;
  readonly drafts: DraftStore;
  readonly reviews: ReviewStore;
  readonly brands: BrandStore;
  readonly batches: BatchStore;
  readonly embedding: EmbeddingStore;
  readonly audit: AuditStore;
  readonly erasure: ErasureStore;
  /** Runs a statement of pg-boss, in PostgreSQL's syntax, on the connection of these stores. */
  executeSql<Row>(text: string, values?: readonly unknown[]): Promise<{ rows: Row[] }>;
}

export interface Storage extends Stores, AsyncDisposable {
  readonly changes: StorageChanges;
  /** Whether a move into this database is unfinished, so that only a part of the data is there. */
  readonly isIncomplete: () => Promise<boolean>;
  /** Whether the database takes writes, which a standby of PostgreSQL does not. Rejects when it does not answer. */
  readonly isWritable: () => Promise<boolean>;
  /** The current time: by the database's clock where servers share the database. */
  readonly clock: () => Date;
  /** Runs `work` with stores that commit together, or not at all if it throws. `work` should do nothing slow. */
  transaction<T>(work: (stores: Stores) => Promise<T>): Promise<T>;
}

/**
 * Opens the database, and creates or migrates its tables.
 *
 * @param location a `postgres:` URL, or the path of the SQLite file
 * @throws AppError `conflict` or `overloaded` naming the database, when it refuses or does not answer
 */
export async function openStorage(location: string): Promise<Storage> {
  try {
    return await open(location);
  } catch (error) {
    throw explainUnusable(location, error);
  }
}

async function open(location: string): Promise<Storage> {
  await using parts = new AsyncDisposableStack();
  const db = await openDatabase(location);
  parts.defer(() => db.destroy());
  await migrate(db);
  const clock = parts.use(await openClock(db));
  const opened = parts.move();
  return {
    ...storesOn(db),
    changes: new StorageChanges(db),
    clock: clock.now,
    isIncomplete: async () => (await moveUnderWay(db)) !== null,
    isWritable: async () => {
      const setting = isPostgres(db) ? "current_setting('transaction_read_only')" : "'off'";
      const [row] = await queryRows<{ read_only: string }>(db, `SELECT ${setting} AS read_only`);
      return row?.read_only === 'off';
    },
    transaction: (work) => atomically(db, (tx) => work(storesOn(tx))),
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
}

async function openClock(db: Database): Promise<{ readonly now: () => Date } & Disposable> {
  if (!isPostgres(db)) return { now: () => new Date(), [Symbol.dispose]() {} };
  return (await import('./postgres/clock.ts')).openDatabaseClock(db);
}

function storesOn(db: Database): Stores {
  return {
    accounts: new AccountStore(db),
    keys: new KeyStore(db),
    secrets: new SecretStore(db),
    templates: new TemplateStore(db),
    templateMaterials: new TemplateMaterialStore(db),
    renders: new RenderStore(db),
    jobs: new JobStore(db),
    pgBossJobs: new PgBossJobStore(db),
    deliveries: new DeliveryStore(db),
    usage: new UsageStore(db),
    images: new ImageStore(db),
    fonts: new FontStore(db),
    variants: new VariantStore(db),
    idempotentAnswers: new IdempotentAnswerStore(db),
    storedFiles: new StoredFileIndex(db),
    storedBytes: new StoredBytes(db),
    leases: new LeaseStore(db),
    people: new PersonStore(db),
    sessions: new SessionStore(db),
    signInTries: new SignInTryStore(db),
    knownBrowsers: new KnownBrowserStore(db),
    links: new LinkStore(db),
    passkeys: new PasskeyStore(db),
    ceremonies: new CeremonyStore(db),
    drafts: new DraftStore(db),
    reviews: new ReviewStore(db),
    brands: new BrandStore(db),
    batches: new BatchStore(db),
    embedding: new EmbeddingStore(db),
    audit: new AuditStore(db),
    erasure: new ErasureStore(db),
    async executeSql<Row>(sql: string, bindings: readonly unknown[] = []) {
      const { response } = await execute(db, { sql, bindings, method: 'raw' });
      return { rows: (response ?? []) as Row[] };
    },
  };
}
