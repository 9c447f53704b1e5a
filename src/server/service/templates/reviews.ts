// Review links: they show pictures of one template to people without an account, who leave comments under a name.
//
// Whoever has the link's token sees the pictures and the comments of that link, and nothing else of the account. It is in
// the URL's fragment, which browsers send to no server, and is stored hashed. Pictures are previews: they are not
// counted, each is drawn once, and those that are drawn share the account's limits of previews.

import { AppError } from '#base/errors.ts';
import { isToken, newId, newToken } from '#base/ids.ts';
import { ValidationError } from '#core/diagnostics.ts';
import { LruCache } from '#core/lru-cache.ts';
import { OWN_SIZE } from '#core/template/size.ts';
import type { Choice } from '#design/choice.ts';
import type { CommentPlace, CountedReview, Review, ReviewComment } from '#server/storage/reviews.ts';
import type { Storage, Stores } from '#server/storage/storage.ts';
import { record } from '../accounts/audit.ts';
import { RateLimit } from '../accounts/rate-limit.ts';
import type { People } from '../people/people.ts';
import type { Permit } from '../people/permit.ts';
import { hash } from '../people/sessions.ts';
import { asPreview, type PreviewContext } from '../rendering/preview.ts';
import type { Thumbnail, Thumbnails } from '../rendering/thumbnails.ts';
import type { Drafts } from './drafts.ts';
import type { FoundTemplate, InlineDocument } from './templates.ts';

const DAY = 24 * 60 * 60 * 1000;
/** How long a link lasts, days. */
export const REVIEW_DAYS = { default: 14, most: 90 } as const;
/** How long a link that has ended is kept, with its comments, ms. */
export const REVIEW_KEPT = 90 * DAY;
/** Links of a template that can be opened at a time, and those that a list shows. */
const MAX_OPEN = 20;
const LISTED = 100;
/** Comments of a link, deleted ones too. */
const MAX_COMMENTS = 500;
/** Pictures of a link: each is a size in a language. */
const MAX_PICTURES = 60;
/** Characters. */
export const MAX_COMMENT = 2_000;
/** Points of a picture are in ten thousandths of its sides. */
export const WHOLE_SIDE = 10_000;
/** Requests per minute of one client: that open a link, that ask for a picture, and that comment. */
const RATES = { look: 60, picture: 300, comment: 12 } as const;

export interface ReviewContext extends PreviewContext {
  readonly storage: Storage;
  readonly people: People;
  readonly drafts: Drafts;
  readonly thumbnails: Thumbnails;
  readonly clock: () => Date;
}

export interface NewReview extends Review {
  /** Path below the server's address: `/studio/review#plr_…`. Shown here and never again. */
  readonly path: string;
}

/** A size in a language; null = the template's own. */
export interface ReviewPicture {
  readonly size: string | null;
  readonly lang: string | null;
}

/** A link as it is opened. */
export interface OpenedReview {
  readonly review: Review;
  /** Of the template. */
  readonly name: string;
  /** The version, or the revision of the draft, that is shown. */
  readonly revision: number;
  readonly pictures: readonly ReviewPicture[];
  /** Pictures beyond those. */
  readonly more: number;
  /** The template's own language, if it names one. */
  readonly lang: string | null;
  /** Whether it is a document with pages, of which the first is shown. */
  readonly hasPages: boolean;
  /** Why a draft has no pictures; null = it has. */
  readonly problem: string | null;
  readonly comments: readonly NamedComment[];
}

/** With the name that is shown. */
export interface NamedComment extends ReviewComment {
  /** Null: a person of the account who is gone. */
  readonly by: string | null;
}

/** What a comment says. */
export interface Remark extends CommentPlace {
  readonly text: string;
  /** The comment that it answers; null = it begins a thread. */
  readonly answers: string | null;
}

/** What a link shows now. */
interface Shown {
  readonly key: string;
  readonly revision: number;
  readonly open: (choice: Choice) => Promise<FoundTemplate>;
}

type Pictures = Pick<OpenedReview, 'pictures' | 'more' | 'lang' | 'hasPages' | 'problem'>;
const NO_PICTURES = { pictures: [], more: 0, lang: null, hasPages: false } as const;

