// Pictures in the page: fetched once per source, with the facts that layout needs and a URL for the canvas.
//
// The server decides what is refused: a picture that the page cannot read is left out here, with a warning, and the
// exact pixels show what the server draws.

import type { Size } from '#core/geometry.ts';
import type { ImageNeed } from '#core/resolve/scene.ts';
import type { ImageResource } from '#core/resources.ts';
import { texts } from '../../../texts/editor.ts';
import type { Clock } from '../clock.ts';

/** Fetches the bytes of a source: a `data:` URL, the id of an uploaded image, or an external URL. */
export type ReadImage = (source: string) => Promise<Uint8Array<ArrayBuffer>>;

export interface OpenedPicture extends Size {
  readonly format: ImageResource['format'];
  readonly bytes: Uint8Array;
  readonly hasAlpha: boolean;
  readonly hasNoSize?: true;
  /** Where the page has it, until it is released. */
  readonly address: string;
}

/** Decodes pictures, and keeps them at addresses of the page. */
export interface PictureOpener {
  /** @throws Error with a sentence for the user */
  open(bytes: Uint8Array<ArrayBuffer>): Promise<OpenedPicture>;
  release(address: string): void;
}

/** The server has no such upload: it was deleted, or belongs to another account. */
export class MissingUpload extends Error {
  constructor(id: string) {
    super(`There is no uploaded image ${JSON.stringify(id)}.`);
  }
}

/** Why a source shows nothing, and when it may be requested again. */
interface Failure {
  readonly error: Error;
  readonly times: number;
  /** ms of the clock. */
  readonly dueAt: number;
}

/** ms until a failed source may be requested again; doubled by each failure, up to the longest. */
const PAUSE = 2_000;
const LONGEST_PAUSE = 30_000;

/** Shown until a picture is chosen, so that the layer can be seen and selected: a veil of grey. */
const PLACEHOLDER = { format: 'svg', bytes: new Uint8Array(0), width: 400, height: 300, hasAlpha: true } as const;
const PLACEHOLDER_ADDRESS =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' width='400' height='300'%3E%3Crect width='400' height='300' fill='%23888' fill-opacity='.3'/%3E%3C/svg%3E";

/** The longest source, in characters, that is its own key; a `data:` URL may have millions. */
const KEY_LENGTH = 200;

export class SceneImages {
  readonly #read: ReadImage;
  readonly #opener: PictureOpener;
  readonly #now: Clock['now'];
  readonly #pictures = new Map<string, OpenedPicture>();
  /** By key. */
  readonly #sources = new Map<string, string>();
  readonly #failures = new Map<string, Failure>();
  readonly #loading = new Map<string, Promise<void>>();
  /** For the needs of the last scene: the picture's URL by key. */
  #addresses = new Map<string, string>();
  /** For the needs of the last scene: the sources that could not be loaded. */
  #failing: readonly string[] = [];
  #isOver = false;

  constructor(read: ReadImage, opener: PictureOpener, { now }: Pick<Clock, 'now'>) {
    this.#read = read;
    this.#opener = opener;
    this.#now = now;
  }

  /** The pictures for these needs, with placeholders where none is chosen; null if one must still be loaded. */
  ready(needs: readonly ImageNeed[]): {
    readonly images: ReadonlyMap<string, ImageResource>;
    readonly failed: readonly { readonly layer: string; readonly message: string }[];
    /** The layers that show a page of a PDF, and nothing in pictures. */
    readonly papers: readonly string[];
  } | null {
    const images = new Map<string, ImageResource>();
    const addresses = new Map<string, string>();
    const failed: { layer: string; message: string }[] = [];
    const failing = new Set<string>();
    const papers: string[] = [];
    for (const need of needs) {
      let failure: Error | null = null;
      let found: OpenedPicture | null = null;
      for (const source of need.sources) {
        const key = keyOf(source);
        const picture = this.#pictures.get(key);
        if (picture) found = picture;
        // A PDF is shown in PDFs alone: on the canvas, as in pictures, what stands for it elsewhere.
        if (picture && picture.format !== 'pdf') break;
        if (picture) continue;
        const { error } = this.#failures.get(key) ?? {};
        if (!error) return null;
        failing.add(source);
        failure ??= error;
      }
      if (found?.format === 'pdf') papers.push(need.layer);
      if (found) {
        const { address, ...facts } = found;
        images.set(need.key, { ...facts, key: need.key, focus: null });
        addresses.set(need.key, address);
      } else {
        if (need.sources.every((source) => source === '')) {
          images.set(need.key, { ...PLACEHOLDER, key: need.key, focus: null });
          addresses.set(need.key, PLACEHOLDER_ADDRESS);
        }
        failed.push({ layer: need.layer, message: failure?.message ?? 'There is no picture yet.' });
      }
    }
    this.#addresses = addresses;
    this.#failing = [...failing];
    return { images, failed, papers };
  }

