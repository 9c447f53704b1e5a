// Entry of the worker thread of threaded-checks.ts, which parses and checks what is too large for the main thread.

import { parentPort } from 'node:worker_threads';
import { checkAny } from '#core/resolve/resolve-any.ts';
import type { AnyTemplate } from '#core/template/any-template.ts';
import { ThreadRpc } from '#draw/renderer/thread-rpc.ts';
import { toModifications, unknownParameters } from '../rendering/parameters.ts';
import type { CheckHandlers, TextHandlers } from './check-messages.ts';
import { choicesOf, designText } from './design-texts.ts';
import { readSvgTemplate } from './svg-template.ts';
import { ParsedTemplates, readTemplate, summaryOf, type TemplateKey } from './template-checks.ts';

const templates = new ParsedTemplates();
if (!parentPort) throw new Error('This file is the entry of a thread.');
const calls: ThreadRpc<TextHandlers> = new ThreadRpc<TextHandlers>(parentPort, {
  start: async () => {},
  readSvgTemplate: async (file) => readSvgTemplate(file),
  read: async ({ document, materials, id }) => readTemplate(document, materials, id),
  design: async ({ text, choice, materials, id }) => designText(text, choice, materials, id),
  choicesOf: async (template) => choicesOf(await parsed(template)),
  summaryOf: async (template) => summaryOf(await parsed(template)),
  check: async ({ template, modifications, purpose }) => checkAny(await parsed(template), modifications, purpose),
  toModifications: async ({ template, parameters }) => toModifications(await parsed(template), parameters),
  unknownParameters: async ({ template, names }) => unknownParameters(await parsed(template), names),
} satisfies CheckHandlers);

function parsed(template: TemplateKey): Promise<AnyTemplate> {
  return templates.find(template, () => calls.call('text', template));
}
