// Offers the newest version of a brand, or of a template that is a component, to the templates whose newest version uses
// an older one, and saves those that are to use it. Drafts stay as they are.

import { AppError, type ErrorCode } from '#base/errors.ts';
import { ValidationError } from '#core/diagnostics.ts';
import type { Material } from '#design/references-in.ts';
import type { ListPage, PageRequest } from '#server/storage/page.ts';
import type { Storage } from '#server/storage/storage.ts';
import type { NewerMaterial, OutdatedUse } from '#server/storage/template-materials.ts';
import type { Permit } from '../people/permit.ts';
import type { Brands } from './brands.ts';
import { withNewer } from './pin-materials.ts';
import type { TemplateLibrary } from './templates.ts';

export type { Material, NewerMaterial };

/** Templates that one request updates. */
export const MAX_UPDATED = 100;

/** How long one request updates templates, ms: those that are left come with the next. */
const ENOUGH = 10_000;

/** A brand or a component that is there. */
interface FoundMaterial {
  readonly material: Material;
  readonly newest: number;
  readonly title: string;
}

export interface OutdatedUses extends ListPage<OutdatedUse> {
  /** Of the brand or the component. */
  readonly newest: number;
  /** Of all pages. */
  readonly total: number;
}

/** Which templates are to be updated. */
export interface WantedUpdates {
  /** `tpl_…`, or `tpl_…@4` = only as long as version 4 is its newest; all = those that use an older version, up to 100 at once. */
  readonly templates: readonly string[] | 'all';
  /** Of all: the `next` of the request before. */
  readonly after: string | null;
  /** The version that they are to use, which must be the newest; null = whichever is. */
  readonly version: number | null;
}

/** A template's new version, or why it has none. */
type UpdatedUse = { readonly id: string; readonly version: number } | { readonly id: string; readonly error: string };

export interface UpdatedUses {
  /** What they use now. */
  readonly newest: number;
  readonly results: readonly UpdatedUse[];
  readonly next: string | null;
}

/** What concerns one template alone: it is told of it, and the others go on. */
const OWN_ERRORS: readonly ErrorCode[] = ['invalid_request', 'not_found', 'conflict', 'quota_exceeded'];

export class MaterialUpdates {
  readonly #storage: Storage;
  readonly #templates: TemplateLibrary;
  readonly #brands: Brands;

  constructor(storage: Storage, templates: TemplateLibrary, brands: Brands) {
    this.#storage = storage;
    this.#templates = templates;
    this.#brands = brands;
  }

  /** The templates that use an older version, by name. @throws AppError `not_found` when there is no such material */
  async outdated(accountId: string, material: Material, page: PageRequest): Promise<OutdatedUses> {
    const { newest } = await this.#find(accountId, material);
    const { templateMaterials } = this.#storage;
    return {
      newest,
      total: await templateMaterials.countOutdated(accountId, material, newest),
      ...(await templateMaterials.outdated(accountId, material, newest, page)),
    };
  }

  /** Their number. @throws AppError `not_found` when there is no such material */
  async countOutdated(accountId: string, material: Material): Promise<number> {
    const { newest } = await this.#find(accountId, material);
    return this.#storage.templateMaterials.countOutdated(accountId, material, newest);
  }

  /** How many templates use an older version of each brand; those of which none does are left out. */
  async countsByBrand(accountId: string): Promise<ReadonlyMap<string, number>> {
    return this.#storage.templateMaterials.countsByBrand(accountId);
  }

  /** What a template uses an older version of. */
  async newerOf(accountId: string, templateId: string): Promise<readonly NewerMaterial[]> {
    return this.#storage.templateMaterials.newerOf(accountId, templateId);
  }

  /**
   * Saves templates with the newest version of a material, and otherwise as they are. One that cannot be is an error in
   * its place.
   *
   * @throws AppError `not_found` when there is no such material, `conflict` when `version` is not the newest; what `permit`
   *   throws
   */
  async update(
    accountId: string,
    material: Material,
    { templates, after, version }: WantedUpdates,
    permit: Permit,
    personId: string | null = null,
  ): Promise<UpdatedUses> {
    const found = await this.#find(accountId, material);
    const { newest } = found;
    if (version !== null && version !== newest) {
      throw new AppError('conflict', `Version ${newest} is the newest, not ${version}: look at that one first.`);
    }
    const page =
      templates === 'all'
        ? await this.#storage.templateMaterials.outdated(accountId, material, newest, { limit: MAX_UPDATED, after })
        : { items: [...new Set(templates)].map((id) => ({ id })), next: null };
    const results: UpdatedUse[] = [];
    const end = performance.now() + ENOUGH;
    for (const { id: reference } of page.items) {
      const [id = ''] = reference.split('@');
      // The cursor of a list by name is the id of its last item.
      if (templates === 'all' && performance.now() > end) return { newest, results, next: results.at(-1)?.id ?? null };
      try {
        results.push({ id, version: await this.#updateOne(accountId, reference, found, permit, personId) });
      } catch (error) {
        results.push({ id, error: ownSentence(error) });
      }
    }
    return { newest, results, next: page.next };
  }

  async #updateOne(
    accountId: string,
    reference: string,
    { material, newest, title }: FoundMaterial,
    permit: Permit,
    authorId: string | null,
  ): Promise<number> {
    const [id = '', seen] = reference.split('@');
    const { version: base, document: text } = await this.#templates.read(accountId, id);
    if (seen !== undefined && Number(seen) !== base) {
      throw new AppError('conflict', `Version ${base} was saved since version ${seen}: look at it again.`);
    }
    const before: unknown = JSON.parse(text);
    const document = await withNewer(before, material, newest);
    const used = `${material.name}@${newest}`;
    if (document === before) throw new AppError('conflict', `It uses no older version than ${used}.`);
    const by = { authorId, note: `Updated to version ${newest} of ${title}` };
    const change = { by, action: 'template.update-material', base, material: used } as const;
    return (await this.#templates.replace(accountId, id, document, permit, change)).version;
  }

  async #find(accountId: string, material: Material): Promise<FoundMaterial> {
    const { kind, name } = material;
    if (kind === 'brand') return { material, newest: await this.#brands.newest(accountId, name), title: name };
    const { version, name: title } = await this.#templates.card(accountId, name);
    return { material, newest: version, title };
  }
}

/** @throws the error, unless it concerns one template alone */
function ownSentence(error: unknown): string {
  if (error instanceof ValidationError || (error instanceof AppError && OWN_ERRORS.includes(error.code))) {
    return error.message;
  }
  throw error;
}
