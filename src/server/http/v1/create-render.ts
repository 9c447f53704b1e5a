// `POST /v1/renders`: one file, or one for each size, language and brand that the request asks for.

import { ValidationError } from '#core/diagnostics.ts';
import { requireTemplate } from '#server/service/accounts/key-scope.ts';
import { type InstantBatchContext, renderInstantBatch } from '#server/service/jobs/instant-batch.ts';
import { type Acceptance, type EnqueueContext, enqueueRenders } from '#server/service/jobs/jobs.ts';
import {
  areSeveral,
  everyChoice,
  givenChoice,
  oneChoice,
  type WantedChoices,
} from '#server/service/rendering/choices.ts';
import { render } from '#server/service/rendering/render.ts';
import type { RenderRequest } from '#server/service/rendering/render-request.ts';
import { answerWith, type JsonAnswer, setWarnings } from '../middleware/answer.ts';
import { callerOf } from '../middleware/authentication.ts';
import { readJsonObject } from '../middleware/body.ts';
import { chooseForm } from '../middleware/file-answer.ts';
import type { Handler, RequestContext } from '../middleware/request-context.ts';
import { holdNow } from '../middleware/request-memory.ts';
import { unknownFields } from '../middleware/unknown-fields.ts';
import { readChoices } from './choices.ts';
import { recordedProgress } from './instant-batch.ts';
import { also, isJob, RENDER_FIELDS, readDelivery, readRenderRequest, showAccepted, showRendered } from './renders.ts';

type Context = InstantBatchContext & EnqueueContext;

export function createRender(ctx: Context): Handler {
  return async (koa) => {
    const caller = callerOf(koa);
    const body = await readJsonObject(koa);
    const wanted = readChoices(body);
    const isOne = !areSeveral(wanted);
    const request = { ...readRenderRequest(body), ...(isOne && givenChoice(oneChoice(wanted))) };
    const delivery = readDelivery(body);
    const ignored = unknownFields(body, RENDER_FIELDS);
    if (isJob(delivery)) {
      const requests = isOne ? [request] : await requestsFor(ctx, koa, request, wanted);
      await answerWith(koa, also(ignored, isOne ? showOne : showAll), (onCommit) =>
        enqueueRenders(ctx, caller, requests, delivery.webhookUrl, onCommit),
      );
      return;
    }
    const named = body.output === undefined ? null : request.output;
    const output = chooseForm(koa, delivery.response, named) ?? request.output;
    if (isOne) {
      await answerWith(koa, also(ignored, showRendered), async (onCommit) => {
        const made = await render(ctx, caller, { ...request, output }, onCommit, koa.state.form === 'bytes');
        if (made.bytes && holdNow(koa, made.bytes.length)) koa.state.file = made.bytes;
        return made;
      });
      return;
    }
    if (koa.state.form === 'bytes') {
      throw new ValidationError('response', 'must be "json" for several files; leave out the header Accept too');
    }
    const requests = await requestsFor(ctx, koa, request, wanted);
    const items = requests.map((one) => () => one);
    const { results, diagnostics } = await renderInstantBatch(ctx, caller, items, recordedProgress(koa));
    setWarnings(koa, [...ignored, ...diagnostics]);
    koa.body = { results, count: results.length, ok: results.filter((result) => 'id' in result).length };
  };
}

async function requestsFor(ctx: Context, koa: RequestContext, request: RenderRequest, wanted: WantedChoices) {
  const caller = callerOf(koa);
  requireTemplate(caller, request.template);
  const choices = await everyChoice(wanted, () => ctx.templates.choicesOf(caller.accountId, request.template));
  return choices.map((choice) => ({ ...request, ...givenChoice(choice) }));
}

const showOne = ([acceptance]: readonly Acceptance[]): JsonAnswer => {
  if (!acceptance) throw new Error('No job was accepted.');
  return showAccepted(acceptance);
};

/** The answer for jobs of several files, in the order of their combinations. */
const showAll = (acceptances: readonly Acceptance[]): JsonAnswer => ({
  status: 202,
  body: { results: acceptances.map(({ accepted }) => accepted), count: acceptances.length, ok: acceptances.length },
  diagnostics: acceptances.flatMap(({ diagnostics }) => diagnostics),
});
