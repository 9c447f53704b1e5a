// Queries that knex builds once and whose values are bound at each run. For queries of every request, since building
// costs several times as much as running.
//
// The SQL is the same whatever the values are, so a value may be null only where it is stored, not where it is
// compared.

import type { Knex } from 'knex';
import { type Database, execute, isPostgres } from './database.ts';

type Value = string | number | null;
type Values<V> = { readonly [Name in keyof V]: Value };

interface Built {
  readonly sql: string;
  readonly method: string;
  /** For each `?` in order: the name of a value, or a constant. */
  readonly bindings: readonly ({ readonly name: PropertyKey } | { readonly constant: unknown })[];
}

/** Prefix of the placeholder texts that stand for values while a query is built. */
const MARK = '\0';

export class Statement<V extends Values<V>, Row = unknown> {
  readonly #build: (db: Database, values: V) => Knex.QueryBuilder | Knex.Raw;
  /** By dialect, since each has its own SQL. */
  #sqlite: Built | null = null;
  #postgres: Built | null = null;

  readonly #isUncounted: boolean;

  /**
   * @param build receives placeholders for the values, which it may pass on but not inspect
   * @param isUncounted whether `Changes` counts nothing of what it writes
   */
  constructor(build: (db: Database, values: V) => Knex.QueryBuilder | Knex.Raw, isUncounted = false) {
    this.#build = build;
    this.#isUncounted = isUncounted;
  }

  async rows(db: Database, values: V): Promise<Row[]> {
    const { response } = await this.#execute(db, values);
    return response as Row[];
  }

  async first(db: Database, values: V): Promise<Row | undefined> {
    return (await this.rows(db, values))[0];
  }

  /** Returns the number of changed rows. */
  async run(db: Database, values: V): Promise<number> {
    const { context } = await this.#execute(db, values);
    return context.changes;
  }

  #builtFor(db: Database): Built {
    if (isPostgres(db)) {
      this.#postgres ??= built(this.#build(db, STAND_INS as V));
      return this.#postgres;
    }
    this.#sqlite ??= built(this.#build(db, STAND_INS as V));
    return this.#sqlite;
  }

  #execute(db: Database, values: V) {
    const { sql, method, bindings } = this.#builtFor(db);
    return execute(db, {
      sql,
      method,
      isUncounted: this.#isUncounted,
      bindings: bindings.map((binding) => ('name' in binding ? values[binding.name as keyof V] : binding.constant)),
    });
  }
}

const STAND_INS = new Proxy<Record<string, string>>({}, { get: (_, name) => `${MARK}${String(name)}` });

function built(query: Knex.QueryBuilder | Knex.Raw): Built {
  const compiled = query.toSQL();
  const { sql, bindings } = compiled.toNative();
  const isStandIn = (value: unknown): value is string => typeof value === 'string' && value.startsWith(MARK);
  return {
    sql,
    method: compiled.method,
    bindings: bindings.map((value) => (isStandIn(value) ? { name: value.slice(MARK.length) } : { constant: value })),
  };
}
