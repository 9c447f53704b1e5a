// `POST /v1/renders/batch`: up to 50 renders, given as a list or as one template with a list of modifications.
//
// An error of the batch as a whole is a 400; an error of an item is reported in its result.

import { AppError } from '#base/errors.ts';
import { type Diagnostic, shortened, ValidationError } from '#core/diagnostics.ts';
import type { Caller } from '#server/service/accounts/caller.ts';
import { requireTemplate } from '#server/service/accounts/key-scope.ts';
import { permitted } from '#server/service/idempotency.ts';
import {
  type InstantBatchContext,
  type InstantBatchProgress,
  renderInstantBatch,
} from '#server/service/jobs/instant-batch.ts';
import {
  areSeveral,
  everyChoice,
  MAX_FILES,
  oneChoice,
  type WantedChoices,
} from '#server/service/rendering/choices.ts';
import type { Rendered } from '#server/service/rendering/render.ts';
import type { RenderRequest } from '#server/service/rendering/render-request.ts';
import type { TemplateLibrary, TemplateSource } from '#server/service/templates/templates.ts';
import { setWarnings } from '../middleware/answer.ts';
import { callerOf, permitOf } from '../middleware/authentication.ts';
import { readJsonObject, requireObject } from '../middleware/body.ts';
import type { Handler, RequestContext } from '../middleware/request-context.ts';
import { unknownFields } from '../middleware/unknown-fields.ts';
import { CHOICES, readChoices } from './choices.ts';
import {
  ITEM_FIELDS,
  MODIFICATIONS_LIKE,
  readFileFields,
  readGiven,
  readModifications,
  readRenderRequest,
  readTemplateSource,
} from './renders.ts';

/** Maximum body, bytes. */
export const MAX_BATCH_BODY = 8 * 1024 * 1024;
const MAX_ITEMS = 50;
/** Maximum values in the body: parsing them takes 20 ms, and each item is checked in its own turn of the event loop. */
export const MAX_BATCH_VALUES = 220_000;

type Fields = Readonly<Record<string, unknown>>;

export function createInstantBatch(ctx: InstantBatchContext): Handler {
  return async (koa) => {
    const body = await readJsonObject(koa, MAX_BATCH_BODY, MAX_BATCH_VALUES);
    const items = await requestsOf(ctx.templates, callerOf(koa), readItems(body));
    const { results, diagnostics } = await renderInstantBatch(ctx, callerOf(koa), items, recordedProgress(koa));
    setWarnings(koa, [...ignoredFields(body), ...diagnostics]);
    koa.body = { results, count: results.length, ok: results.filter((result) => 'id' in result).length };
  };
}

/** Each item is recorded with its asset, so that a batch that is repeated after a kill renders only what is missing. */
export function recordedProgress(koa: RequestContext): InstantBatchProgress {
  const { progress } = koa.state;
  const permit = permitOf(koa);
  const earlier = [...(progress?.made ?? [])];
  return {
    rendered: new Map(earlier.map(([index, made]) => [index, JSON.parse(made) as Rendered])),
    onCommit: (index) =>
      permitted(permit, progress && ((stores, item) => progress.madePart(stores, index, JSON.stringify(item)))),
  };
}

/** Unknown fields of the batch and its items. */
function ignoredFields(body: Fields): readonly Diagnostic[] {
  if (!Object.hasOwn(body, 'renders')) {
    return unknownFields(body, ['items', ...ITEM_FIELDS.filter((name) => name !== 'modifications')]);
  }
  const items = Array.isArray(body.renders) ? body.renders : [];
  return [
    ...unknownFields(body, ['renders']),
    ...items.flatMap((item, index) =>
      typeof item === 'object' && item !== null ? unknownFields(item, ITEM_FIELDS, `renders[${index}]`) : [],
    ),
  ];
}

