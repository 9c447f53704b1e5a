// What can be said of a template, and of modifications to it, before anything is drawn. Nothing is encoded or loaded.
//
// `LocalChecks` works in the thread that asks; threaded-checks.ts hands what is large to another one.

import { LruCache } from '#core/lru-cache.ts';
import type { Modifications } from '#core/resolve/apply-modifications.ts';
import { type CheckedAny, checkAny } from '#core/resolve/resolve-any.ts';
import { type AnyTemplate, parseAnyTemplate } from '#core/template/any-template.ts';
import type { TemplateSummary } from '#storage/templates.ts';
import { toModifications } from './parameters.ts';
import type { Parameter } from './signed-url.ts';

/** Names a template at one version, which never changes. */
export interface TemplateKey {
  readonly id: string;
  readonly version: number;
}

/** With its text, and whose turn its checks take where they wait. */
export interface StoredTemplateText extends TemplateKey {
  readonly accountId: string;
  /** JSON. */
  readonly document: string;
}

/** A document that may be stored. */
export interface Storable {
  readonly summary: TemplateSummary;
  /** JSON, as it was posted. */
  readonly document: string;
}

export interface TemplateChecks {
  /** @throws ValidationError when the document is no template, or one that cannot be drawn as it is */
  read(accountId: string, document: unknown): Promise<Storable>;
  summaryOf(template: StoredTemplateText): Promise<TemplateSummary>;
  /** @throws ValidationError naming the path, when a modification does not fit */
  check(template: StoredTemplateText, modifications: Modifications): Promise<CheckedAny>;
  /** The parameters of a signed URL, as the template's layers take them. */
  toModifications(template: StoredTemplateText, parameters: readonly Parameter[]): Promise<Modifications>;
}

export class LocalChecks implements TemplateChecks {
  readonly #templates = new ParsedTemplates();

  async read(_accountId: string, document: unknown): Promise<Storable> {
    return readTemplate(document);
  }

  async summaryOf(template: StoredTemplateText): Promise<TemplateSummary> {
    return summaryOf(await this.#parsed(template));
  }

  async check(template: StoredTemplateText, modifications: Modifications): Promise<CheckedAny> {
    return checkAny(await this.#parsed(template), modifications);
  }

  async toModifications(template: StoredTemplateText, parameters: readonly Parameter[]): Promise<Modifications> {
    return toModifications(await this.#parsed(template), parameters);
  }

  #parsed(template: StoredTemplateText): Promise<AnyTemplate> {
    return this.#templates.find(template, async () => template.document);
  }
}

/** Parsed templates in memory, by the length of their JSON, characters. */
const CAPACITY = 32_000_000;

export class ParsedTemplates {
  readonly #parsed = new LruCache<string, AnyTemplate>(CAPACITY);

  /** @param text its JSON, asked for when it is not known */
  async find({ id, version }: TemplateKey, text: () => Promise<string>): Promise<AnyTemplate> {
    const key = `${id}@${version}`;
    const known = this.#parsed.get(key);
    if (known) return known;
    const document = await text();
    const template = parseAnyTemplate(JSON.parse(document));
    this.#parsed.set(key, template, document.length);
    return template;
  }
}

/** @throws ValidationError when it is no template, or one that cannot be drawn as it is */
export function readTemplate(document: unknown): Storable {
  const template = parseAnyTemplate(document);
  checkAny(template, {});
  return { summary: summaryOf(template), document: JSON.stringify(document) };
}

export function summaryOf({ name, width, height, engine }: AnyTemplate): TemplateSummary {
  return { name, width, height, engine };
}
