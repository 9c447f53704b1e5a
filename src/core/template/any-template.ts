// Parses a stored template of either kind, which its `engine` decides.

import { z } from 'zod';
import { ValidationError } from '../diagnostics.ts';
import { lazily } from '../lazily.ts';
import { nearestName } from '../nearest-name.ts';
import { HtmlTemplate, parseHtmlTemplate } from './html-template.ts';
import { withDesigns } from './published-schema.ts';
import { LayersTemplate, parseTemplate, type Template } from './template.ts';

export type AnyTemplate = Template | HtmlTemplate;

const ENGINES = ['layers', 'html'];

/** @throws ValidationError with the paths of what is wrong */
export function parseAnyTemplate(input: unknown): AnyTemplate {
  const given: Readonly<Record<string, unknown>> = typeof input === 'object' && input !== null ? { ...input } : {};
  const engine = given.engine ?? undefined;
  if (engine === 'html') return parseHtmlTemplate(input);
  if (engine === undefined && 'html' in given && !('layers' in given)) {
    throw new ValidationError('engine', 'must be "html" where the template has html');
  }
  if (engine !== undefined && engine !== 'layers') {
    const near = typeof engine === 'string' ? nearestName(engine, ENGINES) : null;
    const hint = near === null ? '' : `; did you mean ${JSON.stringify(near)}?`;
    throw new ValidationError('engine', `must be one of "layers", "html"${hint}`);
  }
  return parseTemplate(input);
}

/** The published JSON Schema (draft 2020-12) of what `parseAnyTemplate` accepts. */
// Pure: so a page that does not use it has no writer of JSON Schema.
export const anyTemplateJsonSchema: () => unknown = /* @__PURE__ */ lazily(() => {
  const schema = z.toJSONSchema(z.union([LayersTemplate, HtmlTemplate]), { io: 'input', reused: 'ref' });
  return { ...schema, $defs: withDesigns((schema.$defs ?? {}) as Parameters<typeof withDesigns>[0]) };
});