  async load(needs: readonly ImageNeed[]): Promise<void> {
    await Promise.all(needs.flatMap(({ sources }) => sources.map((source) => this.#load(source))));
  }

  /** The sources of the last scene that could not be loaded. */
  get failing(): readonly string[] {
    return this.#failing;
  }

  /** Those of them whose pause is over: not each return to the page is to cause a request. */
  get due(): readonly string[] {
    const now = this.#now();
    return this.#failing.filter((source) => (this.#failures.get(keyOf(source))?.dueAt ?? 0) <= now);
  }

  /**
   * Requests a source that failed once more. Until it loads, its failure stands: the canvas does not wait for it.
   *
   * @returns whether it loaded now
   */
  async retry(source: string): Promise<boolean> {
    const key = keyOf(source);
    if (!this.#failures.has(key)) return false;
    await this.#request(source);
    return this.#pictures.has(key);
  }

  /**
   * Requests the loaded sources again, after uploads were deleted or brought back elsewhere: those that the server no
   * longer has are left out from now on, and those that failed are tried at once.
   *
   * @param isUpload whether a source names an upload; others are not requested
   */
  async recheck(isUpload: (source: string) => boolean): Promise<void> {
    const loaded = [...this.#sources].filter(([key, source]) => this.#pictures.has(key) && isUpload(source));
    await Promise.all([
      ...loaded.map(async ([key, source]) => {
        try {
          await this.#read(source);
        } catch (error) {
          if (!(error instanceof MissingUpload)) return;
          this.#opener.release(this.#pictures.get(key)?.address ?? '');
          this.#pictures.delete(key);
          this.#fail(key, error);
        }
      }),
      ...this.#failing.filter(isUpload).map((source) => this.retry(source)),
    ]);
  }

  /** Gives up the memory of all pictures. */
  dispose(): void {
    this.#isOver = true;
    for (const { address } of this.#pictures.values()) this.#opener.release(address);
  }

  address(key: string): string | null {
    return this.#addresses.get(key) ?? null;
  }

  /** The natural size of a source, if it is loaded. */
  sizeOf(source: string): Pick<OpenedPicture, 'width' | 'height' | 'format' | 'address'> | null {
    return this.#pictures.get(keyOf(source)) ?? null;
  }

  #load(source: string): Promise<void> {
    const key = keyOf(source);
    return this.#pictures.has(key) || this.#failures.has(key) ? Promise.resolve() : this.#request(source);
  }

  #request(source: string): Promise<void> {
    const key = keyOf(source);
    let loading = this.#loading.get(key);
    if (!loading) {
      loading = this.#open(source)
        .then(
          (picture) => {
            this.#pictures.set(key, picture);
            this.#sources.set(key, source);
            this.#failures.delete(key);
            if (this.#isOver) this.dispose();
          },
          (error: unknown) => this.#fail(key, error instanceof Error ? error : new Error('It could not be read.')),
        )
        .finally(() => this.#loading.delete(key));
      this.#loading.set(key, loading);
    }
    return loading;
  }

  #fail(key: string, error: Error): void {
    const times = (this.#failures.get(key)?.times ?? 0) + 1;
    const pause = Math.min(PAUSE * 2 ** (times - 1), LONGEST_PAUSE);
    this.#failures.set(key, { error, times, dueAt: this.#now() + pause });
  }

  async #open(source: string): Promise<OpenedPicture> {
    if (source === '') throw new Error(texts.value.scene.noPicture);
    return this.#opener.open(await this.#read(source));
  }
}

/** The key of a long source: its length, its beginning, and a digest of all of it. */
function keyOf(source: string): string {
  if (source.length <= KEY_LENGTH) return source;
  let hash = 0x811c9dc5;
  for (let i = 0; i < source.length; i++) hash = Math.imul(hash ^ source.charCodeAt(i), 0x01000193);
  return `${source.slice(0, 60)} ${source.length} ${hash}`;
}
