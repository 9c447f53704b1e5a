// Exports what is stored of an account, or of a person, as one zip that is made while it is sent: the rows of every table as
// JSON, and the files as they are. It holds no secrets and no hashes of keys, passwords and sessions.

import type { BlobStore } from '#server/storage/blobs.ts';
import type { MovedRow } from '#server/storage/move/move-rows.ts';
import type { Storage } from '#server/storage/storage.ts';
import { FILE_TABLES } from '#server/storage/stored-files.ts';
import { CheckedFiles, unlessDamaged } from '../files/checked-files.ts';
import { type ZipFile, zip } from '../jobs/zip.ts';

export interface ExportContext {
  readonly storage: Storage;
  /** Of renders. */
  readonly assetBlobs: BlobStore;
  readonly images: { readonly files: CheckedFiles };
  readonly fonts: { readonly files: CheckedFiles };
  readonly clock: () => Date;
}

export interface Export {
  /** Of the file. */
  readonly name: string;
  /** What making it takes at a time, bytes. */
  readonly memory: number;
  readonly chunks: AsyncIterable<Uint8Array>;
}

/** What a file takes while it is copied, and a batch of rows while it is written, bytes. */
const COPIED = 8 * 2 ** 20;
/** What the directory of the zip takes for a file. */
const PER_FILE = 128;
const PAGE = 200;
/** Tables of secrets, and of answers that are kept for a day; what names a secret, or may hold one until its job ends. */
const LEFT_OUT = ['secrets', 'links', 'idempotent_answers', 'idempotent_parts', 'variants'];
const WITHHELD = { hash: undefined, request: undefined };

/** The account must exist. */
export async function exportAccount(ctx: ExportContext, accountId: string): Promise<Export> {
  const { images, fonts, templates } = await ctx.storage.storedBytes.byKind(accountId);
  const count = (await ctx.storage.renders.files(accountId)).count + images.count + fonts.count + 10 * templates.count;
  const memory = COPIED + PER_FILE * count;
  return { name: `platen-${accountId}.zip`, memory, chunks: zip(filesOfAccount(ctx, accountId)) };
}

/** The person must exist. */
export function exportPerson(ctx: Pick<ExportContext, 'storage' | 'clock'>, personId: string): Export {
  return { name: `platen-${personId}.zip`, memory: COPIED, chunks: zip(filesOfPerson(ctx, personId)) };
}

async function* filesOfAccount(ctx: ExportContext, id: string): AsyncGenerator<ZipFile> {
  const { storage, images, fonts, clock } = ctx;
  const checked: Record<string, CheckedFiles> = {
    ...{ [FILE_TABLES.images.table]: images.files, [FILE_TABLES.fonts.table]: fonts.files },
    [FILE_TABLES.assets.table]: new CheckedFiles(ctx.assetBlobs),
  };
  const people = (await storage.people.members(id, 1_000)).map((person) => ({ ...person, password: undefined }));
  yield json('people.json', people);
  const missing: string[] = [];
  let number = 0;
  for await (const { table, rows } of storage.erasure.rows(id)) {
    if (LEFT_OUT.includes(table)) continue;
    const [first] = rows;
    if (first?.document === undefined) yield json(`${table}/${++number}.json`, rows.map(shown));
    else
      for (const { document, ...row } of rows) yield json(`${table}/${nameOf(row)}.json`, shown(row), String(document));
    for (const row of checked[table] ? rows : []) {
      const file = { name: String(row.output ? `${row.id}.${row.output}` : row.id), ...sizeOf(row) };
      const name = `${table}/${row.format ? `${file.name}.${row.format}` : file.name}`;
      // Null until it is rendered, and once its file has expired.
      const blob = row.size === null ? null : await checked[table]?.open(file).catch(unlessDamaged);
      if (blob) yield { name, size: blob.size, read: () => blob.stream() };
      else if (row.size !== null) missing.push(name);
    }
  }
  yield json('export.json', { account: id, madeAt: clock(), missing });
}

const shown = (row: MovedRow) => ({ ...row, ...WITHHELD });
const sizeOf = ({ size, digest }: MovedRow) => ({ size: Number(size), digest: digest == null ? null : String(digest) });
/** `tpl_…-3`, `acme-2`: of a document. */
const nameOf = ({ template_id, name, version = 'draft' }: MovedRow) => `${template_id ?? name}-${version}`;

async function* filesOfPerson({ storage, clock }: Pick<ExportContext, 'storage' | 'clock'>, id: string) {
  const passkeys = await storage.passkeys.list(id);
  yield json('person.json', {
    person: { ...(await storage.people.find(id)), password: undefined },
    accounts: await storage.people.memberships(id),
    sessions: await storage.sessions.list(id, clock()),
    passkeys: passkeys.map(({ name, host, createdAt, lastUsedAt }) => ({ name, host, createdAt, lastUsedAt })),
  });
  const filter = { actorId: null, action: null, personId: id };
  let after: string | null = null;
  for (let number = 1; number === 1 || after !== null; number += 1) {
    const page = await storage.audit.page(null, filter, { limit: PAGE, after });
    yield json(`audit_log/${number}.json`, page.items);
    after = page.next;
  }
}

/** A file of JSON. @param document JSON, which becomes the field `document` */
function json(name: string, value: object, document?: string): ZipFile {
  const text = JSON.stringify(value, null, 2);
  const bytes = Buffer.from(document === undefined ? text : `${text.slice(0, -2)},\n  "document": ${document}\n}`);
  return {
    name,
    size: bytes.length,
    read: async function* () {
      yield bytes;
    },
  };
}
