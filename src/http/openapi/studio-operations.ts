// The studio's routes as operations of the OpenAPI document.

import { OUTPUTS } from '#output/formats.ts';
import { STUDIO_OPERATIONS, type StudioOperation } from '../studio/contract.ts';
import type { Answer, Content, Operation, Parameter } from './operations.ts';

/** Path and query parameters by name. */
const ABOUT: Readonly<Record<string, Omit<Parameter, 'name' | 'in' | 'required'>>> = {
  accountId: { schema: { type: 'string' }, description: 'An account’s id; the caller must be a member.' },
  templateId: { schema: { type: 'string' }, description: 'A template’s id.' },
  version: { schema: { type: 'integer', minimum: 1 }, description: 'A version; in a query, else the newest.' },
  draft: { schema: { type: 'integer', minimum: 0 }, description: 'The revision of the draft, which is shown instead.' },
  purpose: { schema: { type: 'string', enum: ['signing', 'webhook'] } },
  faceId: { schema: { type: 'string' }, description: 'A face, as the list of fonts names it.' },
  limit: { schema: { type: 'integer', minimum: 1, maximum: 200, default: 50 }, description: 'Items of a page.' },
  after: { schema: { type: 'string' }, description: 'What the page before said as `next`.' },
  search: { schema: { type: 'string', maxLength: 100 }, description: 'Stands in the name, whatever its case.' },
  width: { schema: { type: 'integer', minimum: 1 }, description: 'px' },
  height: { schema: { type: 'integer', minimum: 1 }, description: 'px' },
  folder: { schema: { type: 'string', maxLength: 100 }, description: 'Only templates in this folder.' },
  sort: { schema: { type: 'string', enum: ['saved', 'name', 'created'], default: 'saved' }, description: 'The order.' },
  name: { schema: { type: 'string', maxLength: 200 }, description: 'What it is to be called.' },
  status: { schema: { type: 'string' } },
  kind: { schema: { type: 'string', enum: ['render', 'screenshot'] } },
  output: { schema: { type: 'string', enum: [...OUTPUTS] } },
  template: { schema: { type: 'string' }, description: 'A template’s id.' },
  bulk: { schema: { type: 'string' }, description: 'A bulk’s id.' },
  rows: { schema: { type: 'string', enum: ['failed', 'warned'] }, description: 'Only these rows.' },
  render: { schema: { type: 'string' }, description: 'A render’s id.' },
  warnings: { schema: { type: 'string', enum: ['true'] }, description: 'Only renders that have warnings.' },
  period: { schema: { type: 'string', pattern: '^\\d{4}-\\d{2}$' }, description: 'A month in UTC; else this one.' },
};

const FILES = ['application/octet-stream', 'multipart/form-data'];

export const STUDIO: readonly Operation[] = STUDIO_OPERATIONS.map(toOperation);

function toOperation(operation: StudioOperation): Operation {
  const { method, path, id, summary, access, sudo, ifMatch, body, answers, errors } = operation;
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => parameter(name, 'path'));
  const inQuery = (operation.query ?? []).map((name) => parameter(name, 'query'));
  const isRole = access !== 'open' && access !== 'person';
  const notes = [
    ...(isRole ? [`Takes the role ${access}.`] : []),
    ...(sudo ? ['The password must have been typed in the last ten minutes.'] : []),
    ...(ifMatch ? ['If-Match names the revision of the draft.'] : []),
  ];
  return {
    ...{ method, path, id, summary },
    tag: 'Studio',
    description: [`${summary}.`, ...notes].join(' '),
    session: access === 'open' ? 'none' : 'needed',
    ifMatch: ifMatch ?? false,
    parameters: [...inPath, ...inQuery],
    ...(body === undefined ? {} : { body: contentOf(body) }),
    answers: Object.fromEntries(
      Object.entries(answers).map(([status, answer]) => [status, answerOf(Number(status), answer)]),
    ),
    errors: [
      ...errors,
      ...(access !== 'open' || method !== 'get' ? ([401, 403] as const) : ([401] as const)),
      ...(ifMatch ? ([412, 428] as const) : []),
    ],
  };
}

function parameter(name: string, place: 'path' | 'query'): Parameter {
  const about = ABOUT[name] ?? { schema: { type: 'string' } };
  return { name, in: place, ...about, ...(place === 'path' ? { required: true } : {}) };
}

function contentOf(body: NonNullable<StudioOperation['body']>): Content {
  if (body === 'upload') return { bytes: FILES };
  if (body === 'import') return { object: { name: 'Card', width: 1200, height: 630, layers: [] } };
  return { json: body };
}

function answerOf(status: number, answer: StudioOperation['answers'][number]): Answer {
  if (answer === null) return { description: status === 304 ? 'The client holds it already.' : 'Done.', content: null };
  const description = status === 202 ? 'Accepted.' : status === 201 ? 'Made.' : 'As asked for.';
  if (answer === 'document') return { description, content: { object: { name: 'Card', width: 1200, height: 630 } } };
  return { description, content: typeof answer === 'string' ? { json: answer } : { bytes: answer } };
}
