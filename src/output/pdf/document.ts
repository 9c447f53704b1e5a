// One PDF file being written: its named resources and its one page.
//
// The page and its form XObjects share one resource dictionary, so a name means one thing in the whole file.
//
// Nothing in a file comes from a clock: the date is constant, the file identifier is a digest of what is in it.

import type { Matrix, Size } from '#core/geometry.ts';
import type { Dictionary, PdfReference } from './object.ts';
import { ObjectFile } from './object-file.ts';
import { num, utf16Hex } from './syntax.ts';

export type ResourceKind = 'Font' | 'XObject' | 'ExtGState' | 'Pattern';

/** A CSS px is 1/96 inch, a PDF unit 1/72. */
const POINTS_PER_PIXEL = 0.75;
const MAKER = Buffer.from('Platen');
/** The same in every file, so that equal pages are equal bytes. */
const WRITTEN_AT = Buffer.from('D:20000101000000Z');

const PREFIX: Readonly<Record<ResourceKind, string>> = { Font: 'F', XObject: 'X', ExtGState: 'G', Pattern: 'P' };

/** A transparency group that starts from nothing and meets what lies below as one object (ISO 32000-1, 11.6.6). */
export const ISOLATED_GROUP: Dictionary = { Type: 'Group', S: 'Transparency', CS: 'DeviceRGB', I: true };

export class PdfDocument {
  readonly #file = new ObjectFile();
  readonly #size: Size;
  readonly #title: string | null;
  /** The page's resource dictionary. */
  readonly #resources = this.#file.reserve();
  readonly #names: Readonly<Record<ResourceKind, Map<unknown, string>>> = {
    Font: new Map(),
    XObject: new Map(),
    ExtGState: new Map(),
    Pattern: new Map(),
  };
  readonly #named: { [kind in ResourceKind]?: Record<string, PdfReference> } = {};
  readonly #annotations: PdfReference[] = [];
  /** From canvas px, y down, to the page's default user space: points, y up. */
  readonly pageMatrix: Matrix;

  /** @param size of the canvas, px */
  constructor(size: Size, title: string | null) {
    this.#size = { width: size.width * POINTS_PER_PIXEL, height: size.height * POINTS_PER_PIXEL };
    this.#title = title;
    this.pageMatrix = [POINTS_PER_PIXEL, 0, 0, -POINTS_PER_PIXEL, 0, this.#size.height];
  }

  /** Reserves an object, to be written later. */
  reserve(): PdfReference {
    return this.#file.reserve();
  }

  /** Writes an object that was reserved; its stream is deflated where that pays, unless `data` has a `Filter`. */
  write(reference: PdfReference, data: Dictionary, stream?: Uint8Array | string): void {
    this.#file.write(reference, data, stream);
  }

  /** Writes an object. */
  object(data: Dictionary, stream?: Uint8Array | string): PdfReference {
    const reference = this.reserve();
    this.write(reference, data, stream);
    return reference;
  }

  /** The name, with its slash, of the resource known by `key`; `make` is asked for it once. */
  resource(kind: ResourceKind, key: unknown, make: () => PdfReference): string {
    const names = this.#names[kind];
    let name = names.get(key);
    if (name === undefined) {
      name = `${PREFIX[kind]}${names.size + 1}`;
      names.set(key, name);
      const named = this.#named[kind] ?? {};
      this.#named[kind] = named;
      named[name] = make();
    }
    return `/${name}`;
  }

  /** The name of a graphics state parameter dictionary (8.4.5), made once for each `key`. */
  graphicsState(key: string, parameters: () => Dictionary): string {
    return this.resource('ExtGState', key, () => this.object({ Type: 'ExtGState', ...parameters() }));
  }

  /** A form XObject that draws with the page's resources (8.10). */
  form(data: Dictionary, operators: string): PdfReference {
    return this.object({ Type: 'XObject', Subtype: 'Form', ...data, Resources: this.#resources }, operators);
  }

  annotate(annotation: Dictionary): void {
    this.#annotations.push(this.object({ Type: 'Annot', ...annotation }));
  }

  /** Closes the file. `operators` is the page's content, in canvas px. */
  finish(operators: string): Uint8Array {
    const { width, height } = this.#size;
    this.write(this.#resources, this.#named);
    const pages = this.reserve();
    const page = this.object({
      Type: 'Page',
      Parent: pages,
      MediaBox: [0, 0, width, height],
      Resources: this.#resources,
      Contents: this.object(
        {},
        `1 0 0 -1 0 ${num(height)} cm\n${POINTS_PER_PIXEL} 0 0 ${POINTS_PER_PIXEL} 0 0 cm\n${operators}`,
      ),
      Group: ISOLATED_GROUP,
      ...(this.#annotations.length > 0 ? { Annots: this.#annotations } : {}),
    });
    this.write(pages, { Type: 'Pages', Kids: [page], Count: 1 });
    return this.#file.finish(
      this.object({ Type: 'Catalog', Pages: pages }),
      this.object({
        ...(this.#title === null ? {} : { Title: textString(this.#title) }),
        Producer: MAKER,
        Creator: MAKER,
        CreationDate: WRITTEN_AT,
      }),
    );
  }
}

/** Text that a reader shows (7.9.2.2): UTF-16BE behind its byte order mark. */
function textString(text: string): Uint8Array {
  return Buffer.from(`feff${utf16Hex(text)}`, 'hex');
}