export class Reviews {
  readonly #ctx: ReviewContext;
  readonly #rates: Readonly<Record<keyof typeof RATES, RateLimit>>;
  /** What there is to see of a version or a revision. */
  readonly #pictures = new LruCache<string, Pictures>(1_000);

  constructor(ctx: ReviewContext) {
    this.#ctx = ctx;
    const limit = (perMinute: number) => new RateLimit(perMinute, ctx.clock);
    this.#rates = { look: limit(RATES.look), picture: limit(RATES.picture), comment: limit(RATES.comment) };
  }

  /**
   * Makes a link.
   *
   * @param version what it shows; null = the draft, as it is when somebody looks
   * @param by the id of a person
   * @throws AppError `not_found`; `conflict` when the template has as many links as it may; what `permit` throws
   */
  async create(
    accountId: string,
    templateId: string,
    { version, days, by }: { readonly version: number | null; readonly days: number; readonly by: string },
    permit: Permit,
  ): Promise<NewReview> {
    const { storage, templates, clock } = this.#ctx;
    const { name } = await templates.card(accountId, templateId);
    if (version !== null) await templates.version(accountId, templateId, version);
    const now = clock();
    const token = newToken('plr');
    const endsAt = new Date(now.getTime() + days * DAY);
    const review = { id: newId('rvw'), accountId, templateId, version, createdBy: by, createdAt: now, endsAt };
    await storage.transaction(async (stores) => {
      const actor = await permit(stores);
      if ((await stores.reviews.countOpen(templateId, now)) >= MAX_OPEN) {
        throw new AppError('conflict', `A template has at most ${MAX_OPEN} review links at a time: end one first.`);
      }
      await stores.reviews.insert(review, hash(token));
      const detail = `${version === null ? 'draft' : `version ${version}`}, ${days} days`;
      await record(
        stores,
        actor,
        { accountId, action: 'review.create', subject: { id: review.id, name }, detail },
        now,
      );
    });
    return { ...review, path: `/studio/review#${token}` };
  }

  /** Newest first. @throws AppError `not_found` */
  async list(accountId: string, templateId: string): Promise<CountedReview[]> {
    await this.#ctx.templates.card(accountId, templateId);
    return this.#ctx.storage.reviews.list(templateId, LISTED);
  }

