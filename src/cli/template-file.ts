// Reads a template from a file: the document itself, or `{template, modifications, templates, brands}`.

import { readFile } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import { AppError } from '#base/errors.ts';

// Reads a file named on the command line, or standard input; an error says why it cannot be read.

/** @param path of a file; `-` is standard input @throws AppError `invalid_request` */
export async function readInput(path: string): Promise<Buffer> {
  if (path === '-') return buffer(process.stdin);
  try {
    return await readFile(path);
  } catch (cause) {
    const { code = '' } = cause as NodeJS.ErrnoException;
    const problem = { ENOENT: 'does not exist', EISDIR: 'is a folder', EACCES: 'may not be read' }[code];
    throw new AppError('invalid_request', `${path} ${problem ?? 'cannot be read'}.`, { cause });
  }
}

export interface TemplateFile {
  readonly template: unknown;
  readonly modifications: Readonly<Record<string, unknown>>;
  /** Components and brands of a design, by reference: `tpl_…@3`, `acme@2`. */
  readonly templates: Readonly<Record<string, unknown>>;
  readonly brands: Readonly<Record<string, unknown>>;
}

/** @throws AppError `invalid_request` when the file cannot be read or is no JSON object */
export async function readTemplateFile(path: string): Promise<TemplateFile> {
  const value = parseJson(path, (await readInput(path)).toString('utf8'));
  if (!isObject(value)) throw new AppError('invalid_request', `${path} holds no JSON object.`);
  if (!isObject(value.template)) return { template: value, modifications: {}, templates: {}, brands: {} };
  const part = (name: string) => (isObject(value[name]) ? value[name] : {});
  return {
    template: value.template,
    modifications: part('modifications'),
    templates: part('templates'),
    brands: part('brands'),
  };
}

/**
 * @throws AppError `invalid_request` with the parser's message, which gives the position
 */
export function parseJson(path: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new AppError('invalid_request', `${path} is not valid JSON: ${(cause as Error).message}`, { cause });
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
