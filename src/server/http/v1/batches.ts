// `/v1/batches`: many items of one template as jobs, which end in one zip or one PDF.

import { Readable } from 'node:stream';
import { z } from 'zod';
import { AppError } from '#base/errors.ts';
import { type Diagnostic, ValidationError } from '#core/diagnostics.ts';
import { parse } from '#core/template/validation.ts';
import { LabelSheet } from '#design/label-sheet.ts';
import { requireTemplate } from '#server/service/accounts/key-scope.ts';
import {
  ARCHIVES,
  type Batch,
  type BatchContext,
  type BatchProgress,
  type BatchRequest,
  batchRecord,
  createBatch,
  errorOf,
  listBatches,
  listBatchRows,
  MAX_BATCH_ROWS,
  openBatch,
  ROW_FILTERS,
  readBatch,
} from '#server/service/jobs/batches.ts';
import { decodeText, parseTable } from '#server/service/jobs/csv.ts';
import { rowsOfTable } from '#server/service/jobs/table-rows.ts';
import { answerWith, isByKey, sendList } from '../middleware/answer.ts';
import { callerOf } from '../middleware/authentication.ts';
import { parseInTurn, readBody, readJsonObject } from '../middleware/body.ts';
import { pageRequest, textInQuery, wordInQuery } from '../middleware/list-query.ts';
import { type Handler, idOf, type RequestContext } from '../middleware/request-context.ts';
import { holdAnswer } from '../middleware/request-memory.ts';
import { unknownFields } from '../middleware/unknown-fields.ts';
import { templateReference } from '../studio/requests.ts';
import { STUDIO_REQUESTS as Request } from '../studio/schemas.ts';
import type { StudioContext } from '../studio/studio-context.ts';
import { CHOICES, readChoices } from './choices.ts';
import { MAX_BATCH_BODY, MAX_BATCH_VALUES, readBatchItem } from './instant-batch.ts';
import {
  ITEM_FIELDS,
  NumberingField,
  readFileFields,
  readGiven,
  readModifications,
  readTemplateSource,
} from './renders.ts';

/** Fields of a merged batch beside those of any batch of one template. */
export const MergeFields = z.object({
  merge: z
    .enum(ARCHIVES)
    .meta({ description: 'pdf: all pages in one file, fonts and pictures once. zip: one file per item.' }),
  name: z.string().trim().min(1).max(200).optional().meta({ description: 'Of the file, without extension.' }),
  numbering: NumberingField,
  sheet: LabelSheet.optional(),
  nameFrom: z.string().min(1).max(200).optional().meta({
    description: 'The modification whose value names the file of an item, and its entry in the outline of a PDF.',
  }),
  webhookUrl: z.string().nullable().optional().meta({ description: 'Called when every item has finished.' }),
});
const HEAD = [...ITEM_FIELDS.filter((name) => name !== 'modifications'), ...Object.keys(MergeFields.shape)];
const FIELDS = ['items', ...HEAD];

type Fields = Readonly<Record<string, unknown>>;

