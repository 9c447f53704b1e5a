// Lists the font families that an account's templates may use, with their faces: what an editor needs to choose fonts
// and to draw as the server does.

import { createReadStream } from 'node:fs';
import { open, readFile } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { AppError } from '#base/errors.ts';
import { Coverage } from '#core/fonts/coverage.ts';
import type { FontLibrary } from '#draw/fonts/font-library.ts';
import { isWoff, unwrapWoff } from '#draw/fonts/woff.ts';
import type { AccountFonts } from './fonts.ts';

interface CatalogueFace {
  readonly id: string;
  /** Id of an upload; null for a font of the installation. */
  readonly fontId: string | null;
  readonly weight: number;
  /** OS/2 usWidthClass: 1 to 9. */
  readonly width: number;
  readonly style: 'normal' | 'italic';
  readonly axes: Readonly<Record<string, { readonly min: number; readonly initial: number; readonly max: number }>>;
  readonly isEmoji: boolean;
}

export interface CatalogueFamily {
  readonly family: string;
  /** Whether a face is an upload. */
  readonly own: boolean;
  /** ISO 15924. */
  readonly scripts: readonly string[];
  /** Where several are equal, the first wins. */
  readonly faces: readonly CatalogueFace[];
}

export interface FaceFile {
  /** Of the stored file, bytes. */
  readonly size: number;
  /** What reading it takes at a time, bytes. */
  readonly memory: number;
  /** Reads it as an sfnt, whatever format was uploaded. */
  read(): Promise<SfntFile>;
}

interface SfntFile {
  readonly body: Readable | Buffer;
  /** Bytes. */
  readonly length: number;
  readonly type: 'font/ttf' | 'font/otf' | 'font/collection';
}

/** What a file takes while it is copied chunk by chunk, bytes. */
const COPIED = 192 * 1024;
/** What unwrapping a WOFF file takes, as a multiple of its size. */
const UNWRAPPED = 8;
/** Bytes that tell the format of a font file. */
const SIGNATURE = 4;

export class FontCatalogue {
  readonly #library: FontLibrary;
  readonly #fonts: AccountFonts;

  /** @param library the faces that every account has */
  constructor(library: FontLibrary, fonts: AccountFonts) {
    this.#library = library;
    this.#fonts = fonts;
  }

  /** CSS generic family names and the families they resolve to. */
  get generic(): ReadonlyMap<string, string> {
    return this.#library.generic;
  }

  /** Families that are not installed on this server, each with the command that installs it. */
  get installable(): FontLibrary['installable'] {
    return this.#library.installable;
  }

  /** In fallback order. */
  async families(accountId: string): Promise<CatalogueFamily[]> {
    const uploads = await this.#fonts.list(accountId);
    const ids = new Map(uploads.map(({ id, face }) => [face, id]));
    return (await this.#all(accountId)).map(({ name, category, scripts, faces }) => ({
      family: name,
      own: faces.some(({ id }) => ids.has(id)),
      scripts,
      faces: faces.map(({ id, weight, width, style, axes }) => ({
        ...{ id, fontId: ids.get(id) ?? null, weight, width, style, axes },
        isEmoji: category === 'emoji',
      })),
    }));
  }

  /** The coverage of each face by its id, as serialised by `Coverage`. */
  async coverage(accountId: string): Promise<Readonly<Record<string, string>>> {
    const faces = (await this.#all(accountId)).flatMap((family) => family.faces);
    const texts = new Map<Coverage, string>();
    const textOf = (coverage: Coverage) => {
      const text = texts.get(coverage) ?? coverage.toString();
      texts.set(coverage, text);
      return text;
    };
    return Object.fromEntries(faces.map(({ id, coverage }) => [id, textOf(coverage)]));
  }

  /** @throws AppError `not_found`, also for another account's upload */
  async open(accountId: string, faceId: string): Promise<FaceFile> {
    const faces = (await this.#all(accountId)).flatMap((family) => family.faces);
    const face = faces.find(({ id }) => id === faceId);
    if (!face) throw new AppError('not_found', 'face not found');
    await using file = await open(face.path);
    const { size } = await file.stat();
    const { buffer: head } = await file.read(new Uint8Array(SIGNATURE));
    if (!isWoff(head)) {
      const read = async () => ({ body: createReadStream(face.path), length: size, type: typeOf(head) });
      return { size, memory: COPIED, read };
    }
    const read = async () => {
      const bytes = await unwrapWoff(await readFile(face.path));
      return {
        body: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length),
        length: bytes.length,
        type: typeOf(bytes),
      };
    };
    return { size, memory: UNWRAPPED * size, read };
  }

  async #all(accountId: string): Promise<FontLibrary['all']> {
    const own = await this.#fonts.faces(accountId);
    if (own.length === 0) return this.#library.all;
    return this.#library.with(own.map((face) => ({ ...face, coverage: Coverage.parse(face.coverage) }))).all;
  }
}

function typeOf(bytes: Uint8Array): SfntFile['type'] {
  const tag = String.fromCharCode(...bytes.subarray(0, SIGNATURE));
  if (tag === 'OTTO') return 'font/otf';
  return tag === 'ttcf' ? 'font/collection' : 'font/ttf';
}
