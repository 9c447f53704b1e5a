// Reads items that may ask for several files each: one render for each size, language and brand.

import { AppError } from '#base/errors.ts';
import type { Caller } from '#server/service/accounts/caller.ts';
import { requireTemplate } from '#server/service/accounts/key-scope.ts';
import {
  areSeveral,
  everyChoice,
  MAX_FILES,
  oneChoice,
  type WantedChoices,
} from '#server/service/rendering/choices.ts';
import type { RenderRequest } from '#server/service/rendering/render-request.ts';
import type { TemplateLibrary, TemplateSource } from '#server/service/templates/templates.ts';

/** One item of a request. Each function throws what is wrong with it. */
export interface RenderItem {
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
export async function requestsOf(
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
