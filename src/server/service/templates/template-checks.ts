// Checks templates, and modifications to them, before anything is drawn. Nothing is encoded or loaded.
//
// `LocalChecks` works on the calling thread; threaded-checks.ts moves large checks to a worker thread.

import type { Diagnostic } from '#core/diagnostics.ts';
import { LruCache } from '#core/lru-cache.ts';
import type { Modifications } from '#core/resolve/apply-modifications.ts';
import type { Purpose } from '#core/resolve/check-parameters.ts';
import { type CheckedAny, checkAny } from '#core/resolve/resolve-any.ts';
import { type AnyTemplate, parseAnyTemplate } from '#core/template/any-template.ts';
import type { Choice } from '#design/choice.ts';
import { isMissing } from '#design/design.ts';
import { isDesign } from '#design/is-design.ts';
import type { Missing } from '#design/materials.ts';
import { checkHtmlTemplate } from '#draw/html/check-template.ts';
import type { TemplateSummary, VersionContent } from '#server/storage/templates.ts';
import { toModifications, unknownParameters } from '../rendering/parameters.ts';
import type { NamedValue } from '../rendering/signed-url.ts';
import {
  type Choices,
  choicesOf,
  type DesignedText,
  designText,
  type MaterialTexts,
  NO_TEXTS,
  readDesign,
} from './design-texts.ts';
import { type ReadSvgTemplate, readSvgTemplate, type SvgFile } from './svg-template.ts';

/** Identifies one version of a template, or one look of its design; neither ever changes. */
export interface TemplateKey {
  readonly id: string;
  readonly version: number;
  /** What was chosen of a design; absent for the template as it is. */
  readonly design?: string;
}

export const keyOf = ({ id, version, design }: TemplateKey): string =>
  `${id}@${version}${design === undefined ? '' : ` ${design}`}`;

/** With the template's text, and the account as the round-robin key of checks that wait. */
export interface StoredTemplateText extends TemplateKey {
  readonly accountId: string;
  /** JSON. */
  readonly document: string;
}

/** A document that passed its checks. */
export interface CheckedDocument {
  readonly summary: TemplateSummary;
  /** JSON, as it was posted. */
  readonly document: string;
  /** Oddities that every render of it will have. */
  readonly diagnostics: readonly Diagnostic[];
}

/** The same, with what it is made of besides: it may be stored. */
export type Storable = CheckedDocument & VersionContent;

export interface TemplateChecks {
  /**
   * @param materials of a design; without some of them, these are returned instead
   * @param id of the template; null = it has none yet
   * @throws ValidationError when the document is no template, or cannot be drawn without modifications, also at one of
   *   its sizes; AppError `invalid_request` for html that its renderer cannot draw
   */
  read(
    accountId: string,
    document: unknown,
    materials?: MaterialTexts,
    id?: string | null,
  ): Promise<CheckedDocument | Missing>;
  /** Makes a plain template. @throws ValidationError when there is not what is chosen */
  design(template: StoredTemplateText, choice: Choice, materials: MaterialTexts): Promise<DesignedText | Missing>;
  choicesOf(template: StoredTemplateText): Promise<Choices>;
  summaryOf(template: StoredTemplateText): Promise<TemplateSummary>;
  /**
   * @param purpose of the values; default: `render`
   * @throws ValidationError naming the path, when a modification does not fit
   */
  check(template: StoredTemplateText, modifications: Modifications, purpose?: Purpose): Promise<CheckedAny>;
  /** Converts the parameters of a signed URL to modifications of the template's layers. */
  toModifications(template: StoredTemplateText, parameters: readonly NamedValue[]): Promise<Modifications>;
  /** A diagnostic for each name of a parameter that names nothing in the template. */
  unknownParameters(template: StoredTemplateText, names: readonly string[]): Promise<readonly Diagnostic[]>;
  /** Reads the parts of an SVG file as layers. @throws as `readSvgTemplate` */
  readSvgTemplate(accountId: string, file: SvgFile): Promise<ReadSvgTemplate>;
}

export class LocalChecks implements TemplateChecks {
  readonly #templates = new ParsedTemplates();

  async read(
    _accountId: string,
    document: unknown,
    materials: MaterialTexts = NO_TEXTS,
    id: string | null = null,
  ): Promise<CheckedDocument | Missing> {
    return readTemplate(document, materials, id);
  }

  async design({ document, id }: StoredTemplateText, choice: Choice, materials: MaterialTexts) {
    return designText(document, choice, materials, id);
  }

  async choicesOf(template: StoredTemplateText): Promise<Choices> {
    return choicesOf(await this.#parsed(template));
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

  async toModifications(template: StoredTemplateText, parameters: readonly NamedValue[]): Promise<Modifications> {
    return toModifications(await this.#parsed(template), parameters);
  }

  async unknownParameters(template: StoredTemplateText, names: readonly string[]): Promise<readonly Diagnostic[]> {
    return unknownParameters(await this.#parsed(template), names);
  }

  async readSvgTemplate(_accountId: string, file: SvgFile): Promise<ReadSvgTemplate> {
    return readSvgTemplate(file);
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
  async find(of: TemplateKey, text: () => Promise<string>): Promise<AnyTemplate> {
    const key = keyOf(of);
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
export async function readTemplate(
  document: unknown,
  materials: MaterialTexts,
  id: string | null,
): Promise<CheckedDocument | Missing> {
  const text = JSON.stringify(document) ?? '';
  if (isDesign(text)) {
    const read = readDesign(document, materials, id);
    if (isMissing(read)) return read;
    if (read.template.engine === 'html') await checkHtmlTemplate(read.template);
    return { ...checkedDocument(read.template, text), diagnostics: read.diagnostics };
  }
  const template = parseAnyTemplate(document);
  if (template.engine === 'html') await checkHtmlTemplate(template);
  const { diagnostics } = checkAny(template, {}, 'design');
  return { ...checkedDocument(template, text), diagnostics };
}

const checkedDocument = (template: AnyTemplate, document: string) => ({ summary: summaryOf(template), document });

export function summaryOf({ name, width, height, engine }: AnyTemplate): TemplateSummary {
  // A canvas in mm has parts of a px.
  return { name, width: Math.round(width), height: Math.round(height), engine };
}
