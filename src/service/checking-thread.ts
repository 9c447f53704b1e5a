// Entry of the worker thread of threaded-checks.ts, which parses and checks what is too large for the main thread.

import { parentPort } from 'node:worker_threads';
import type { Modifications } from '#core/resolve/apply-modifications.ts';
import type { Purpose } from '#core/resolve/check-parameters.ts';
import { type CheckedAny, checkAny } from '#core/resolve/resolve-any.ts';
import type { AnyTemplate } from '#core/template/any-template.ts';
import { ThreadRpc } from '#renderer/thread-rpc.ts';
import type { TemplateSummary } from '#storage/templates.ts';
import { toModifications } from './parameters.ts';
import type { Parameter } from './signed-url.ts';
import { ParsedTemplates, readTemplate, type Storable, summaryOf, type TemplateKey } from './template-checks.ts';
import type { TextHandlers } from './threaded-checks.ts';

/** Calls that the thread answers. It keeps parsed templates, and asks for the text of each only once. */
export type CheckHandlers = {
  read(document: unknown): Promise<Storable>;
  summaryOf(template: TemplateKey): Promise<TemplateSummary>;
  check(of: {
    readonly template: TemplateKey;
    readonly modifications: Modifications;
    readonly purpose: Purpose;
  }): Promise<CheckedAny>;
  toModifications(of: {
    readonly template: TemplateKey;
    readonly parameters: readonly Parameter[];
  }): Promise<Modifications>;
};

const templates = new ParsedTemplates();
if (!parentPort) throw new Error('This file is the entry of a thread.');
const calls: ThreadRpc<TextHandlers> = new ThreadRpc<TextHandlers>(parentPort, {
  read: async (document) => readTemplate(document),
  summaryOf: async (template) => summaryOf(await parsed(template)),
  check: async ({ template, modifications, purpose }) => checkAny(await parsed(template), modifications, purpose),
  toModifications: async ({ template, parameters }) => toModifications(await parsed(template), parameters),
} satisfies CheckHandlers);

function parsed(template: TemplateKey): Promise<AnyTemplate> {
  return templates.find(template, () => calls.call('text', template));
}
