// Requests to the server of the credentials. Errors have the server's own sentence.

import {
  ApplicationError,
  type IDataObject,
  type IExecuteFunctions,
  type IHttpRequestMethods,
  type IHttpRequestOptions,
  type ILoadOptionsFunctions,
} from 'n8n-workflow';

type Functions = IExecuteFunctions | ILoadOptionsFunctions;

/** Sends a request and returns its JSON. */
export async function ask(
  context: Functions,
  method: IHttpRequestMethods,
  path: string,
  body?: IDataObject,
): Promise<IDataObject> {
  const options = await optionsOf(context, method, path);
  const answer = await send(context, body === undefined ? options : { ...options, body });
  return answer as IDataObject;
}

/** Loads a rendered file. Its address is public, and may be that of a bucket: no key goes there. */
export async function download(context: IExecuteFunctions, url: string): Promise<Buffer> {
  return bufferOf(await context.helpers.httpRequest({ method: 'GET', url, encoding: 'arraybuffer', json: false }));
}

/** Loads a file of the server, with the key. */
export async function downloadOwn(context: IExecuteFunctions, path: string): Promise<Buffer> {
  const options = await optionsOf(context, 'GET', path);
  return bufferOf(await send(context, { ...options, encoding: 'arraybuffer', json: false }));
}

const bufferOf = (bytes: unknown): Buffer => (Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes as ArrayBuffer));

async function optionsOf(context: Functions, method: IHttpRequestMethods, path: string): Promise<IHttpRequestOptions> {
  const { baseUrl } = await context.getCredentials<{ baseUrl: string }>('platenApi');
  return { method, baseURL: baseUrl.replace(/\/+$/, ''), url: path, json: true };
}

async function send(context: Functions, options: IHttpRequestOptions): Promise<unknown> {
  try {
    return await context.helpers.httpRequestWithAuthentication.call(context, 'platenApi', options);
  } catch (error) {
    const sentence = sentenceOf(error);
    if (sentence === null) throw error;
    throw new ApplicationError(sentence, { level: 'warning' });
  }
}

/** The server's own words about what was wrong; null = it did not answer, or something else did. */
function sentenceOf(error: unknown): string | null {
  const { response, context } = error as {
    readonly response?: { readonly data?: unknown; readonly body?: unknown };
    readonly context?: { readonly data?: unknown };
  };
  for (const data of [response?.data, response?.body, context?.data]) {
    const words = (data as { readonly error?: unknown } | null | undefined)?.error;
    if (typeof words === 'string') return words;
  }
  return null;
}
