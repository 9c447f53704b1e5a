// Stores review links, each with the SHA-256 of its token, and their comments.

import type { Database } from './database.ts';

export interface Review {
  readonly id: string;
  readonly accountId: string;
  readonly templateId: string;
  /** What it shows; null = the draft, as it is when somebody looks. */
  readonly version: number | null;
  /** The id of a person. */
  readonly createdBy: string | null;
  readonly createdAt: Date;
  /** When nobody can open it any more. */
  readonly endsAt: Date;
}

/** Which picture, and where on it. */
export interface CommentPlace {
  /** Null = the template's own. */
  readonly size: string | null;
  /** Likewise. */
  readonly lang: string | null;
  /** In ten thousandths of the picture's sides; null = the whole picture. */
  readonly point: { readonly x: number; readonly y: number } | null;
}

export interface ReviewComment extends CommentPlace {
  readonly id: string;
  readonly accountId: string;
  readonly reviewId: string;
  /** The id of the comment that it answers; null = it begins a thread. */
  readonly answers: string | null;
  /** As a visitor said it is; null for a person of the account. */
  readonly name: string | null;
  readonly personId: string | null;
  readonly text: string;
  /** The version, or the revision of the draft, that was shown. */
  readonly revision: number;
  readonly createdAt: Date;
  /** Null = open. */
  readonly resolvedAt: Date | null;
}

export interface CountedReview extends Review {
  readonly comments: number;
  /** Threads that nobody has resolved. */
  readonly open: number;
}

interface Row {
  id: string;
  account_id: string;
  template_id: string;
  version: number | null;
  hash: string;
  created_by: string | null;
  created_at: number;
  ends_at: number;
  written: number;
}

interface CommentRow {
  id: string;
  account_id: string;
  review_id: string;
  answers: string | null;
  name: string | null;
  person_id: string | null;
  text: string;
  size: string | null;
  lang: string | null;
  x: number | null;
  y: number | null;
  revision: number;
  created_at: number;
  resolved_at: number | null;
}

const fromRow = (row: Row): Review => ({
  id: row.id,
  accountId: row.account_id,
  templateId: row.template_id,
  version: row.version,
  createdBy: row.created_by,
  createdAt: new Date(row.created_at),
  endsAt: new Date(row.ends_at),
});

const fromComment = (row: CommentRow): ReviewComment => ({
  id: row.id,
  accountId: row.account_id,
  reviewId: row.review_id,
  answers: row.answers,
  name: row.name,
  personId: row.person_id,
  text: row.text,
  ...{ size: row.size, lang: row.lang },
  point: row.x === null || row.y === null ? null : { x: row.x, y: row.y },
  revision: row.revision,
  createdAt: new Date(row.created_at),
  resolvedAt: row.resolved_at === null ? null : new Date(row.resolved_at),
});