  /** Takes effect with the next request; comments stay. @throws AppError `not_found`; what `permit` throws */
  async end(accountId: string, templateId: string, id: string, permit: Permit): Promise<void> {
    const { name } = await this.#ctx.templates.card(accountId, templateId);
    const now = this.#ctx.clock();
    await this.#ctx.storage.transaction(async (stores) => {
      const actor = await permit(stores);
      if (!(await stores.reviews.end(templateId, id, now))) throw reviewNotFound();
      await record(stores, actor, { accountId, action: 'review.end', subject: { id, name } }, now);
    });
  }

  /** For people of the account, also once it has ended. @throws AppError `not_found`; what the draft is wrong with */
  async read(accountId: string, templateId: string, id: string): Promise<OpenedReview> {
    return this.#opened(await this.#find(accountId, templateId, id));
  }

  /** @throws as `read`, and what drawing throws */
  async picture(accountId: string, templateId: string, id: string, picture: ReviewPicture): Promise<Thumbnail> {
    return this.#draw(await this.#find(accountId, templateId, id), picture);
  }

  /** A comment by a person of the account. @throws AppError `not_found`, `conflict`; what `permit` throws */
  async answer(
    at: { readonly accountId: string; readonly templateId: string; readonly id: string },
    personId: string,
    remark: Remark,
    permit: Permit,
  ): Promise<NamedComment> {
    const review = await this.#find(at.accountId, at.templateId, at.id);
    const author = { name: null, personId };
    return this.#add(review, author, remark, async (stores) => {
      await permit(stores);
      return null;
    });
  }

  /** Resolves a thread, or opens it again. @throws AppError `not_found`; what `permit` throws */
  async resolve(
    at: { readonly accountId: string; readonly templateId: string; readonly id: string },
    commentId: string,
    isResolved: boolean,
    permit: Permit,
  ): Promise<NamedComment> {
    const { storage, clock } = this.#ctx;
    const review = await this.#find(at.accountId, at.templateId, at.id);
    const comment = await storage.transaction(async (stores) => {
      await permit(stores);
      const found = await stores.reviews.comment(review.id, commentId);
      if (!found || found.answers !== null) throw commentNotFound();
      const resolvedAt = isResolved ? clock() : null;
      await stores.reviews.resolve(review.id, commentId, resolvedAt);
      return { ...found, resolvedAt };
    });
    return this.#named(comment);
  }

  /** With its answers. @throws AppError `not_found`; what `permit` throws */
  async deleteComment(
    at: { readonly accountId: string; readonly templateId: string; readonly id: string },
    commentId: string,
    permit: Permit,
  ): Promise<void> {
    const { accountId } = at;
    const review = await this.#find(accountId, at.templateId, at.id);
    await this.#ctx.storage.transaction(async (stores) => {
      const actor = await permit(stores);
      if (!(await stores.reviews.comment(review.id, commentId))) throw commentNotFound();
      await stores.reviews.deleteComment(review.id, commentId);
      const subject = { id: review.id, name: null };
      await record(stores, actor, { accountId, action: 'review.delete-comment', subject }, this.#ctx.clock());
    });
  }

  /**
   * For whoever has the link.
   *
   * @param client by which requests are counted
   * @throws AppError `link_invalid`, `rate_limited`; what the draft is wrong with
   */
  async look(token: string, client: string): Promise<OpenedReview> {
    return this.#opened(await this.#visited(token, client, 'look'));
  }

  /** @throws as `look`, and what drawing throws */
  async visitorsPicture(
    token: string,
    client: string,
    picture: ReviewPicture,
  ): Promise<Thumbnail & { readonly accountId: string }> {
    const review = await this.#visited(token, client, 'picture');
    return { ...(await this.#draw(review, picture)), accountId: review.accountId };
  }

  /** A comment by a visitor. @throws as `look`; AppError `not_found`, `conflict` beyond the most comments of a link */
  async comment(token: string, client: string, name: string, remark: Remark): Promise<NamedComment> {
    const review = await this.#visited(token, client, 'comment');
    const now = this.#ctx.clock();
    return this.#add(review, { name, personId: null }, remark, async (stores) => {
      if ((await stores.accounts.standing(review.accountId)) !== null) throw linkEnded();
      return now;
    });
  }

  /** @param allow runs first in the transaction: when the link must be open; null = it may have ended */
  async #add(
    review: Review,
    author: Pick<ReviewComment, 'name' | 'personId'>,
    { text, answers, ...place }: Remark,
    allow: (stores: Stores) => Promise<Date | null>,
  ): Promise<NamedComment> {
    const { storage, clock } = this.#ctx;
    const shown = await this.#shown(review);
    if (answers === null) await this.#requirePicture(shown, place);
    const comment: ReviewComment = {
      ...{ id: newId('cmt'), accountId: review.accountId, reviewId: review.id, answers, text, ...author, ...place },
      ...{ revision: shown.revision, createdAt: clock(), resolvedAt: null },
    };
    const saved = await storage.transaction(async (stores) => {
      const openAt = await allow(stores);
      const thread = answers === null ? null : await stores.reviews.comment(review.id, answers);
      if (answers !== null && thread?.answers !== null) throw commentNotFound();
      // An answer is about what its thread is about.
      const about = thread && { size: thread.size, lang: thread.lang, point: null };
      const added = { ...comment, ...about };
      const refused = await stores.reviews.addComment(added, MAX_COMMENTS, openAt);
      if (refused === null) return added;
      if (refused === 'ended') throw linkEnded();
      throw new AppError('conflict', `A review link takes at most ${MAX_COMMENTS} comments: make another one.`);
    });
    return this.#named(saved);
  }

  async #find(accountId: string, templateId: string, id: string): Promise<Review> {
    await this.#ctx.templates.card(accountId, templateId);
    const review = await this.#ctx.storage.reviews.find(templateId, id);
    if (!review) throw reviewNotFound();
    return review;
  }

  /** Of a template that is there, of an account that is active. @throws AppError `link_invalid`, `rate_limited` */
  async #visited(token: string, client: string, rate: keyof typeof RATES): Promise<Review> {
    const { storage, templates, clock } = this.#ctx;
    this.#rates[rate].take(client);
    const review = isToken('plr', token) ? await storage.reviews.findOpen(hash(token), clock()) : null;
    if (!review || (await storage.accounts.standing(review.accountId)) !== null) throw linkEnded();
    await templates.card(review.accountId, review.templateId).catch((error) => {
      throw error instanceof AppError && error.code === 'not_found' ? linkEnded() : error;
    });
    return review;
  }

  async #shown({ accountId, templateId, version }: Review): Promise<Shown> {
    const { templates, drafts, storage } = this.#ctx;
    if (version !== null) {
      const reference = `${templateId}@${version}`;
      return { key: reference, revision: version, open: (choice) => templates.find(accountId, reference, choice) };
    }
    const { revision } = await storage.drafts.head(templateId);
    // The document is read, and checked, only where nothing is kept of this revision.
    const open = async (choice: Choice) => {
      const { document } = await drafts.open(accountId, templateId);
      return templates.openInline(accountId, JSON.parse(document) as InlineDocument, '', choice);
    };
    const { version: newest } = await templates.card(accountId, templateId);
    return { key: `${templateId}.draft-${revision}-${newest}`, revision, open };
  }

  async #picturesOf({ key, open }: Shown): Promise<Pictures> {
    const kept = this.#pictures.get(key);
    if (kept) return kept;
    let found: FoundTemplate;
    try {
      found = await open({});
    } catch (error) {
      // A draft need not be a template that can be drawn; what was said of it can still be read.
      if (error instanceof ValidationError) return { ...NO_PICTURES, problem: error.message };
      throw error;
    }
    const { sizes, languages, lang, hasPages } = await this.#ctx.templates.checks.choicesOf(found);
    const all = [null, ...languages.filter((one) => one !== lang)].flatMap((one) =>
      sizes.map((size): ReviewPicture => ({ size: size === OWN_SIZE ? null : size, lang: one })),
    );
    const pictures = all.slice(0, MAX_PICTURES);
    const made = { pictures, more: all.length - pictures.length, lang, hasPages, problem: null };
    this.#pictures.set(key, made);
    return made;
  }

  async #requirePicture(shown: Shown, { size, lang }: ReviewPicture): Promise<void> {
    const { pictures, problem } = await this.#picturesOf(shown);
    if (pictures.some((one) => one.size === size && one.lang === lang)) return;
    if (problem !== null) throw new AppError('conflict', `The draft cannot be drawn at the moment: ${problem}`);
    throw new AppError('not_found', 'There is no such picture, as the template has changed: load it again.');
  }

  async #opened(review: Review): Promise<OpenedReview> {
    const { storage, people, templates } = this.#ctx;
    const { name } = await templates.card(review.accountId, review.templateId);
    const shown = await this.#shown(review);
    const comments = await storage.reviews.comments(review.id);
    const names = await people.names(comments.map(({ personId }) => personId));
    return {
      ...{ review, name, revision: shown.revision },
      ...(await this.#picturesOf(shown)),
      comments: comments.map((one) => ({ ...one, by: one.name ?? names.get(one.personId ?? '') ?? null })),
    };
  }

  async #named(comment: ReviewComment): Promise<NamedComment> {
    const names = await this.#ctx.people.names([comment.personId]);
    return { ...comment, by: comment.name ?? names.get(comment.personId ?? '') ?? null };
  }

  async #draw(review: Review, { size, lang }: ReviewPicture): Promise<Thumbnail> {
    const { thumbnails, previews } = this.#ctx;
    const shown = await this.#shown(review);
    await this.#requirePicture(shown, { size, lang });
    const choice = { ...(size !== null && { size }), ...(lang !== null && { lang }) };
    return thumbnails.findReviewed(
      shown.key,
      choice,
      () => shown.open(choice),
      (draw) =>
        asPreview(this.#ctx, review.accountId, () => {
          previews.take(review.accountId);
          return draw();
        }),
    );
  }
}

const reviewNotFound = () => new AppError('not_found', 'review link not found');
const commentNotFound = () => new AppError('not_found', 'comment not found');
const linkEnded = () =>
  new AppError('link_invalid', 'This review link has ended, or is not complete. Ask whoever sent it for a new one.');
