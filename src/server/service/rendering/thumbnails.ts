// Thumbnails of templates and drafts for lists, and the larger pictures of reviews: each version and revision is drawn
// once and cached in memory, unless an image was left out.

import { SingleFlight } from '#base/concurrency/single-flight.ts';
import { ValidationError } from '#core/diagnostics.ts';
import { LruCache } from '#core/lru-cache.ts';
import type { Choice } from '#design/choice.ts';
import type { PinnedMaterial } from '#design/references-in.ts';
import { DEFAULT_EXPORT } from '#draw/output/formats.ts';
import type { OpenedDraft } from '../templates/drafts.ts';
import { withNewer } from '../templates/pin-materials.ts';
import type { FoundTemplate, InlineDocument, TemplateLibrary } from '../templates/templates.ts';
import { type DrawContext, draw, fitTemplate } from './render.ts';

/** Capacity of the cache, bytes. */
const CAPACITY = 32 * 1024 * 1024;
/** Length of the longer side of a thumbnail, and of a picture of a review, px. */
const LONGER_SIDE = 480;
const REVIEWED_SIDE = 1_600;
/** Minimum scale of a render. */
const MIN_SCALE = 0.1;

export interface ThumbnailContext extends DrawContext {
  readonly templates: TemplateLibrary;
}

export interface Thumbnail {
  /** WebP. */
  readonly bytes: Uint8Array;
  /** Identifies the version or revision that is shown. */
  readonly etag: string;
  /** False when it may look different next time: an image was unavailable and was left out. */
  readonly lasting: boolean;
}

/** @throws ValidationError naming `with` */
function materialNamed(reference: string): PinnedMaterial {
  const [, name, version] = /^([a-z0-9-]{1,60}|tpl_\w{1,60})@([1-9]\d{0,8})$/.exec(reference) ?? [];
  if (name !== undefined)
    return { kind: name.startsWith('tpl_') ? 'template' : 'brand', name, version: Number(version) };
  throw new ValidationError('with', 'must be a brand or a template at a version, such as "acme@3" or "tpl_…@3"');
}

type Drawn = Pick<Thumbnail, 'bytes' | 'lasting'>;

export class Thumbnails {
  readonly #ctx: ThumbnailContext;
  readonly #kept = new LruCache<string, Uint8Array>(CAPACITY);
  readonly #underWay = new SingleFlight<Drawn>();

  constructor(ctx: ThumbnailContext) {
    this.#ctx = ctx;
  }

  /**
   * @param reference `tpl_…` or `tpl_…@3`
   * @param material a brand or a component at a version, in place of an older one: `acme@3`; null = as it was saved
   * @throws AppError `not_found`, ValidationError when it is no template with that, and what drawing throws
   */
  async find(accountId: string, reference: string, material: string | null = null): Promise<Thumbnail> {
    const { templates } = this.#ctx;
    if (material === null) {
      const found = await templates.find(accountId, reference);
      return this.#find(`${found.id}.${found.version}`, async () => found);
    }
    const used = materialNamed(material);
    const { id, version, document } = await templates.read(accountId, reference);
    return this.#find(`${id}.${version}.${material}`, async () => {
      const newer = await withNewer(JSON.parse(document) as InlineDocument, used, used.version);
      return templates.openInline(accountId, newer, '');
    });
  }

  /** @throws ValidationError when the draft is no template that can be drawn, and what drawing throws */
  async findDraft(
    accountId: string,
    templateId: string,
    { revision, document }: Pick<OpenedDraft, 'revision' | 'document'>,
  ): Promise<Thumbnail> {
    const { templates } = this.#ctx;
    return this.#find(`${templateId}.draft-${revision}`, () =>
      templates.openInline(accountId, JSON.parse(document) as InlineDocument, ''),
    );
  }

  /**
   * A larger picture of a size and a language.
   *
   * @param shown names the version or the revision
   * @param inTurn runs what draws it, unless it is kept
   * @throws what `open`, `inTurn` and drawing throw
   */
  async findReviewed(
    shown: string,
    { size = '', lang = '' }: Choice,
    open: () => Promise<FoundTemplate>,
    inTurn: (draw: () => Promise<Drawn>) => Promise<Drawn>,
  ): Promise<Thumbnail> {
    const etag = `${shown}.${REVIEWED_SIDE}.${size}.${lang}`;
    return this.#find(etag, open, inTurn, REVIEWED_SIDE);
  }

  async #find(
    etag: string,
    open: () => Promise<FoundTemplate>,
    inTurn = (draw: () => Promise<Drawn>) => draw(),
    side = LONGER_SIDE,
  ): Promise<Thumbnail> {
    const kept = this.#kept.get(etag);
    if (kept) return { bytes: kept, etag, lasting: true };
    const draw = async () => this.#draw(await open(), etag, side);
    return { ...(await this.#underWay.run(etag, () => inTurn(draw))), etag };
  }

  async #draw(found: FoundTemplate, key: string, side: number): Promise<Drawn> {
    const { checks } = this.#ctx.templates;
    const { width, height } = await checks.summaryOf(found);
    const scale = Math.max(MIN_SCALE, Math.min(1, side / Math.max(width, height)));
    const fitted = await fitTemplate(checks, found, {}, 'design');
    const { bytes, diagnostics } = await draw(this.#ctx, fitted, 'webp', { ...DEFAULT_EXPORT, scale, isPreview: true });
    const lasting = !diagnostics.some(({ code }) => code === 'image-left-out');
    if (lasting) this.#kept.set(key, bytes, bytes.length);
    return { bytes, lasting };
  }
}
