// Erases deleted accounts and people: files first, then rows, in bounded steps.
//
// A deletion only marks (Accounts.delete, People.delete), which takes all access away. One server does the rest in the
// background, for a while every minute; what a killed or stopped one has left, the next call goes on with.

import type { Log } from '#server/observability/log.ts';
import type { BlobStore } from '#server/storage/blobs.ts';
import { OWNED_FILES } from '#server/storage/erasure.ts';
import type { Storage } from '#server/storage/storage.ts';
import type { FileKind } from '#server/storage/stored-files.ts';

export interface ErasureContext {
  readonly storage: Pick<Storage, 'erasure'>;
  readonly blobs: Readonly<Record<(typeof OWNED_FILES)[number] & FileKind, Pick<BlobStore, 'delete'>>>;
  /** Removes the files of signed URLs whose template is gone. */
  readonly variants: { forgetDeleted(): Promise<void> };
  readonly log: Log;
}

/** Files looked up together, and those deleted at once: a request to a bucket takes some 20 ms. */
const FILES = 400;
const AT_ONCE = 8;
/** Entries of the audit log per statement. */
const ENTRIES = 500;
/** Accounts, or people, per call. */
const MOST = 50;
/** How long a call lasts, ms: other maintenance waits meanwhile. */
const LASTS = 45_000;

/** @param signal stops between two steps */
export async function eraseDeleted(ctx: ErasureContext, signal: AbortSignal): Promise<void> {
  const { erasure } = ctx.storage;
  const end = AbortSignal.any([signal, AbortSignal.timeout(LASTS)]);
  for (const id of await erasure.marked('accounts', MOST)) {
    if (!end.aborted) await eraseAccount(ctx, id, end);
  }
  for (const id of await erasure.marked('people', MOST)) {
    while (!end.aborted) {
      if ((await erasure.forgetPerson(id, ENTRIES)) > 0) continue;
      await erasure.finishPerson(id);
      break;
    }
  }
}

async function eraseAccount(
  { storage, blobs, variants, log }: ErasureContext,
  id: string,
  signal: AbortSignal,
): Promise<void> {
  const { erasure } = storage;
  let [files, rows] = [0, 0];
  // Again, if a request that was under way has stored something meanwhile.
  do {
    for (const kind of OWNED_FILES) {
      while (!signal.aborted) {
        const found = await erasure.files(id, kind, FILES);
        if (found.length === 0) break;
        for (let at = 0; at < found.length; at += AT_ONCE) {
          await Promise.all(found.slice(at, at + AT_ONCE).map(({ name }) => blobs[kind].delete(name)));
        }
        await erasure.deleteFiles(
          kind,
          found.map((file) => file.id),
        );
        files += found.length;
      }
    }
    while (!signal.aborted && (await erasure.releaseVariants(id)) > 0);
    if (!signal.aborted) await variants.forgetDeleted();
    if (signal.aborted) return;
    for await (const deleted of erasure.deleteRows(id)) {
      rows += deleted;
      if (signal.aborted) return;
    }
  } while (!(await erasure.finishAccount(id)));
  log.info({ account: id, files, rows }, 'erased a deleted account');
}
