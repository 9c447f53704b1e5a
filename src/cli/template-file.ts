// Reads a template from a file: the document itself, or `{template, modifications, templates, brands}`.

import { AppError } from '#base/errors.ts';
import { readInput } from './read-input.ts';

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
