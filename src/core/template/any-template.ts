// A stored template of either kind, told apart by its `engine`.

import { z } from 'zod';
import { HtmlTemplate } from './html-template.ts';
import { LayersTemplate, parseTemplate, type Template } from './template.ts';
import { parse } from './validation.ts';

export type AnyTemplate = Template | HtmlTemplate;

/** @throws ValidationError with the path of the first thing wrong */
export function parseAnyTemplate(input: unknown): AnyTemplate {
  const isHtml = typeof input === 'object' && input !== null && 'engine' in input && input.engine === 'html';
  return isHtml ? parse(HtmlTemplate, input) : parseTemplate(input);
}

/** The published JSON Schema (draft 2020-12) of what `parseAnyTemplate` accepts. */
export function anyTemplateJsonSchema(): unknown {
  schema ??= z.toJSONSchema(z.union([LayersTemplate, HtmlTemplate]), { io: 'input', reused: 'ref' });
  return schema;
}

let schema: unknown;