export function batchHandlers(ctx: StudioContext) {
  const { assets, address, basePath } = ctx;

  const showHead = ({ id, templateId, name, archive, createdAt }: Batch) => {
    return { id, template: templateId, name, archive, createdAt };
  };

  function show(koa: RequestContext, batch: BatchProgress) {
    if (isByKey(koa)) return batchRecord(batch, address());
    const { id, accountId, total, done, warned, failed, errors, isReady } = batch;
    const file = isReady ? `${basePath}/v1/studio/accounts/${accountId}/batches/${id}/file` : null;
    return { ...showHead(batch), total, done, warned, failed, errors, file };
  }

  /** @throws AppError `not_found`; `forbidden` for a template that the key may not use */
  async function ownBatch(koa: RequestContext): Promise<BatchProgress> {
    const caller = callerOf(koa);
    const batch = await readBatch(ctx, caller.accountId, idOf(koa));
    requireTemplate(caller, batch.templateId);
    return batch;
  }

  const create: Handler = async (koa) => {
    const byKey = isTable(koa) ? readTableRequest : readJsonRequest;
    const { request, diagnostics } = isByKey(koa) ? await byKey(ctx, koa) : await readRowsRequest(koa);
    await answerWith(
      koa,
      (batch: BatchProgress) => ({ status: 202, body: show(koa, batch), diagnostics }),
      (onCommit) => createBatch(ctx, callerOf(koa), request, onCommit),
    );
  };
  const read: Handler = async (koa) => {
    koa.body = show(koa, await ownBatch(koa));
  };
  /** The file, streamed as it is made. */
  const open: Handler = async (koa) => {
    const { accountId, id } = await ownBatch(koa);
    const { archive, name, length, memory, chunks } = await openBatch(ctx, accountId, id);
    await holdAnswer(koa, memory);
    koa.set('content-disposition', attachment(name, `${id}.${archive}`));
    koa.set('content-security-policy', "default-src 'none'");
    koa.body = Readable.from(chunks);
    koa.type = `application/${archive}`;
    if (length !== null) koa.length = length;
  };

  return {
    ...{ createMergedBatch: create, studioRenderBatch: create },
    ...{ readMergedBatch: read, studioReadBatch: read },
    ...{ openMergedBatch: open, studioOpenBatch: open },
    studioListBatches: async (koa) => {
      const templateId = textInQuery(koa, 'template');
      const { items, next } = await listBatches(ctx, callerOf(koa).accountId, templateId, pageRequest(koa));
      sendList(koa, 'batches', items.map(showHead), next);
    },
    studioListBatchRows: async (koa) => {
      const filter = wordInQuery(koa, 'rows', ROW_FILTERS);
      const { accountId } = callerOf(koa);
      const { items, next } = await listBatchRows(ctx, accountId, idOf(koa), filter, pageRequest(koa));
      const shown = items.map((row) => {
        const { renderId: id, place, name, status, warnings, size, output } = row;
        const isKept = status === 'done' && size !== null && output;
        const url = isKept ? assets.result({ id, output }).url : null;
        return { id, row: place, name, status, warnings, error: errorOf(row), url };
      });
      sendList(koa, 'rows', shown, next);
    },
  } satisfies Record<string, Handler>;
}

