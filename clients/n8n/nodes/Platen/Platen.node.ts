// The node: renders a template by the names of its fields, renders many items as one batch or into one file, waits for a
// job, captures a page.

import {
  type IDataObject,
  type IExecuteFunctions,
  type ILoadOptionsFunctions,
  type INodeExecutionData,
  type INodePropertyOptions,
  type INodeType,
  type INodeTypeDescription,
  NodeOperationError,
  type ResourceMapperFields,
  sleep,
} from 'n8n-workflow';
import { fieldsOf } from './fields';
import { PROPERTIES } from './properties';
import { ask, download, downloadOwn } from './server';

/** Most items of one batch, as the API takes them. */
const MOST_ITEMS = 50;
/** Longest pause between two looks at a job, ms. */
const LONGEST_PAUSE = 5_000;

type Operation = 'render' | 'batch' | 'merge' | 'wait' | 'screenshot';

export class Platen implements INodeType {
  description: INodeTypeDescription = {
    displayName: 'Platen',
    name: 'platen',
    icon: 'file:platen.svg',
    group: ['transform'],
    version: 1,
    subtitle: '={{$parameter["operation"]}}',
    description: 'Render templates to pictures and PDF, and capture web pages',
    defaults: { name: 'Platen' },
    inputs: ['main'],
    outputs: ['main'],
    usableAsTool: true,
    credentials: [{ name: 'platenApi', required: true }],
    properties: PROPERTIES,
  };

  methods = {
    loadOptions: {
      async getTemplates(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
        const { templates } = await ask(this, 'GET', '/v1/templates');
        return (templates as readonly { id: string; name: string }[]).map(({ id, name }) => ({ name, value: id }));
      },
    },
    resourceMapping: {
      async getFields(this: ILoadOptionsFunctions): Promise<ResourceMapperFields> {
        const template = this.getNodeParameter('template', '') as string;
        if (template === '') return { fields: [] };
        const [id = '', version] = template.split('@');
        const query = version === undefined ? '' : `?version=${encodeURIComponent(version)}`;
        return { fields: fieldsOf(await ask(this, 'GET', `/v1/templates/${encodeURIComponent(id)}${query}`)) };
      },
    },
  };

  async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
    const items = this.getInputData();
    const operation = this.getNodeParameter('operation', 0) as Operation;
    if (operation === 'batch') return [await renderBatches(this, items.length)];
    if (operation === 'merge') return [[await mergeAll(this, items.length).catch((error) => failed(this, error, 0))]];
    const run = { render: renderOne, wait: waitForOne, screenshot: captureOne }[operation];
    const results: INodeExecutionData[] = [];
    for (const index of items.keys()) {
      try {
        const json = await run(this, index);
        results.push(await withFile(this, json, index));
      } catch (error) {
        results.push(failed(this, error, index));
      }
    }
    return [results];
  }
}

function renderOne(context: IExecuteFunctions, index: number): Promise<IDataObject> {
  return ask(context, 'POST', '/v1/renders', renderOf(context, index));
}

/** What the fields of an item ask for. */
const renderOf = (context: IExecuteFunctions, index: number): IDataObject => ({
  template: context.getNodeParameter('template', index) as string,
  modifications: valuesOf(context, index),
  output: context.getNodeParameter('output', index) as string,
  ...optionsOf(context, index),
});

async function waitForOne(context: IExecuteFunctions, index: number): Promise<IDataObject> {
  const id = context.getNodeParameter('renderId', index) as string;
  const path = `/v1/renders/${encodeURIComponent(id)}`;
  const isOver = ({ status }: IDataObject) => status === 'done' || status === 'error';
  const job = await waitFor(
    context,
    path,
    index,
    isOver,
    ({ status }) => `The render ${id} is still ${String(status)}`,
  );
  if (job.status === 'error') throw new NodeOperationError(context.getNode(), String(job.error), { itemIndex: index });
  return { ...job, ...(job.result as IDataObject) };
}

/** Reads a path until it is over. @param state for the message of what takes too long */
async function waitFor(
  context: IExecuteFunctions,
  path: string,
  index: number,
  isOver: (read: IDataObject) => boolean,
  state: (read: IDataObject) => string,
): Promise<IDataObject> {
  const end = Date.now() + (context.getNodeParameter('timeout', index) as number) * 1_000;
  for (let pause = 500; ; pause = Math.min(LONGEST_PAUSE, pause * 1.5)) {
    const read = await ask(context, 'GET', path);
    if (isOver(read)) return read;
    if (Date.now() + pause > end) {
      const message = `${state(read)}: wait longer, or look again later.`;
      throw new NodeOperationError(context.getNode(), message, { itemIndex: index });
    }
    await sleep(pause);
  }
}

