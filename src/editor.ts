// The types of `platen/editor`: the editor of templates as an ES module, without a server. src/studio/module/main.ts is
// its code, which scripts/build-editor.ts bundles.

import type { TemplateDocument } from '#core/template/template.ts';

export type { TemplateDocument };

/** A font file that the editor may set texts in, and lists by its family. */
export interface EditorFont {
  /** Family name in templates. The first family is the default, the others are fallbacks, in order. */
  readonly family: string;
  /** 1 to 1000; default 400. Of a variable font, any of its weights are there. */
  readonly weight?: number | undefined;
  /** Default: normal. */
  readonly style?: 'normal' | 'italic' | undefined;
  /** TTF, OTF, WOFF or WOFF2, at most 16 MiB. */
  readonly data?: ArrayBuffer | Uint8Array | undefined;
  /** Instead of `data`: where the page loads the file, when the editor is opened. */
  readonly url?: string | URL | undefined;
}

/** A picture in the editor's list. */
export interface EditorImage {
  /** What a layer's `src` is when it is chosen. */
  readonly src: string;
  readonly name?: string | undefined;
  /** Address of a small picture for the list; default: `src`. */
  readonly preview?: string | undefined;
}

/** What is absent is not offered. */
export interface EditorImages {
  /** The pictures to choose from. */
  list?(): Promise<readonly EditorImage[]>;
  /** Stores a file that was chosen, dropped or pasted. */
  upload?(file: File): Promise<{ readonly src: string }>;
  /** The file of a source, at most 15 MiB. Default: `fetch`, which other sites must allow by CORS. */
  load?(src: string): Promise<Blob>;
}

/** What designs refer to; a document that refers to neither needs none. */
export interface EditorMaterials {
  /** A brand by name, `acme` or `acme@2`. */
  brand?(reference: string): Promise<unknown>;
  /** The template that a component shows, by id, `tpl_…` or `tpl_…@3`. */
  template?(reference: string): Promise<unknown>;
}

export interface EditorOptions {
  /** A template of layers. */
  readonly document: TemplateDocument;
  /** 1 to 100. */
  readonly fonts: readonly EditorFont[];
  readonly images?: EditorImages | undefined;
  readonly materials?: EditorMaterials | undefined;
  /** `all` (default), or `texts-and-pictures`: the words of texts, and which pictures are shown. */
  readonly rights?: 'all' | 'texts-and-pictures' | undefined;
  /** Names of layers that stay as they are, with what is in them. */
  readonly locked?: readonly string[] | undefined;
  /** BCP 47; default: that of the element or of the page. */
  readonly lang?: string | undefined;
  /** Shown in the bar: an address, or the picture itself. */
  readonly logo?: string | Blob | undefined;
  /** Ends the editor when it is aborted, also while it is being opened. */
  readonly signal?: AbortSignal | undefined;
  /** The document was changed; at most three times a second. */
  onChange?(document: TemplateDocument): void;
  /** The user pressed *Done*. */
  onSave?(document: TemplateDocument): void;
  /**
   * The user wants another picture for a layer. Resolves to its source, to null for none, or to undefined: then the editor
   * asks for it. Absent: the editor asks.
   */
  onPictureWanted?(layer: string): Promise<string | null | undefined>;
}

export interface DownloadOptions {
  /** Default: png. */
  readonly output?: 'png' | 'jpeg' | 'webp' | 'svg' | 'pdf' | undefined;
  /** Device px per canvas px, 0.1 to 3; default 1. */
  readonly scale?: number | undefined;
}

export interface PlatenEditor {
  /** Opens another document in place of this one. It cannot be undone. @throws Error saying why it cannot be opened */
  load(document: TemplateDocument): void;
  /** Shows the document with these values by layer; they are not stored in it. */
  setData(values: Readonly<Record<string, unknown>>): void;
  getDocument(): TemplateDocument;
  /** The document as a file, drawn in the page with the values of `setData`. @throws Error saying why it cannot be drawn */
  download(options?: DownloadOptions): Promise<Blob>;
  /** Takes over custom properties, `--platen-accent` and others, that were changed since the editor was opened. */
  refreshLook(): void;
  /** Removes the editor from the page. */
  destroy(): void;
}

/**
 * Shows the editor in an element, as large as that is. A page may have several; all of them are in the language of the last
 * that was opened.
 *
 * @throws Error naming the option that is wrong, and how to correct it; the signal's reason when it was aborted
 */
export declare function createEditor(element: HTMLElement, options: EditorOptions): Promise<PlatenEditor>;
