// All that the editor gets from outside of itself, and gives back. The server's routes implement it for the studio and
// for pages of other sites (../server-host.ts), the page around for `platen/editor` (../../module/page-host.ts). What is null
// there is not shown.

import type { By, Draft, FileRequest, RenderDetail } from '../../shell/contract.ts';
import type { Kept } from './clock.ts';
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
  /** Shows a short message. */
  tell(text: string, options?: Telling): void;
  /** Shows why something failed. @param about what it is about, such as the name of a file */
  tellError(error: unknown, about?: string): void;
  /** What this browser, or this page, keeps between sessions. */
  readonly kept: Kept;
}

interface Telling {
  readonly tone?: 'neutral' | 'bad';
  readonly action?: { readonly label: string; readonly onSelect: () => void };
  /** How long it stays, ms. */
  readonly lasts?: number;
}

/** A picture to choose. */
export interface ListedPicture {
  /** What a layer's `src` says of it. */
  readonly src: string;
  readonly name: string;
  /** Where the page loads it for the list. */
  readonly address: string;
  /** px, where it is known. */
  readonly size?: { readonly width: number; readonly height: number };
}

/** px; null: not known. */
interface UploadedPicture {
  readonly src: string;
  readonly width: number | null;
  readonly height: number | null;
}

export interface PictureList {
  readonly pictures: readonly ListedPicture[];
  /** Names of all folders; none where a host has no folders. */
  readonly folders: readonly string[];
}

interface PictureStore {
  /** The newest 100 whose name has the words. @param folder the name of the one that they are in; absent or '' = any */
  readonly list: ((search: string, folder?: string) => Promise<PictureList>) | null;
  /** @param folder absent or '' = none */
  readonly upload: ((file: File, folder?: string) => Promise<UploadedPicture>) | null;
  /** Whether a source names an upload, which may be deleted or brought back elsewhere. */
  isUpload(source: string): boolean;
  /** Calls `listener` when uploads or fonts were changed elsewhere. Returns a function that ends this. */
  onChanged(listener: () => void): () => void;
}

export type SaveAnswer =
  | { readonly kind: 'saved'; readonly revision: number; readonly savedAt: string }
  /** Somebody else, or another tab, saved since then. */
  | { readonly kind: 'changed'; readonly by: By; readonly at: string | null }
  /** Certainly not stored. */
  | { readonly kind: 'refused'; readonly message: string };

export interface DraftStore {
  /** Names the unsaved changes that this browser keeps. */
  readonly key: string;
  read(): Promise<Draft>;
  /**
   * @param on the revision that it replaces
   * @throws Error if it is unknown whether it was stored
   */
  save(document: RawDocument, baseVersion: number, on: number): Promise<SaveAnswer>;
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

/** A template to show as a component. */
export interface ListedTemplate {
  readonly id: string;
  readonly name: string;
  readonly version: number;
  readonly folder: string | null;
  /** The address of its picture. */
  readonly picture: string;
}

interface TemplateStore {
  /** Those that can be components: the newest 100 whose name has the words. */
  list(search: string): Promise<readonly ListedTemplate[]>;
  find(id: string): Promise<{ readonly name: string; readonly version: number }>;
  create(document: RawDocument): Promise<{ readonly id: string; readonly name: string; readonly version: number }>;
  /** Where a template is edited. */
  address(id: string): string;
}

/** A template that was opened: the draft on the server, and the document to start from: newer if a tab crashed before it saved. */
export interface Opened {
  readonly draft: Draft;
  readonly saved: RawDocument;
  readonly document: RawDocument;
  /** Initial values of the parameters: of the render that `?values=` names, otherwise none. */
  readonly values: RenderDetail['modifications'] & object;
}

/** What may be edited by somebody who may not edit everything: in the page of another site. */
export interface EditLimits {
  /** Why an edit may not be made, which the user is then told; null = it may. */
  refusal(before: RawDocument, after: RawDocument): string | null;
  /** Whether a layer cannot be selected on the canvas. */
  isLocked(document: RawDocument, name: string): boolean;
  /** Whether layers may be moved, resized, added and styled, besides getting other texts and pictures. */
  readonly mayDesign: boolean;
}
