// Path and query parameters that several operations have, by name.

import { OUTPUTS } from '#draw/output/formats.ts';

/** Path and query parameters by name. */
const ABOUT: Readonly<Record<string, Omit<Parameter, 'name' | 'in' | 'required'>>> = {
  accountId: { schema: { type: 'string' }, description: 'An account’s id; the caller must be a member.' },
  templateId: { schema: { type: 'string' }, description: 'A template’s id.' },
  version: { schema: { type: 'integer', minimum: 1 }, description: 'A version; in a query, the newest by default.' },
  draft: { schema: { type: 'integer', minimum: 0 }, description: 'The revision of the draft to show instead.' },
  with: {
    schema: { type: 'string', maxLength: 80 },
    description: 'A brand or a component at a version, name@3 or tpl_…@3, in place of an older one.',
  },
  purpose: { schema: { type: 'string', enum: ['signing', 'webhook'] } },
  brandName: { schema: { type: 'string' }, description: 'A brand’s name; to read a version, name@3.' },
  faceId: { schema: { type: 'string' }, description: 'A face, as the list of fonts names it.' },
  limit: { schema: { type: 'integer', minimum: 1, maximum: 200, default: 50 }, description: 'Items of a page.' },
  after: { schema: { type: 'string' }, description: 'Cursor: `next` of the previous page.' },
  search: { schema: { type: 'string', maxLength: 100 }, description: 'Case-insensitive part of the name.' },
  width: { schema: { type: 'integer', minimum: 1 }, description: 'px' },
  height: { schema: { type: 'integer', minimum: 1 }, description: 'px' },
  folder: {
    schema: { type: 'string', maxLength: 100 },
    description: 'Only what is in this folder; of an upload, where it is put.',
  },
  sort: { schema: { type: 'string', enum: ['saved', 'name', 'created'], default: 'saved' }, description: 'The order.' },
  name: { schema: { type: 'string', maxLength: 200 }, description: 'The name to give it.' },
  family: {
    schema: { type: 'string', maxLength: 100 },
    description: 'Its family’s name; by default that in the file.',
  },
  status: { schema: { type: 'string' } },
  kind: { schema: { type: 'string', enum: ['render', 'screenshot'] } },
  output: { schema: { type: 'string', enum: [...OUTPUTS] } },
  template: { schema: { type: 'string' }, description: 'A template’s id.' },
  batch: { schema: { type: 'string' }, description: 'A batch’s id.' },
  rows: { schema: { type: 'string', enum: ['failed', 'warned'] }, description: 'Only these rows.' },
  render: { schema: { type: 'string' }, description: 'A render’s id.' },
  warnings: { schema: { type: 'string', enum: ['true'] }, description: 'Only renders that have warnings.' },
  lang: { schema: { type: 'string', maxLength: 100 }, description: 'A language of the template; its own by default.' },
  size: { schema: { type: 'string', maxLength: 100 }, description: 'A size of the template; its own by default.' },
  period: {
    schema: { type: 'string', pattern: '^\\d{4}-\\d{2}$' },
    description: 'A month in UTC; by default the current one.',
  },
};

/** One that is not listed is a string. */
export function parameterNamed(name: string, place: 'path' | 'query'): Parameter {
  const about = ABOUT[name] ?? { schema: { type: 'string' } };
  return { name, in: place, ...about, ...(place === 'path' ? { required: true } : {}) };
}

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query';
  readonly schema: JsonSchema;
  readonly required?: boolean;
  readonly description?: string;
}

export type JsonSchema = Readonly<Record<string, unknown>>;
