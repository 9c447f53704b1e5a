// Checks templates, and modifications to them, before anything is drawn. Nothing is encoded or loaded.
//
// `LocalChecks` works on the calling thread; threaded-checks.ts moves large checks to a worker thread.

import type { Diagnostic } from '#core/diagnostics.ts';
import { LruCache } from '#core/lru-cache.ts';
import type { Modifications } from '#core/resolve/apply-modifications.ts';
import type { Purpose } from '#core/resolve/check-parameters.ts';
import { type CheckedAny, checkAny } from '#core/resolve/resolve-any.ts';
import { type AnyTemplate, parseAnyTemplate } from '#core/template/any-template.ts';
import { checkHtmlTemplate } from '#html/check-template.ts';
import type { TemplateSummary } from '#storage/templates.ts';
import { toModifications } from '../rendering/parameters.ts';
import type { Parameter } from '../rendering/signed-url.ts';

/** Identifies one version of a template, which never changes. */
export interface TemplateKey {
  readonly id: string;
  readonly version: number;
}

/** With the template's text, and the account as the round-robin key of checks that wait. */
export interface StoredTemplateText extends TemplateKey {
  readonly accountId: string;
  /** JSON. */
  readonly document: string;
}

/** A document that passed its checks and may be stored. */
export interface Storable {
  readonly summary: TemplateSummary;
  /** JSON, as it was posted. */
  readonly document: string;
  /** Oddities that every render of it will have. */
  readonly diagnostics: readonly Diagnostic[];
}

export interface TemplateChecks {
  /**
   * @throws ValidationError when the document is no template, or cannot be drawn without modifications; AppError
   *   `invalid_request` for html that its renderer cannot draw
   */
  read(accountId: string, document: unknown): Promise<Storable>;
  summaryOf(template: StoredTemplateText): Promise<TemplateSummary>;
  /**
   * @param purpose of the values; default: `render`
   * @throws ValidationError naming the path, when a modification does not fit
   */
  check(template: StoredTemplateText, modifications: Modifications, purpose?: Purpose): Promise<CheckedAny>;
  /** Converts the parameters of a signed URL to modifications of the template's layers. */
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

  async check(
    template: StoredTemplateText,
    modifications: Modifications,
    purpose: Purpose = 'render',
  ): Promise<CheckedAny> {
    return checkAny(await this.#parsed(template), modifications, purpose);
  }

  async toModifications(template: StoredTemplateText, parameters: readonly Parameter[]): Promise<Modifications> {
    return toModifications(await this.#parsed(template), parameters);
  }

  #parsed(template: StoredTemplateText): Promise<AnyTemplate> {
    return this.#templates.find(template, async () => template.document);
  }
}

/** Capacity of the cache of parsed templates, in characters of their JSON. Parsed, each takes some six times its length. */
const CAPACITY = 8_000_000;

export class ParsedTemplates {
  readonly #parsed = new LruCache<string, AnyTemplate>(CAPACITY);

  /**
   * @param text returns the template's JSON; called when it is not cached
   */
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

/**
 * @throws ValidationError when the document is no template, or cannot be drawn without modifications
 */
export function readTemplate(document: unknown): Storable {
  const template = parseAnyTemplate(document);
  if (template.engine === 'html') checkHtmlTemplate(template);
  const { diagnostics } = checkAny(template, {}, 'design');
  return { summary: summaryOf(template), document: JSON.stringify(document), diagnostics };
}

export function summaryOf({ name, width, height, engine }: AnyTemplate): TemplateSummary {
  return { name, width, height, engine };
}