export class ReviewStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /** @param hash SHA-256 of the token, lower-case hex */
  async insert(review: Review, hash: string): Promise<void> {
    await this.#db<Row>('reviews').insert({
      id: review.id,
      account_id: review.accountId,
      template_id: review.templateId,
      version: review.version,
      hash,
      created_by: review.createdBy,
      created_at: review.createdAt.getTime(),
      ends_at: review.endsAt.getTime(),
    });
  }

  /** Null when there is none, or it has ended. */
  async findOpen(hash: string, now: Date): Promise<Review | null> {
    const row = await this.#db<Row>('reviews').where({ hash }).where('ends_at', '>', now.getTime()).first();
    return row ? fromRow(row) : null;
  }

  /** Also one that has ended. */
  async find(templateId: string, id: string): Promise<Review | null> {
    const row = await this.#db<Row>('reviews').where({ id, template_id: templateId }).first();
    return row ? fromRow(row) : null;
  }

  /** Of a template, newest first. */
  async list(templateId: string, limit: number): Promise<CountedReview[]> {
    const rows = await this.#db<Row>('reviews')
      .where({ template_id: templateId })
      .orderBy('created_at', 'desc')
      .limit(limit);
    const counts: readonly { review_id: string; comments: number | string; open: number | string | null }[] =
      await this.#db('review_comments')
        .whereIn(
          'review_id',
          rows.map(({ id }) => id),
        )
        .groupBy('review_id')
        .select(
          'review_id',
          this.#db.raw('COUNT(*) AS comments'),
          this.#db.raw('SUM(CASE WHEN answers IS NULL AND resolved_at IS NULL THEN 1 ELSE 0 END) AS open'),
        );
    const counted = new Map(counts.map((one) => [one.review_id, one]));
    return rows.map((row) => {
      const { comments = 0, open = 0 } = counted.get(row.id) ?? {};
      return { ...fromRow(row), comments: Number(comments), open: Number(open) };
    });
  }

  /** Links of a template that can be opened. */
  async countOpen(templateId: string, now: Date): Promise<number> {
    const query = this.#db<Row>('reviews').where({ template_id: templateId }).where('ends_at', '>', now.getTime());
    const row: { count: number | string } | undefined = await query.first(this.#db.raw('COUNT(*) AS count'));
    return Number(row?.count ?? 0);
  }

  /** Ends it now, unless it has ended before; false where there is none. */
  async end(templateId: string, id: string, now: Date): Promise<boolean> {
    const one = () => this.#db<Row>('reviews').where({ id, template_id: templateId });
    const isOpen = await one().where('ends_at', '>', now.getTime()).update({ ends_at: now.getTime() });
    return isOpen > 0 || (await one().first('id')) !== undefined;
  }

  /**
   * Adds a comment, unless the link has ended or has had as many as it may have: says which.
   *
   * @param openAt the link must be open then; null = it may have ended
   */
  async addComment(comment: ReviewComment, most: number, openAt: Date | null): Promise<'ended' | 'full' | null> {
    const review = this.#db<Row>('reviews').where({ id: comment.reviewId });
    if (openAt) review.where('ends_at', '>', openAt.getTime());
    const isRoom = review.clone().where('written', '<', most);
    if ((await isRoom.update({ written: this.#db.raw('written + 1') })) === 0) {
      return (await review.first('id')) ? 'full' : 'ended';
    }
    await this.#db<CommentRow>('review_comments').insert({
      id: comment.id,
      account_id: comment.accountId,
      review_id: comment.reviewId,
      answers: comment.answers,
      name: comment.name,
      person_id: comment.personId,
      text: comment.text,
      ...{ size: comment.size, lang: comment.lang },
      ...{ x: comment.point?.x ?? null, y: comment.point?.y ?? null },
      revision: comment.revision,
      created_at: comment.createdAt.getTime(),
    });
    return null;
  }

  /** Oldest first. */
  async comments(reviewId: string): Promise<ReviewComment[]> {
    const rows = await this.#db<CommentRow>('review_comments')
      .where({ review_id: reviewId })
      .orderBy(['created_at', 'id']);
    return rows.map(fromComment);
  }

  async comment(reviewId: string, id: string): Promise<ReviewComment | null> {
    const row = await this.#db<CommentRow>('review_comments').where({ review_id: reviewId, id }).first();
    return row ? fromComment(row) : null;
  }

  /** @param resolvedAt null = it is open again */
  async resolve(reviewId: string, id: string, resolvedAt: Date | null): Promise<void> {
    await this.#db<CommentRow>('review_comments')
      .where({ review_id: reviewId, id })
      .update({ resolved_at: resolvedAt?.getTime() ?? null });
  }

  /** With its answers. */
  async deleteComment(reviewId: string, id: string): Promise<void> {
    await this.#db<CommentRow>('review_comments')
      .where({ review_id: reviewId })
      .where((one) => one.where({ id }).orWhere({ answers: id }))
      .delete();
  }

  /** Deletes at most `limit` links that ended before then, with their comments, and returns their number. */
  async deleteEndedBefore(time: Date, limit: number): Promise<number> {
    const old = this.#db<Row>('reviews').where('ends_at', '<', time.getTime()).limit(limit);
    return this.#db<Row>('reviews').whereIn('id', old.select('id')).delete();
  }
}