/** The items, each of which is read when it is processed. @throws AppError or ValidationError about the batch as a whole */
function readItems(body: Fields): RenderItem[] {
  if (Object.hasOwn(body, 'renders')) {
    return listed(body.renders, 'renders').map((item, index) => {
      const fields = () => requireObject(item, `renders[${index}]`, 'a render, such as {"template": "tpl_…"}');
      return {
        wanted: () => readChoices(fields()),
        template: () => readTemplateSource(fields()),
        read: () => readRenderRequest(fields()),
      };
    });
  }
  const items = listed(body.items, 'items');
  const template = readTemplateSource(body);
  const { output, options } = readFileFields(body);
  const given = readGiven(body);
  const wanted = readChoices(body);
  return items.map((item, index) => {
    const fields = () => readBatchItem(item, `items[${index}]`);
    return {
      wanted: () => ({ ...wanted, ...readChoices(fields()) }),
      template: () => template,
      read: () => {
        const own = fields();
        const file = readFileFields({ output, ...(own.output !== undefined && { output: own.output }) });
        return {
          template,
          modifications: readModifications(own),
          output: file.output,
          options,
          ...given,
          ...readGiven(own),
        };
      },
    };
  });
}

function listed(value: unknown, name: string): readonly unknown[] {
  const list = value ?? [];
  if (!Array.isArray(list))
    throw new AppError(
      'invalid_request',
      `${name}: must be a list of ${name === 'items' ? 'modifications, such as [{"title": "Hello"}]' : 'renders, such as [{"template": "tpl_…"}]'}`,
    );
  if (list.length === 0) {
    throw new AppError('invalid_request', 'The batch has no items; send renders, or template and items.');
  }
  if (list.length > MAX_ITEMS) {
    throw new AppError('invalid_request', `Batch too large (${list.length}); max ${MAX_ITEMS}.`);
  }
  return list;
}

/** What an item of one template may have beside its modifications. */
const OF_ITEM: readonly string[] = ['modifications', 'output', 'metadata', ...CHOICES];

/**
 * The fields of an item of a batch of one template: `{modifications, output, …}`, or the modifications themselves, which
 * an item is that has other keys, or neither of the two.
 *
 * @param path of the item, for errors
 * @param isCharged whether nobody reads the item's warnings before it is charged: keys beside `modifications` are refused
 *   then, instead of being taken for layers
 * @throws AppError `invalid_request`, or ValidationError naming such a key
 */
export function readBatchItem(value: unknown, path: string, isCharged = false): Fields {
  const item = requireObject(value, path, MODIFICATIONS_LIKE);
  const other = Object.keys(item).find((name) => !OF_ITEM.includes(name));
  if (other === undefined) return 'modifications' in item || 'output' in item ? item : { modifications: item };
  if (!isCharged || typeof item.modifications !== 'object') return { modifications: item };
  throw new ValidationError(
    `${path}.${shortened(other)}`,
    ITEM_FIELDS.includes(other)
      ? 'cannot differ from the others; give it once, beside items'
      : 'stands beside modifications; what it changes belongs in them',
  );
}

// Reads items that may ask for several files each: one render for each size, language and brand.

/** One item of a request. Each function throws what is wrong with it. */
interface RenderItem {
  readonly wanted: () => WantedChoices;
  readonly template: () => TemplateSource;
  /** The request, for one of the choices. */
  readonly read: () => RenderRequest;
}

/**
 * The requests of items, in their order; what is wrong with one is thrown when it is read.
 *
 * @throws AppError `invalid_request` when these are too many files
 */
async function requestsOf(
  templates: TemplateLibrary,
  caller: Caller,
  items: readonly RenderItem[],
): Promise<readonly (() => RenderRequest)[]> {
  const requests: (() => RenderRequest)[] = [];
  for (const item of items) {
    requests.push(...(await requestsOfItem(templates, caller, item)));
    if (requests.length <= MAX_FILES) continue;
    throw new AppError('invalid_request', `The request asks for more than ${MAX_FILES} files.`);
  }
  return requests;
}

async function requestsOfItem(
  templates: TemplateLibrary,
  caller: Caller,
  { wanted, template, read }: RenderItem,
): Promise<(() => RenderRequest)[]> {
  try {
    const choices = wanted();
    if (!areSeveral(choices)) {
      const choice = oneChoice(choices);
      return [() => chosen(read(), choice)];
    }
    const source = template();
    requireTemplate(caller, source);
    const every = await everyChoice(choices, () => templates.choicesOf(caller.accountId, source));
    return every.map((choice) => () => chosen(read(), choice));
  } catch (error) {
    return [
      () => {
        throw error;
      },
    ];
  }
}

const chosen = (request: RenderRequest, choice: NonNullable<RenderRequest['choice']>): RenderRequest =>
  Object.keys(choice).length === 0 ? request : { ...request, choice };
