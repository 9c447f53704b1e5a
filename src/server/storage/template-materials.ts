// Stores which brand and components the newest version of each template uses, at which version: an index of the
// documents, which finds the templates that use an older version without reading them.

import type { Knex } from 'knex';
import { hasMaterials } from '#design/is-design.ts';
import { type Material, type PinnedMaterial, pinnedIn } from '#design/references-in.ts';
import { atomically, type Database, isPostgres } from './database.ts';
import { type ListPage, mapPage, namedPageOf, type PageRequest } from './page.ts';

/** A template whose newest version uses an older version of a brand or a component. */
export interface OutdatedUse {
  /** The template's. */
  readonly id: string;
  readonly name: string;
  /** Its newest version. */
  readonly version: number;
  /** The version that it uses; of several the oldest. */
  readonly used: number;
}

/** A brand or a component of which a template uses an older version. */
export interface NewerMaterial extends Material {
  /** A component's; a brand's is its `name`. */
  readonly title: string;
  /** The version that the template uses; of several the oldest. */
  readonly used: number;
  readonly newest: number;
}

interface Row {
  template_id: string;
  template_version: number;
  account_id: string;
  kind: Material['kind'];
  name: string;
  version: number;
}

interface Unindexed {
  readonly id: string;
  readonly accountId: string;
  readonly version: number;
  readonly document: string;
}

/** Replaces what is known of a template, in the transaction that saves its version and `indexed_version`. */
export async function saveMaterials(
  tx: Database,
  { id, accountId, version }: { readonly id: string; readonly accountId: string; readonly version: number },
  materials: readonly PinnedMaterial[],
): Promise<void> {
  await tx<Row>('template_materials').where({ template_id: id }).delete();
  if (materials.length === 0) return;
  const of = { template_id: id, template_version: version, account_id: accountId };
  await tx<Row>('template_materials').insert(materials.map((material) => ({ ...of, ...material })));
}

export class TemplateMaterialStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /**
   * Notes what some templates use whose newest version was saved by a server of before this index, as while servers are
   * upgraded one by one.
   *
   * @returns how many; fewer than `most` = there are no more
   */
  async indexOthers(most: number): Promise<number> {
    const rows: Unindexed[] = await this.#db('templates')
      .join('template_versions', (on) =>
        on.on('template_versions.template_id', 'templates.id').andOn('template_versions.version', 'templates.version'),
      )
      .whereRaw('templates.indexed_version < templates.version')
      .orderBy('templates.id')
      .limit(most)
      .select('templates.id', 'templates.account_id as accountId', 'templates.version', 'document');
    for (const { document, ...of } of rows) {
      const materials = hasMaterials(document) ? pinnedIn(JSON.parse(document)) : [];
      await atomically(this.#db, async (tx) => {
        const query = tx('templates').where({ id: of.id, version: of.version }).first('id');
        // Whatever is saved meanwhile is indexed by its own save.
        if (!(await (isPostgres(tx) ? query.forUpdate() : query))) return;
        await saveMaterials(tx, of, materials);
        await tx('templates').where({ id: of.id }).update({ indexed_version: of.version });
      });
    }
    return rows.length;
  }

  /** By the names of the templates. */
  async outdated(
    accountId: string,
    material: Material,
    newest: number,
    page: PageRequest,
  ): Promise<ListPage<OutdatedUse>> {
    const query = this.#outdated(accountId, material, newest).select(
      ...['templates.id', 'templates.name', 'templates.version'],
      'used.version as used',
    );
    return mapPage(await namedPageOf<OutdatedUse>(query, page, 'templates'), ({ id, name, version, used }) => ({
      ...{ id, name, version, used },
    }));
  }

  async countOutdated(accountId: string, material: Material, newest: number): Promise<number> {
    const [row]: { count: number }[] = await this.#outdated(accountId, material, newest).select({
      count: this.#db.raw('count(*)'),
    });
    return Number(row?.count ?? 0);
  }

  /** How many templates use an older version of each of the account's brands; those of which none does are left out. */
  async countsByBrand(accountId: string): Promise<Map<string, number>> {
    const rows: { name: string; count: number }[] = await this.#used(accountId)
      .join('brands', (on) => on.on('brands.account_id', 'used.account_id').andOn('brands.name', 'used.name'))
      .where('used.kind', 'brand')
      .whereRaw('used.version < brands.version')
      .groupBy('used.name')
      .select({ name: 'used.name', count: this.#db.raw('count(*)') });
    return new Map(rows.map(({ name, count }) => [name, Number(count)]));
  }

  /** What a template uses an older version of: its brand first, then components by name. */
  async newerOf(accountId: string, templateId: string): Promise<NewerMaterial[]> {
    const rows: NewerMaterial[] = await this.#used(accountId)
      .leftJoin('brands', (on) =>
        on
          .on('brands.account_id', 'used.account_id')
          .andOn('brands.name', 'used.name')
          .andOnVal('used.kind', 'brand')
          .andOnNull('brands.deleted_at'),
      )
      .leftJoin('templates as component', (on) =>
        on
          .on('component.id', 'used.name')
          .andOn('component.account_id', 'used.account_id')
          .andOnVal('used.kind', 'template')
          .andOnNull('component.deleted_at'),
      )
      .where('used.template_id', templateId)
      .whereRaw('used.version < coalesce(brands.version, component.version)')
      .orderByRaw('used.kind, lower(component.name), used.name')
      .select({ kind: 'used.kind', name: 'used.name', used: 'used.version' })
      .select({
        title: this.#db.raw('coalesce(component.name, used.name)'),
        newest: this.#db.raw('coalesce(brands.version, component.version)'),
      });
    return rows.map(({ kind, name, title, used, newest }) => ({ kind, name, title, used, newest }));
  }

  #outdated(accountId: string, { kind, name }: Material, newest: number): Knex.QueryBuilder {
    return this.#used(accountId).where({ 'used.kind': kind, 'used.name': name }).where('used.version', '<', newest);
  }

  /** What templates use that are not deleted, in their newest version. */
  #used(accountId: string): Knex.QueryBuilder {
    return this.#db('template_materials as used')
      .join('templates', (on) =>
        on.on('templates.id', 'used.template_id').andOn('templates.version', 'used.template_version'),
      )
      .where('used.account_id', accountId)
      .whereNull('templates.deleted_at');
  }
}
