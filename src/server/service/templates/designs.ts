// Makes plain templates of designs: supplies components and brands of the account, and keeps what was made.
//
// Versions never change, so neither does what is made of them: only the newest version of a brand is looked up.

import { AppError } from '#base/errors.ts';
import { quoted, ValidationError } from '#core/diagnostics.ts';
import { LruCache } from '#core/lru-cache.ts';
import { didYouMean } from '#core/nearest-name.ts';
import type { Choice } from '#design/choice.ts';
import { isMissing } from '#design/design.ts';
import { hasMaterials } from '#design/is-design.ts';
import type { Missing } from '#design/materials.ts';
import { pinnedIn, referencesIn } from '#design/references-in.ts';
import type { Storage } from '#server/storage/storage.ts';
import type { DesignedText, MaterialTexts } from './design-texts.ts';
import { notThere, pinMaterials } from './pin-materials.ts';
import { keyOf, type Storable, type StoredTemplateText, type TemplateChecks } from './template-checks.ts';

/** Capacity of the cache of plain templates, in characters of their JSON. */
const CAPACITY = 32_000_000;
/** Maximum characters of all materials of one design. */
const MAX_MATERIALS = 16_000_000;
/** Maximum components and brands of one design, those of components included. */
const MAX_REFERENCES = 200;
/** Brands that a message may suggest. */
const SUGGESTED = 200;

interface DesignableText extends StoredTemplateText {
  /** Whether it is a template as it is, when nothing is chosen. */
  readonly isPlain: boolean;
}

export class Designs {
  readonly #storage: Pick<Storage, 'brands' | 'templates'>;
  readonly #checks: TemplateChecks;
  readonly #made = new LruCache<string, DesignedText>(CAPACITY);

  constructor(storage: Pick<Storage, 'brands' | 'templates'>, checks: TemplateChecks) {
    this.#storage = storage;
    this.#checks = checks;
  }

