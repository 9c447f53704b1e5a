// Answers renders and screenshots with the file itself instead of JSON, where the request asks for that.
//
// The handler below answers with JSON either way, so that an Idempotency-Key records one answer. The answer begins once the
// render is stored: the file is sent from memory if there is enough, otherwise, and for a repeated request, from where it is.

import { AppError } from '#base/errors.ts';
import { quoted } from '#core/diagnostics.ts';
import { CONTENT_TYPE, OUTPUTS, type Output } from '#draw/output/formats.ts';
import type { Assets, RenderResult } from '#server/service/files/assets.ts';
import { readJsonObject } from './body.ts';
import { sendFile } from './file-response.ts';
import type { Handler, RequestContext } from './request-context.ts';

export const ANSWER_FORMS = ['json', 'bytes'] as const;
/** How a render is answered; `bytes`: with the file itself. */
export type AnswerForm = (typeof ANSWER_FORMS)[number];

/** Sends the file of the render that `handle` answers with, where the request asks for it. */
export function withFile(assets: Assets, handle: Handler): Handler {
  return async (koa) => {
    await handle(koa);
    if (koa.status !== 200) return;
    // Not set when an earlier answer was replayed.
    koa.state.form ??= formOf(koa, ((await readJsonObject(koa)).response ?? null) as AnswerForm | null);
    if (koa.state.form === 'bytes') await sendRender(koa, assets, JSON.parse(String(koa.body)));
  };
}

async function sendRender(koa: RequestContext, assets: Assets, { id, url, output }: RenderResult): Promise<void> {
  const name = `${id}.${output}`;
  const { file } = koa.state;
  const blob = file ? null : await assets.open(name);
  const body = file ? Buffer.from(file.buffer, file.byteOffset, file.length) : blob?.stream();
  if (!body) throw new AppError('not_found', `The file of the render ${id} is not kept any more; render it again.`);
  sendFile(koa, { output, name, etag: null, cacheControl: 'no-store' }, body, file?.length ?? blob?.size ?? 0);
  koa.set('platen-render-id', id);
  koa.set('platen-render-url', url);
  koa.set('content-location', url);
}

/**
 * Decides between JSON and the file, for a request that waits for its render, and which output it gets.
 *
 * `response` decides if it is given, otherwise the header Accept. An Accept that names one of our file types also
 * decides the output where the request names none.
 *
 * @param named the output that the request names; null = none
 * @throws AppError `invalid_request` when Accept excludes the output that the request names
 */
export function chooseForm(koa: RequestContext, response: AnswerForm | null, named: Output | null): Output | null {
  koa.state.form = formOf(koa, response);
  const { outputs, acceptsAny } = acceptedFiles(koa.get('accept'));
  if (koa.state.form === 'json' || outputs.length === 0) return named;
  if (named === null) return outputs[0] ?? null;
  if (acceptsAny || outputs.includes(named)) return named;
  throw new AppError(
    'invalid_request',
    `Accept: asks for ${outputs.map((one) => CONTENT_TYPE[one]).join(' or ')}, output for ${quoted(named)}; leave one of them out.`,
  );
}

/** The output whose file Accept asks for; null where it asks for none. */
export const outputAccepted = (koa: Pick<RequestContext, 'get'>): Output | null =>
  acceptedFiles(koa.get('accept')).outputs[0] ?? null;

const formOf = (koa: RequestContext, response: AnswerForm | null): AnswerForm =>
  response ?? (outputAccepted(koa) === null ? 'json' : 'bytes');

interface AcceptedFiles {
  /** The preferred first; empty where JSON is preferred, or no file type is named. */
  readonly outputs: readonly Output[];
  /** Whether any other type would do as well. */
  readonly acceptsAny: boolean;
}

/** Reads a header Accept (RFC 9110, section 12.5.1). The range for every type asks for no file. */
function acceptedFiles(header: string): AcceptedFiles {
  const ranges = header
    .toLowerCase()
    .split(',')
    .map((range) => {
      const [type = '', ...parameters] = range.split(';').map((part) => part.trim());
      const weight = parameters.map((one) => /^q=([\d.]+)$/.exec(one)?.[1]).find((one) => one !== undefined);
      return { type, weight: weight === undefined ? 1 : Number(weight) };
    })
    .filter(({ weight }) => weight > 0)
    // Stable: of equal weights, the first is preferred.
    .sort((a, b) => b.weight - a.weight);
  const files = ranges.flatMap(({ type, weight }) =>
    OUTPUTS.filter((output) => type === CONTENT_TYPE[output] || (type === 'image/*' && output !== 'pdf')).map(
      (output) => ({ output, weight }),
    ),
  );
  const json = ranges.find(({ type }) => type === 'application/json')?.weight ?? 0;
  const isJson = json >= (files[0]?.weight ?? 0);
  return {
    outputs: isJson ? [] : [...new Set(files.map(({ output }) => output))],
    acceptsAny: ranges.some(({ type }) => type === '*/*'),
  };
}