/** Renders all items of a template into one file, and waits for it. An item that fails is left out and costs nothing. */
async function mergeAll(context: IExecuteFunctions, count: number): Promise<INodeExecutionData> {
  const indexes = Array.from({ length: count }, (_, index) => index);
  const merge = context.getNodeParameter('merge', 0) as string;
  // What every item may have of its own; the rest is the batch's.
  const { size: _size, metadata: _metadata, name, nameFrom, ...options } = optionsOf(context, 0);
  const items = indexes.map((index) => {
    const { size, metadata } = optionsOf(context, index);
    return {
      ...{ modifications: valuesOf(context, index) },
      ...(size !== undefined && { size }),
      ...(metadata !== undefined && { metadata }),
    };
  });
  const accepted = await ask(context, 'POST', '/v1/batches', {
    ...{ template: context.getNodeParameter('template', 0) as string, merge, items },
    ...(merge === 'zip' && { output: context.getNodeParameter('output', 0) as string }),
    ...(name !== undefined && { name }),
    ...(nameFrom !== undefined && { nameFrom }),
    ...options,
  });
  const path = `/v1/batches/${String(accepted.id)}`;
  const over = (batch: IDataObject) => Number(batch.done) + Number(batch.failed);
  const batch = await waitFor(
    ...([context, path, 0] as const),
    (read) => over(read) === read.count,
    (read) => `The batch ${String(read.id)} is at ${over(read)} of ${String(read.count)}`,
  );
  if (batch.file === null) {
    const [first] = batch.errors as readonly { readonly error: string }[];
    throw new NodeOperationError(context.getNode(), first?.error ?? 'Every item failed.');
  }
  const item: INodeExecutionData = { json: batch, pairedItem: indexes.map((index) => ({ item: index })) };
  if (!(context.getNodeParameter('download', 0, false) as boolean)) return item;
  return withBinary(
    context,
    item,
    await downloadOwn(context, `${path}/file`),
    `${String(name ?? batch.id)}.${merge}`,
    0,
  );
}

function captureOne(context: IExecuteFunctions, index: number): Promise<IDataObject> {
  return ask(context, 'POST', '/v1/screenshots', {
    url: context.getNodeParameter('url', index) as string,
    width: context.getNodeParameter('width', index) as number,
    height: context.getNodeParameter('height', index) as number,
    fullPage: context.getNodeParameter('fullPage', index) as boolean,
    output: context.getNodeParameter('output', index) as string,
    ...optionsOf(context, index),
  });
}

/** Renders all items, fifty by one request. An item that fails costs nothing, and the others are rendered. */
async function renderBatches(context: IExecuteFunctions, count: number): Promise<INodeExecutionData[]> {
  const results: INodeExecutionData[] = [];
  for (let first = 0; first < count; first += MOST_ITEMS) {
    const indexes = Array.from({ length: Math.min(MOST_ITEMS, count - first) }, (_, i) => first + i);
    const renders = indexes.map((index) => renderOf(context, index));
    const answer = await ask(context, 'POST', '/v1/renders/batch', { renders });
    for (const [i, json] of (answer.results as IDataObject[]).entries()) {
      const index = first + i;
      if (json.error === undefined) results.push(await withFile(context, json, index));
      else results.push(failed(context, new NodeOperationError(context.getNode(), String(json.error)), index));
    }
  }
  return results;
}

/** The values of the fields, without those that were left empty. */
function valuesOf(context: IExecuteFunctions, index: number): IDataObject {
  const mapped = context.getNodeParameter('fields', index, {}) as { readonly value?: IDataObject | null };
  return Object.fromEntries(
    Object.entries(mapped.value ?? {}).filter(([, value]) => value !== null && value !== undefined && value !== ''),
  );
}

function optionsOf(context: IExecuteFunctions, index: number): IDataObject {
  const { binaryProperty: _own, ...options } = context.getNodeParameter('options', index, {}) as IDataObject;
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== ''));
}

/** The item of a result; with `Download`, also its file as binary data. */
async function withFile(context: IExecuteFunctions, json: IDataObject, index: number): Promise<INodeExecutionData> {
  const item: INodeExecutionData = { json, pairedItem: { item: index } };
  if (!(context.getNodeParameter('download', index, false) as boolean) || typeof json.url !== 'string') return item;
  const name = json.url.slice(json.url.lastIndexOf('/') + 1);
  return withBinary(context, item, await download(context, json.url), name, index);
}

async function withBinary(
  context: IExecuteFunctions,
  item: INodeExecutionData,
  bytes: Buffer,
  name: string,
  index: number,
): Promise<INodeExecutionData> {
  const { binaryProperty = 'data' } = context.getNodeParameter('options', index, {}) as { binaryProperty?: string };
  return { ...item, binary: { [binaryProperty]: await context.helpers.prepareBinaryData(bytes, name) } };
}

/** An item with the error where the workflow goes on after errors; otherwise throws it. */
function failed(context: IExecuteFunctions, error: unknown, index: number): INodeExecutionData {
  const message = error instanceof Error ? error.message : String(error);
  if (context.continueOnFail()) return { json: { error: message }, pairedItem: { item: index } };
  throw new NodeOperationError(context.getNode(), error as Error, { itemIndex: index });
}
