// One PDF file being written: its indirect objects, its named resources and its one page. The door to pdfkit.
//
// pdfkit numbers and deflates the objects and writes the page tree, the cross-reference table and the trailer. The page
// and its form XObjects share one resource dictionary, so a name means one thing in the whole file.
//
// Nothing in a file comes from a clock: the dates are constant, the file identifier is a digest of the page.

import { createHash } from 'node:crypto';
import PDFKit from 'pdfkit';
import type { Matrix, Size } from '#core/geometry.ts';

/** A value of a dictionary. A string is a name (and must be a valid one), bytes are a hexadecimal string. */
export type PdfValue = number | boolean | string | Uint8Array | PdfReference | readonly PdfValue[] | Dictionary;
export type Dictionary = { readonly [key: string]: PdfValue };

/** An indirect object, which others may name before it is written. */
export interface PdfReference {
  data: Dictionary;
  /** Writes the object, with a stream when there are bytes; deflated unless `data` has a `Filter`. */
  end(stream?: Uint8Array | string): void;
}

export type ResourceKind = 'Font' | 'XObject' | 'ExtGState' | 'Pattern';

/** What is used of pdfkit, part of it missing from its published types. */
interface KitDocument {
  readonly page: {
    readonly resources: PdfReference;
    readonly dictionary: { data: Dictionary };
    readonly annotations: PdfReference[];
    write(operators: string): void;
  };
  _id: Uint8Array;
  ref(data: Dictionary): PdfReference;
  end(): void;
  endMetadata(): void;
  read(): Uint8Array | null;
}

/** A CSS px is 1/96 inch, a PDF unit 1/72. */
const POINTS_PER_PIXEL = 0.75;
const MAKER = 'Platen';
/** The same in every file, so that equal pages are equal bytes. */
const WRITTEN_AT = new Date('2000-01-01T00:00:00Z');

const PREFIX: Readonly<Record<ResourceKind, string>> = { Font: 'F', XObject: 'X', ExtGState: 'G', Pattern: 'P' };

/** A transparency group that starts from nothing and meets what lies below as one object (ISO 32000-1, 11.6.6). */
export const ISOLATED_GROUP: Dictionary = { Type: 'Group', S: 'Transparency', CS: 'DeviceRGB', I: true };

export class PdfDocument {
  readonly #kit: KitDocument;
  readonly #names: Readonly<Record<ResourceKind, Map<unknown, string>>> = {
    Font: new Map(),
    XObject: new Map(),
    ExtGState: new Map(),
    Pattern: new Map(),
  };
  readonly #resources: Record<ResourceKind, Record<string, PdfReference>> = {
    Font: {},
    XObject: {},
    ExtGState: {},
    Pattern: {},
  };
  readonly #digest = createHash('sha256');
  /** From canvas px, y down, to the page's default user space: points, y up. */
  readonly pageMatrix: Matrix;

  /** @param size of the canvas, px */
  constructor(size: Size, title: string | null) {
    const width = size.width * POINTS_PER_PIXEL;
    const height = size.height * POINTS_PER_PIXEL;
    this.pageMatrix = [POINTS_PER_PIXEL, 0, 0, -POINTS_PER_PIXEL, 0, height];
    const info = { Producer: MAKER, Creator: MAKER, CreationDate: WRITTEN_AT, ModDate: WRITTEN_AT };
    const kit = new PDFKit({
      size: [width, height],
      margin: 0,
      pdfVersion: '1.7',
      // `null` keeps pdfkit from loading Helvetica; its published types do not know it yet.
      font: null as unknown as string,
      info: title === null ? info : { ...info, Title: title },
    });
    this.#kit = kit as unknown as KitDocument;
    // pdfkit would repeat the document information as XMP, and the title unescaped.
    this.#kit.endMetadata = () => {};
    this.#kit.page.dictionary.data = { ...this.#kit.page.dictionary.data, Group: ISOLATED_GROUP };
  }

  /** Reserves an object that is written later. */
  reserve(): PdfReference {
    return this.#kit.ref({});
  }

  /** Writes an object. */
  object(data: Dictionary, stream?: Uint8Array | string): PdfReference {
    // A copy, because pdfkit adds the stream's own entries to it.
    const reference = this.#kit.ref({ ...data });
    if (stream !== undefined) this.#digest.update(stream);
    reference.end(stream);
    return reference;
  }

  /** The name, with its slash, of the resource known by `key`; `make` is asked for it once. */
  resource(kind: ResourceKind, key: unknown, make: () => PdfReference): string {
    const names = this.#names[kind];
    let name = names.get(key);
    if (name === undefined) {
      name = `${PREFIX[kind]}${names.size + 1}`;
      names.set(key, name);
      this.#resources[kind][name] = make();
    }
    return `/${name}`;
  }

  /** The name of a graphics state parameter dictionary (8.4.5), made once for each `key`. */
  graphicsState(key: string, parameters: () => Dictionary): string {
    return this.resource('ExtGState', key, () => this.object({ Type: 'ExtGState', ...parameters() }));
  }

  /** A form XObject that draws with the page's resources (8.10). */
  form(data: Dictionary, operators: string): PdfReference {
    const resources = this.#kit.page.resources;
    return this.object({ Type: 'XObject', Subtype: 'Form', ...data, Resources: resources }, operators);
  }

  annotate(annotation: Dictionary): void {
    this.#kit.page.annotations.push(this.object({ Type: 'Annot', ...annotation }));
  }

  /** Closes the file. `operators` is the page's content, in canvas px. */
  finish(operators: string): Uint8Array {
    const { page } = this.#kit;
    page.resources.data = { ...page.resources.data, ...this.#resources };
    // pdfkit has flipped the page already.
    page.write(`${POINTS_PER_PIXEL} 0 0 ${POINTS_PER_PIXEL} 0 0 cm\n${operators}`);
    this.#kit._id = this.#digest.update(operators).digest().subarray(0, 16);
    this.#kit.end();
    const bytes = this.#kit.read();
    if (bytes === null) throw new Error('pdfkit left the file unfinished.');
    return bytes;
  }
}