/** Names a download (RFC 6266). @param plain the name for clients that read ASCII only */
const attachment = (name: string, plain: string) =>
  `attachment; filename="${plain}"; filename*=UTF-8''${encodeURIComponent(name).replace(/['()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`)}`;

interface ReadRequest {
  readonly request: BatchRequest;
  /** About unknown fields. */
  readonly diagnostics: readonly Diagnostic[];
}

async function readJsonRequest(_ctx: BatchContext, koa: RequestContext): Promise<ReadRequest> {
  const body = await readJsonObject(koa, MAX_BATCH_BODY, MAX_BATCH_VALUES);
  const { nameFrom, ...request } = readHead(body);
  return { request: { ...request, rows: readRows(body, nameFrom) }, diagnostics: unknownFields(body, FIELDS) };
}

/** Of a CSV, whose other fields are in the query. */
async function readTableRequest(ctx: BatchContext, koa: RequestContext): Promise<ReadRequest> {
  const fields = fieldsOfQuery(koa);
  const { nameFrom, ...request } = readHead(fields);
  const { ignoreUnknown } = parse(z.object({ ignoreUnknown: z.boolean().optional() }), fields);
  const table = await readTable(koa, MAX_BATCH_BODY, { rows: MAX_BATCH_ROWS + 1, cells: MAX_BATCH_VALUES });
  const rows = await rowsOfTable(ctx, callerOf(koa), request.template, table, { nameFrom, ignoreUnknown });
  if (rows.length === 0) throw new AppError('invalid_request', 'The table has no rows below the names of layers.');
  const given = readGiven(fields);
  return {
    request: { ...request, rows: rows.map((row) => ({ ...row, ...given })) },
    diagnostics: unknownFields(fields, [...HEAD, 'ignoreUnknown']),
  };
}

/** Of the studio, whose rows come with the names of their files. */
async function readRowsRequest(koa: RequestContext): Promise<ReadRequest> {
  const fields = await readJsonObject(koa, MAX_BATCH_BODY, MAX_BATCH_VALUES);
  const body = parse(Request.StudioBatchRequest, fields);
  const { version = null, name: batchName = null, rows, archive, sheet, numbering, output, ...chosen } = body;
  const { size, lang, brand, ...options } = chosen;
  if (archive === 'pdf' && fields.output !== undefined && output !== 'pdf') {
    throw new AppError('invalid_request', 'output: must be "pdf" where archive is "pdf"');
  }
  if (archive !== 'pdf' && sheet) {
    throw new AppError('invalid_request', 'sheet: is for one PDF; ask for archive "pdf"');
  }
  if (archive !== 'pdf' && numbering === 'file') {
    throw new AppError('invalid_request', 'numbering: "file" is for one PDF; ask for archive "pdf"');
  }
  const request: BatchRequest = {
    template: templateReference(koa, version),
    name: batchName || null,
    rows: rows.map(({ name = null, modifications }) => ({ name: name || null, modifications })),
    rowsField: 'rows',
    output: archive === 'pdf' ? 'pdf' : output,
    options,
    wanted: { size, lang, brand },
    archive,
    numbering,
    sheet,
  };
  return { request, diagnostics: [] };
}

/** All but the rows. @throws AppError `invalid_request` or ValidationError naming the field */
function readHead(body: Fields): Omit<BatchRequest, 'rows'> & { readonly nameFrom: string | undefined } {
  if (Object.hasOwn(body, 'renders')) {
    throw new ValidationError('renders', 'cannot be merged; send one template with a list of items');
  }
  const { merge, name = null, nameFrom, sheet, numbering, webhookUrl = null } = parse(MergeFields, body);
  const template = readTemplateSource(body);
  if (typeof template !== 'string') {
    throw new ValidationError('template', 'must be the id of a stored template here: its jobs read it later');
  }
  if (merge !== 'pdf' && sheet) throw new ValidationError('sheet', 'is for a merged PDF; ask for merge "pdf"');
  if (merge !== 'pdf' && numbering === 'file') {
    throw new ValidationError('numbering', '"file" is for a merged PDF; ask for merge "pdf"');
  }
  if (merge === 'pdf' && (body.output ?? 'pdf') !== 'pdf') {
    throw new ValidationError('output', 'must be "pdf" where merge is "pdf"; leave it out');
  }
  const { output, options } = readFileFields({ ...body, ...(merge === 'pdf' && { output: 'pdf' }) });
  const wanted = readChoices(body);
  const merged = { archive: merge, numbering, sheet, output, options };
  return { template, name, ...merged, rowsField: 'items', wanted, webhookUrl, nameFrom };
}

function readRows(body: Fields, nameFrom: string | undefined): BatchRequest['rows'] {
  const given = readGiven(body);
  return readItems(body).map((value, index) => {
    const item = readBatchItem(value, `items[${index}]`, true);
    if (item.output !== undefined) {
      throw new ValidationError(`items[${index}].output`, 'cannot differ from the others; give it once, for the batch');
    }
    const modifications = readModifications(item);
    const name = nameFrom === undefined ? null : nameOf(modifications[nameFrom]);
    return { ...given, ...readGiven(item), modifications, wanted: readChoices(item), name };
  });
}

function readItems(body: Fields): readonly unknown[] {
  const items = body.items ?? [];
  if (!Array.isArray(items) || items.length === 0) {
    throw new ValidationError('items', 'must be a list of modifications, such as [{"title": "Hello"}]');
  }
  if (items.length > MAX_BATCH_ROWS) {
    throw new AppError('invalid_request', `Batch too large (${items.length}); max ${MAX_BATCH_ROWS}.`);
  }
  return items;
}

/** The text of a modification; null = it has none, and its file is called by its number. */
function nameOf(value: unknown): string | null {
  const text = typeof value === 'object' && value !== null && 'text' in value ? value.text : value;
  return typeof text === 'string' || typeof text === 'number' ? String(text).trim() || null : null;
}

// Reads a batch that is sent as a CSV: the rows in the body, the other fields in the query.

/** Fields that are texts, whatever they look like; others are numbers, booleans or JSON where they can be. */
const TEXTS: readonly string[] = [
  ...['template', 'templateId', 'merge', 'name', 'nameFrom', 'numbering', 'webhookUrl', 'metadata', 'output'],
  ...CHOICES,
];

const isTable = (koa: RequestContext): boolean => /^text\/csv\s*(;|$)/i.test(koa.get('content-type'));

/**
 * @param limit of the body, bytes
 * @param most.rows with the first one
 * @returns rows of cells
 * @throws AppError `too_large`, or `invalid_request` for anything but a CSV
 */
async function readTable(
  koa: RequestContext,
  limit: number,
  most: { readonly rows: number; readonly cells: number },
): Promise<readonly (readonly string[])[]> {
  const encoding = koa.get('content-encoding');
  if (encoding !== '' && encoding !== 'identity') {
    throw new AppError('invalid_request', 'The body must not be compressed.');
  }
  const bytes = await readBody(koa, limit);
  return parseInTurn(koa, bytes, () => parseTable(decodeText(bytes, 'The body'), most));
}

/** The fields of the query, as a JSON body would have them. @throws ValidationError for one that is given twice */
function fieldsOfQuery({ query }: RequestContext): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(query).map(([name, value]) => {
      if (Array.isArray(value) && !CHOICES.includes(name)) throw new ValidationError(name, 'is given twice');
      return [name, typeof value === 'string' && !TEXTS.includes(name) ? typed(value) : value];
    }),
  );
}

function typed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
