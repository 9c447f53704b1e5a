// The folder in which `platen batch` writes a file for each row, so that a run which was stopped goes on where it was.
//
// A file appears under its name once it is whole. A mark in the folder says which run the files are of: what was
// rendered with other rows, values or options is rendered again.

import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { AppError } from '#base/errors.ts';
import type { LabelSheet } from '#design/label-sheet.ts';
import { joinPdfs } from '#draw/output/pdf/join-pdfs.ts';
import { MAX_ZIP, MAX_ZIP_FILES, zip, zipLength } from '#server/service/jobs/zip.ts';
import type { Archive } from '#server/storage/bulks.ts';
import { makeFolder } from '#server/storage/make-folder.ts';

const MARK = '.platen-batch';
/** Of files that are not whole yet. */
const UNFINISHED = '.part';

export class RowFiles {
  readonly #folder: string;
  readonly #whole: Set<string>;

  private constructor(folder: string, whole: Set<string>) {
    this.#folder = folder;
    this.#whole = whole;
  }

  /**
   * @param run everything that decides what the files are
   * @param startAgain renders everything again, also what the same run has made
   */
  static async open(folder: string, run: readonly (string | Uint8Array)[], startAgain: boolean): Promise<RowFiles> {
    await makeFolder(folder);
    const hash = createHash('sha256');
    for (const part of run) hash.update(`${part.length} `).update(part);
    const digest = hash.digest('hex');
    const mark = join(folder, MARK);
    const isSame = !startAgain && (await readFile(mark, 'utf8').catch(() => '')) === digest;
    if (!isSame) await writeWhole(mark, digest);
    const names = isSame ? await readdir(folder) : [];
    return new RowFiles(folder, new Set(names.filter((name) => !name.endsWith(UNFINISHED))));
  }

  has(name: string): boolean {
    return this.#whole.has(name);
  }

  path(name: string): string {
    return join(this.#folder, name);
  }

  async write(name: string, bytes: Uint8Array): Promise<void> {
    await writeWhole(this.path(name), bytes);
    this.#whole.add(name);
  }

  /** The run is over: the next one renders everything. */
  async close(): Promise<void> {
    await rm(this.path(MARK), { force: true });
  }

  async delete(): Promise<void> {
    await rm(this.#folder, { recursive: true, force: true });
  }

  /**
   * Writes files of the folder as one, as a stream.
   *
   * @throws AppError when they are too many, or too large, for a ZIP file
   */
  async merge(out: string, archive: Archive, names: readonly string[], sheet: LabelSheet | null): Promise<void> {
    const unfinished = out + UNFINISHED;
    const chunks = archive === 'pdf' ? this.#joined(names, sheet) : await this.#zipped(names);
    await pipeline(Readable.from(chunks), createWriteStream(unfinished));
    await rename(unfinished, out);
  }

  #joined(names: readonly string[], sheet: LabelSheet | null): AsyncIterable<Uint8Array> {
    const read = (name: string) => () => readFile(this.path(name));
    return joinPdfs(
      names.map((name) => ({ title: name.slice(0, -'.pdf'.length), read: read(name) })),
      sheet,
    );
  }

  async #zipped(names: readonly string[]): Promise<AsyncIterable<Uint8Array>> {
    const files = [];
    for (const name of names) {
      const path = this.path(name);
      files.push({ name, size: (await stat(path)).size, read: () => createReadStream(path) });
    }
    if (files.length <= MAX_ZIP_FILES && zipLength(files) <= MAX_ZIP) return zip(files);
    throw new AppError(
      'invalid_request',
      `A zip has at most ${MAX_ZIP_FILES} files and 4 GiB; leave out --merge, or divide the rows.`,
    );
  }
}

/** Writes a file that is never seen half-written under its name. */
async function writeWhole(path: string, bytes: Uint8Array | string): Promise<void> {
  await writeFile(path + UNFINISHED, bytes);
  await rename(path + UNFINISHED, path);
}

/** What a file of many rows is, by its extension. @throws AppError `invalid_request` */
export function archiveOf(file: string): Archive {
  const extension = extname(file).toLowerCase();
  if (extension === '.pdf' || extension === '.zip') return extension.slice(1) as Archive;
  throw new AppError('invalid_request', `--merge: ${file} must end in .pdf or .zip.`);
}
