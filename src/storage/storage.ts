// All stores of one database, and transactions over several of them.
//
// Inside `transaction` only the stores that it hands out may be used: there is one connection, and it is taken.

import { AccountStore } from './accounts.ts';
import { BulkStore } from './bulks.ts';
import { Changes } from './changes.ts';
import { atomically, type Database, openDatabase } from './database.ts';
import { DeliveryStore } from './deliveries.ts';
import { DraftStore } from './drafts.ts';
import { FontStore } from './fonts.ts';
import { IdempotentAnswerStore } from './idempotent-answers.ts';
import { ImageStore } from './images.ts';
import { JobStore } from './jobs.ts';
import { KeyStore } from './keys.ts';
import { LinkStore } from './links.ts';
import { migrate } from './migrate.ts';
import { PersonStore } from './people.ts';
import { RenderStore } from './renders.ts';
import { SecretStore } from './secrets.ts';
import { SessionStore } from './sessions.ts';
import { StoredFileIndex } from './stored-files.ts';
import { TemplateStore } from './templates.ts';
import { UsageStore } from './usage.ts';
import { VariantStore } from './variants.ts';

export interface Stores {
  readonly accounts: AccountStore;
  readonly keys: KeyStore;
  readonly secrets: SecretStore;
  readonly templates: TemplateStore;
  readonly renders: RenderStore;
  readonly jobs: JobStore;
  readonly deliveries: DeliveryStore;
  readonly usage: UsageStore;
  readonly images: ImageStore;
  readonly fonts: FontStore;
  readonly variants: VariantStore;
  readonly idempotentAnswers: IdempotentAnswerStore;
  readonly storedFiles: StoredFileIndex;
  readonly people: PersonStore;
  readonly sessions: SessionStore;
  readonly links: LinkStore;
  readonly drafts: DraftStore;
  readonly bulks: BulkStore;
}

export interface Storage extends Stores, AsyncDisposable {
  readonly changes: Changes;
  /** Runs `work` on stores that commit together, or not at all if it throws. Nothing slow belongs in it. */
  transaction<T>(work: (stores: Stores) => Promise<T>): Promise<T>;
}

/** Opens the database, and makes or updates its tables. */
export async function openStorage(file: string): Promise<Storage> {
  const db = await openDatabase(file);
  try {
    await migrate(db);
  } catch (error) {
    await db.destroy();
    throw error;
  }
  return {
    ...storesOn(db),
    changes: new Changes(db),
    transaction: (work) => atomically(db, (tx) => work(storesOn(tx))),
    [Symbol.asyncDispose]: () => db.destroy(),
  };
}

function storesOn(db: Database): Stores {
  return {
    accounts: new AccountStore(db),
    keys: new KeyStore(db),
    secrets: new SecretStore(db),
    templates: new TemplateStore(db),
    renders: new RenderStore(db),
    jobs: new JobStore(db),
    deliveries: new DeliveryStore(db),
    usage: new UsageStore(db),
    images: new ImageStore(db),
    fonts: new FontStore(db),
    variants: new VariantStore(db),
    idempotentAnswers: new IdempotentAnswerStore(db),
    storedFiles: new StoredFileIndex(db),
    people: new PersonStore(db),
    sessions: new SessionStore(db),
    links: new LinkStore(db),
    drafts: new DraftStore(db),
    bulks: new BulkStore(db),
  };
}