  /**
   * Checks a document that is to be stored, and names the versions of what it refers to.
   *
   * @param id of the template; null = it has none yet
   * @throws ValidationError when it is no template, at any of its sizes; AppError `invalid_request`
   */
  async read(accountId: string, document: unknown, id: string | null = null): Promise<Storable> {
    const pinned = await this.#pinned(accountId, document);
    const read = (materials: MaterialTexts) => this.#checks.read(accountId, pinned, materials, id);
    return { ...(await this.#supplied(accountId, read)), materials: pinnedIn(pinned) };
  }

  async #pinned(accountId: string, document: unknown): Promise<unknown> {
    const { templates } = this.#storage;
    return pinMaterials(document, {
      brand: (name, path) => this.#newestBrand(accountId, name, path),
      component: async (reference, path) => {
        const [id = '', version] = reference.split('@');
        const named = `template ${quoted(id)}`;
        const stored = await templates.find(id);
        if (stored?.accountId !== accountId) throw notThere(path, named);
        if (version === undefined) return `${id}@${stored.version}`;
        if (Number(version) <= stored.version) return reference;
        throw new ValidationError(
          path,
          `the ${named} has no version ${version.slice(0, 20)}; its newest is ${stored.version}`,
        );
      },
    });
  }

  /**
   * The template as it is chosen: itself, unless it is a design.
   *
   * @throws ValidationError naming `size`, `lang` or `brand` when there is not what is chosen
   */
  async of<Found extends DesignableText>(found: Found, choice: Choice): Promise<Found> {
    if (Object.keys(choice).length === 0 && found.isPlain) return found;
    const { accountId } = found;
    const brand = choice.brand === undefined ? {} : { brand: await this.#brand(accountId, choice.brand) };
    const pinned: Choice = { ...choice, ...brand };
    const design = JSON.stringify([pinned.size, pinned.lang, pinned.brand]);
    const key = keyOf({ ...found, design });
    let made = this.#made.get(key);
    if (!made) {
      made = await this.#supplied(accountId, (materials) => this.#checks.design(found, pinned, materials));
      this.#made.set(key, made, made.document.length);
    }
    return { ...found, ...made, design, choice: pinned, isPlain: true };
  }

  /**
   * What a document shows of others, by the references in it, what components show included. What there is not, and what
   * would be more than `most` characters, is left out.
   */
  async materialsOf(accountId: string, document: unknown, most: number): Promise<MaterialTexts> {
    const templates = new Map<string, string>();
    const brands = new Map<string, string>();
    let characters = 0;
    const add = async (to: Map<string, string>, reference: string, finding: Promise<string>) => {
      const text = await finding.catch(ignoreMissing);
      if (text === null || characters + text.length > most || templates.size + brands.size >= MAX_REFERENCES) return;
      characters += text.length;
      to.set(reference, text);
    };
    const waiting: unknown[] = [document];
    for (let one = waiting.pop(); one !== undefined; one = waiting.pop()) {
      const named = referencesIn(one);
      for (const reference of named.brands.filter((each) => !brands.has(each))) {
        await add(brands, reference, this.#brandText(accountId, reference));
      }
      for (const reference of named.templates.filter((each) => !templates.has(each))) {
        await add(templates, reference, this.#component(accountId, reference));
        const text = templates.get(reference);
        if (text !== undefined && hasMaterials(text)) waiting.push(JSON.parse(text));
      }
    }
    return { templates, brands };
  }

  /** Repeats an attempt with the materials that it misses. */
  async #supplied<Made extends object>(
    accountId: string,
    attempt: (materials: MaterialTexts) => Promise<Made | Missing>,
  ): Promise<Made> {
    const templates = new Map<string, string>();
    const brands = new Map<string, string>();
    for (let characters = 0; ; ) {
      const made = await attempt({ templates, brands });
      if (!isMissing(made)) return made;
      if (templates.size + brands.size + made.templates.length + made.brands.length > MAX_REFERENCES) {
        throw new AppError(
          'invalid_request',
          `The components show more than ${MAX_REFERENCES} templates and brands together.`,
        );
      }
      for (const reference of made.templates) templates.set(reference, await this.#component(accountId, reference));
      for (const reference of made.brands) brands.set(reference, await this.#brandText(accountId, reference));
      for (const reference of made.templates) characters += templates.get(reference)?.length ?? 0;
      if (characters <= MAX_MATERIALS) continue;
      throw new AppError(
        'invalid_request',
        `The components have more than ${MAX_MATERIALS / 1e6} MB of JSON together.`,
      );
    }
  }

  async #component(accountId: string, reference: string): Promise<string> {
    const { templates } = this.#storage;
    const [id = '', version] = reference.split('@');
    const stored = await templates.find(id);
    const isOwn = stored?.accountId === accountId;
    const document = isOwn
      ? await templates.document(id, version === undefined ? stored.version : Number(version))
      : null;
    if (document !== null) return document;
    throw new AppError('invalid_request', `There is no template ${quoted(reference)}, which is a component.`);
  }

  /** `acme@2` for `acme`. @throws ValidationError naming `brand` */
  async #brand(accountId: string, reference: string): Promise<string> {
    return reference.includes('@') ? reference : this.#newestBrand(accountId, reference, 'brand');
  }

  async #newestBrand(accountId: string, name: string, path: string): Promise<string> {
    const found = await this.#storage.brands.find(accountId, name);
    if (found) return `${name}@${found.version}`;
    throw await this.#noBrand(accountId, name, path);
  }

  async #brandText(accountId: string, reference: string): Promise<string> {
    const [name = '', version] = (await this.#brand(accountId, reference)).split('@');
    const document = await this.#storage.brands.document(accountId, name, Number(version));
    if (document !== null) return document;
    throw await this.#noBrand(accountId, reference, 'brand');
  }

  async #noBrand(accountId: string, name: string, path: string): Promise<ValidationError> {
    const { items: brands } = await this.#storage.brands.page(accountId, { limit: SUGGESTED, after: null });
    return notThere(
      path,
      `brand ${didYouMean(
        name,
        brands.map((brand) => brand.name),
      )}`,
    );
  }
}

function ignoreMissing(error: unknown): null {
  if (error instanceof ValidationError || error instanceof AppError) return null;
  throw error;
}
