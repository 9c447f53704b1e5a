// Reads a template from a file: the document itself, or `{template, modifications}`.

import { AppError } from '#errors';
import { readInput } from './read-input.ts';

export interface TemplateFile {
  readonly template: unknown;
  readonly modifications: Readonly<Record<string, unknown>>;
}

/** @throws AppError `invalid_request` when the file cannot be read or is no JSON object */
export async function readTemplateFile(path: string): Promise<TemplateFile> {
  const value = parseJson(path, (await readInput(path)).toString('utf8'));
  if (!isObject(value)) throw new AppError('invalid_request', `${path} holds no JSON object.`);
  if (!isObject(value.template)) return { template: value, modifications: {} };
  return { template: value.template, modifications: isObject(value.modifications) ? value.modifications : {} };
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
