// All that the editor gets from outside of itself, and gives back. The server's routes implement it for the studio and
// for pages of other sites (server-host.ts), the page around for `platen/editor` (../module/page-host.ts). What is null
// there is not shown.

import type { Draft } from '../shell/contract.ts';
import type { FileRequest } from '../shell/drawn-file.ts';
import type { MaterialSource } from './design/designs.ts';
import type { RawDocument } from './document/document.ts';
import type { FontSource } from './scene/fonts.ts';
import type { ReadImage } from './scene/images.ts';

export interface EditorHost {
  /** Names the document in what this browser keeps of it: the grid, and sets of data. null: nothing is kept. */
  readonly key: string | null;
  readonly fonts: FontSource;
  readonly readImage: ReadImage;
  readonly materials: MaterialSource;
  readonly pictures: PictureStore;
  /** null: nothing is saved, and changes stay in the page. */
  readonly drafts: DraftStore | null;
  /** The brands to choose from. */
  readonly brands: BrandStore | null;
  /** The templates that components show. */
  readonly templates: TemplateStore | null;
  /** Draws a document as a file, as it is edited. */
  draw(document: RawDocument, request: FileRequest, signal?: AbortSignal): Promise<Blob>;
}

/** A picture to choose. */
export interface ListedPicture {
  /** What a layer's `src` says of it. */
  readonly src: string;
  readonly name: string;
  /** Where the page loads it for the list. */
  readonly address: string;
}

/** px; null: not known. */
interface UploadedPicture {
  readonly src: string;
  readonly width: number | null;
  readonly height: number | null;
}

interface PictureStore {
  readonly list: (() => Promise<readonly ListedPicture[]>) | null;
  readonly upload: ((file: File) => Promise<UploadedPicture>) | null;
  /** Whether a source names an upload, which may be deleted or brought back elsewhere. */
  isUpload(source: string): boolean;
  /** Calls `listener` when uploads or fonts were changed elsewhere. Returns a function that ends this. */
  onChanged(listener: () => void): () => void;
}

export interface DraftStore {
  /** Names the unsaved changes that this browser keeps. */
  readonly key: string;
  read(): Promise<Draft>;
  /** @param on the revision that it replaces; another one is refused with 412 */
  save(document: RawDocument, baseVersion: number, on: number): Promise<{ revision: number; savedAt: string }>;
  /** @param over the version of somebody else that the draft knowingly replaces */
  publish(
    note: string,
    over: number | undefined,
    on: number,
  ): Promise<{ version: number; revision: number; createdAt: string }>;
  /** Stores the document as another template. @returns its id */
  copy(document: RawDocument): Promise<string>;
}

interface BrandStore {
  list(): Promise<readonly { readonly name: string; readonly version: number }[]>;
  /** Where a brand is shown. */
  address(name: string): string;
}

interface TemplateStore {
  find(id: string): Promise<{ readonly name: string; readonly version: number }>;
  create(document: RawDocument): Promise<{ readonly id: string; readonly name: string; readonly version: number }>;
  /** Where a template is edited. */
  address(id: string): string;
}
