// Routes of review links: members of the account make, end and answer them; visitors look and comment.

import { addressGroup } from '#server/service/accounts/address-group.ts';
import type { Thumbnail } from '#server/service/rendering/thumbnails.ts';
import type { NamedComment, NewReview, OpenedReview } from '#server/service/templates/reviews.ts';
import { holderOf, memberOf, permitOf } from '../middleware/authentication.ts';
import { clientHas, ownOnly, sendFile, sendNotModified } from '../middleware/file-response.ts';
import { textInQuery } from '../middleware/list-query.ts';
import type { Handler, RequestContext } from '../middleware/request-context.ts';
import { holdAnswer } from '../middleware/request-memory.ts';
import { clientOf } from './origin.ts';
import { byOf, namesFor } from './presenters.ts';
import { readSmall } from './requests.ts';
import { STUDIO_REQUESTS as Request } from './schemas.ts';
import type { StudioContext } from './studio-context.ts';

export function reviewRoutes(ctx: StudioContext) {
  const { reviews } = ctx;
  const client = (koa: RequestContext) => addressGroup(clientOf(koa, ctx.studioAddress()));
  const place = (koa: RequestContext) => {
    const { templateId = '', reviewId = '' } = koa.params;
    return { accountId: memberOf(koa).accountId, templateId, id: reviewId };
  };

  return {
    studioListReviews: async (koa) => {
      const { accountId, templateId } = place(koa);
      const found = await reviews.list(accountId, templateId);
      const names = await namesFor(
        ctx.people,
        found.map(({ createdBy }) => createdBy),
      );
      koa.body = {
        items: found.map(({ comments, open, ...review }) => ({
          ...{ ...showReview(review), createdBy: byOf(review.createdBy, names), comments, open },
        })),
      };
    },
    studioCreateReview: async (koa) => {
      const { version = null, days } = await readSmall(koa, Request.StudioReviewRequest);
      const { accountId, templateId } = place(koa);
      const wanted = { version, days, by: holderOf(koa).personId };
      const { path, ...review } = await reviews.create(accountId, templateId, wanted, permitOf(koa));
      koa.status = 201;
      koa.body = { ...showReview(review), url: ctx.address() + path };
    },
    studioReadReview: async (koa) => {
      const { accountId, templateId, id } = place(koa);
      koa.body = showOpened(await reviews.read(accountId, templateId, id));
    },
    studioEndReview: async (koa) => {
      const { accountId, templateId, id } = place(koa);
      await reviews.end(accountId, templateId, id, permitOf(koa));
      koa.status = 204;
    },
    studioDrawReview: async (koa) => {
      const { accountId, templateId, id } = place(koa);
      const picture = { size: textInQuery(koa, 'size'), lang: textInQuery(koa, 'lang') };
      await sendPicture(koa, await reviews.picture(accountId, templateId, id, picture), accountId);
    },
    studioCommentReview: async (koa) => {
      const { text, answers, size, lang, point } = await readSmall(koa, Request.StudioReviewRemark);
      const remark = { text, answers, size, lang, point };
      const made = await reviews.answer(place(koa), holderOf(koa).personId, remark, permitOf(koa));
      koa.status = 201;
      koa.body = showComment(made, made.revision);
    },
    studioResolveComment: async (koa) => {
      const { isResolved } = await readSmall(koa, Request.StudioCommentState);
      const { commentId = '' } = koa.params;
      const comment = await reviews.resolve(place(koa), commentId, isResolved, permitOf(koa));
      koa.body = showComment(comment, comment.revision);
    },
    studioDeleteComment: async (koa) => {
      await reviews.deleteComment(place(koa), koa.params.commentId ?? '', permitOf(koa));
      koa.status = 204;
    },

    studioLookAtReview: async (koa) => {
      const { token } = await readSmall(koa, Request.StudioReviewToken);
      koa.body = showOpened(await reviews.look(token, client(koa)));
    },
    studioDrawReviewed: async (koa) => {
      const { token, ...picture } = await readSmall(koa, Request.StudioReviewPicture);
      const drawn = await reviews.visitorsPicture(token, client(koa), picture);
      await sendPicture(koa, drawn, drawn.accountId);
    },
    studioCommentReviewed: async (koa) => {
      const { token, name, ...remark } = await readSmall(koa, Request.StudioVisitorsComment);
      const made = await reviews.comment(token, client(koa), name, remark);
      koa.status = 201;
      koa.body = showComment(made, made.revision);
    },
  } satisfies Record<string, Handler>;
}

/** @param whose memory for answers it takes until its client has read it */
async function sendPicture(koa: RequestContext, { bytes, etag, lasting }: Thumbnail, whose: string): Promise<void> {
  const file = { output: 'webp', name: 'review.webp', etag, cacheControl: 'private, no-cache' } as const;
  if (lasting && clientHas(koa, etag)) sendNotModified(koa, file);
  else {
    await holdAnswer(koa, bytes.length, whose);
    const answer = lasting ? file : { ...file, etag: null, cacheControl: 'no-store' };
    sendFile(koa, answer, Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length), bytes.length);
  }
  ownOnly(koa);
}

const showReview = ({ id, version, createdAt, endsAt }: Omit<NewReview, 'path'>) => ({
  ...{ id, version },
  createdAt: createdAt.toISOString(),
  endsAt: endsAt.toISOString(),
});

const showOpened = ({ review, lang, comments, ...opened }: OpenedReview) => ({
  ...{ ...showReview(review), ...opened, ownLang: lang },
  comments: comments.map((one) => showComment(one, opened.revision)),
});

/** @param revision that is shown now */
const showComment = (comment: NamedComment, revision: number) => ({
  ...{ id: comment.id, answers: comment.answers, by: comment.by, isMember: comment.name === null },
  ...{ text: comment.text, size: comment.size, lang: comment.lang, point: comment.point },
  isEarlier: comment.revision !== revision,
  createdAt: comment.createdAt.toISOString(),
  resolvedAt: comment.resolvedAt,
});
