// Lists the font families that an account's templates may use, with their faces: what an editor needs to choose fonts
// and to draw as the server does.

import { createReadStream } from 'node:fs';
import { open, readFile } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { NEVER } from '#base/concurrency/deadline.ts';
import { Gate } from '#base/concurrency/gate.ts';
import { AppError } from '#base/errors.ts';
import { quoted } from '#core/diagnostics.ts';
import { type CatalogFamily, commandFor } from '#core/fonts/catalog.ts';
import { Coverage } from '#core/fonts/coverage.ts';
import type { FontLibrary } from '#draw/fonts/font-library.ts';
import { archiveUrl, checkIntegrity, inArchive } from '#draw/fonts/font-package.ts';
import { isWoff, unwrapWoff } from '#draw/fonts/woff.ts';
import type { OutboundClient } from '#server/net/outbound-client.ts';
import { permitted } from '../idempotency.ts';
import type { Permit } from '../people/permit.ts';
import type { AccountFonts, Font } from './fonts.ts';

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

/** Most bytes of a package that is fetched, and of what it unpacks to: twice what the largest has that may be added. */
const [MAX_ARCHIVE, MAX_UNPACKED] = [20 * 2 ** 20, 36 * 2 ** 20];
/** Of one package, ms. */
const FETCH_TIMEOUT = 60_000;

/** The npm registry that the operator lets the studio fetch fonts from. */
export interface FontRegistry {
  /** Without a trailing slash. */
  readonly url: string;
  /** Opens connections by the guard. */
  readonly client: Pick<OutboundClient, 'get'>;
  /** Those of the catalogue. */
  readonly families: readonly CatalogFamily[];
}

export class FontCatalogue {
  readonly #library: FontLibrary;
  readonly #fonts: AccountFonts;
  readonly #registry: FontRegistry | null;
  /** One package is in memory at a time. */
  readonly #fetches = new Gate({ concurrency: 1, waiting: 20 });

  /**
   * @param library the faces that every account has
   * @param registry null = no fonts are fetched
   */
  constructor(library: FontLibrary, fonts: AccountFonts, registry: FontRegistry | null) {
    this.#library = library;
    this.#fonts = fonts;
    this.#registry = registry;
  }

  /** CSS generic family names and the families they resolve to. */
  get generic(): ReadonlyMap<string, string> {
    return this.#library.generic;
  }

  /** Families that are not installed on this server, each with the command that installs it. */
  get installable(): FontLibrary['installable'] {
    return this.#library.installable;
  }

  /** Whether `add` fetches families. */
  get canAdd(): boolean {
    return this.#registry !== null;
  }

  /**
   * Fetches a family that is not installed, and stores its regular and bold faces, their italics, and its boldest one as
   * fonts of the account: all of them, or none. The account has those that it has already.
   *
   * @throws AppError `forbidden` where no registry is configured; `not_found`; `invalid_request` saying why it could not
   *   be fetched; `overloaded`; what uploading a font throws
   */
  async add(accountId: string, name: string, permit: Permit): Promise<readonly Font[]> {
    const registry = this.#registry;
    const installable = this.installable.find((each) => each.family === name);
    if (!installable) {
      throw new AppError('not_found', `The catalogue has no family ${quoted(name)} that is not installed already.`);
    }
    const family = registry?.families.find((each) => each.family === name);
    if (!registry || !family) {
      throw new AppError(
        'forbidden',
        `This server fetches no fonts: PLATEN_FONT_REGISTRY is not set. Its administrator can install the family: ${installable.command}`,
      );
    }
    const existing = async () => (await this.#fonts.list(accountId)).filter((font) => font.family === name);
    return this.#fetches.pass(
      NEVER,
      async () => {
        const before = await existing();
        if (before.length > 0) return before;
        const faces = await fetchFaces(family, registry);
        const added: Font[] = [];
        try {
          for (const bytes of faces) {
            added.push(await this.#fonts.upload(accountId, bytes, name, permitted<Font>(permit)));
          }
        } catch (error) {
          for (const { id } of added) await this.#fonts.delete(accountId, id).catch(() => {});
          throw error;
        }
        return added;
      },
      accountId,
    );
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

/** The files of the faces that an account gets of a family, each in full. */
async function fetchFaces(family: CatalogFamily, { url, client }: FontRegistry): Promise<readonly Uint8Array[]> {
  const options = { maxBytes: MAX_ARCHIVE, timeout: FETCH_TIMEOUT };
  const { bytes } = await client.get(archiveUrl(url, family), options).catch((error: unknown) => {
    const isGuarded = error instanceof AppError && error.code === 'url_not_allowed';
    const problem = error instanceof AppError ? error.message : 'The connection failed.';
    const reason = isGuarded ? 'its address is private or not known (PLATEN_ALLOW_PRIVATE_NETWORKS).' : problem;
    throw new AppError(
      'invalid_request',
      `${family.family} could not be fetched from ${new URL(url).host}: ${reason} Whoever runs this server can install it instead: ${commandFor(family)}`,
      { cause: error },
    );
  });
  checkIntegrity(bytes, family);
  const read = await inArchive(bytes, MAX_UNPACKED);
  return Promise.all(
    chosenFaces(family).map(async ({ file }) => {
      const found = await read(file);
      if (!found) throw new AppError('invalid_request', `The package of ${family.family} lacks ${file}.`);
      // Not a view, which would keep the whole package in memory.
      return found.slice();
    }),
  );
}

/** Of each style the faces nearest to 400 and 700, and the boldest upright one: every render considers each font. */
function chosenFaces({ faces }: CatalogFamily): CatalogFamily['faces'] {
  const ofStyle = (style: 'normal' | 'italic') => faces.filter((face) => face.style === style);
  const nearest = (style: 'normal' | 'italic', weight: number) =>
    ofStyle(style).toSorted((a, b) => Math.abs(a.weight - weight) - Math.abs(b.weight - weight))[0];
  const wanted = (['normal', 'italic'] as const).flatMap((style) => [nearest(style, 400), nearest(style, 700)]);
  const chosen = new Set([...wanted, nearest('normal', 1_000)]);
  return faces.filter((face) => chosen.has(face));
}

function typeOf(bytes: Uint8Array): SfntFile['type'] {
  const tag = String.fromCharCode(...bytes.subarray(0, SIGNATURE));
  if (tag === 'OTTO') return 'font/otf';
  return tag === 'ttcf' ? 'font/collection' : 'font/ttf';
}
