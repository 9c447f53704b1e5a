// The tables with what users store, parents before children, with their primary keys: a move copies their rows from one
// database to another, and the erasure of an account deletes its rows from them.

export interface MovedTable {
  readonly name: string;
  /** Columns of the primary key. */
  readonly key: readonly string[];
  /** Rows held in memory at once. */
  readonly batch: number;
  /** Columns whose sum is reported and compared. */
  readonly sums: readonly string[];
  /** The column with a PostgreSQL sequence. */
  readonly counted: string | null;
  /** A column that only PostgreSQL has, for its own queue. */
  readonly own: string | null;
  /** The SQL condition on the rows of an account, which is bound as `:account`; null where none belongs to an account. */
  readonly owned: string | null;
}

interface Told extends Partial<Omit<MovedTable, 'name'>> {
  readonly name: string;
}

const table = ({
  name,
  key = ['id'],
  batch = 500,
  sums = [],
  counted = null,
  own = null,
  ...more
}: Told): MovedTable => ({
  name,
  key,
  batch,
  sums,
  counted,
  own,
  owned: more.owned === undefined ? 'account_id = :account' : more.owned,
});

const OF_TEMPLATES = 'template_id IN (SELECT id FROM templates WHERE account_id = :account)';

export const MOVED_TABLES: readonly MovedTable[] = [
  table({ name: 'accounts', owned: 'id = :account' }),
  table({ name: 'keys' }),
  table({ name: 'secrets', counted: 'id' }),
  table({ name: 'people', owned: null }),
  table({ name: 'memberships', key: ['account_id', 'person_id'] }),
  table({ name: 'sessions', owned: null }),
  table({ name: 'passkeys', owned: null }),
  table({ name: 'known_browsers', key: ['hash', 'person_id'], owned: null }),
  table({ name: 'sign_in_tries', key: ['key'], owned: null }),
  table({ name: 'links' }),
  table({ name: 'templates' }),
  // Documents of up to 4 MiB.
  table({ name: 'template_versions', key: ['template_id', 'version'], batch: 20, owned: OF_TEMPLATES }),
  table({ name: 'template_materials', key: ['template_id', 'kind', 'name'] }),
  table({ name: 'drafts', key: ['template_id'], batch: 20, owned: OF_TEMPLATES }),
  table({ name: 'reviews' }),
  table({ name: 'review_comments' }),
  table({ name: 'brands', key: ['account_id', 'name'] }),
  table({ name: 'brand_versions', key: ['account_id', 'name', 'version'], batch: 100 }),
  table({ name: 'embedding', key: ['account_id'] }),
  table({ name: 'editor_token_revocations', key: ['account_id', 'user'] }),
  table({ name: 'images', sums: ['size'] }),
  table({ name: 'fonts', sums: ['size'] }),
  table({ name: 'usage', key: ['account_id', 'period'], sums: ['used', 'reserved'] }),
  table({ name: 'usage_units', key: ['render_id'] }),
  table({ name: 'renders', sums: ['size'], own: 'start_tag' }),
  table({ name: 'variants', key: ['key'], sums: ['size'], owned: OF_TEMPLATES }),
  table({ name: 'deliveries' }),
  table({
    name: 'delivery_attempts',
    counted: 'id',
    owned: 'delivery_id IN (SELECT id FROM deliveries WHERE account_id = :account)',
  }),
  table({ name: 'audit_log', counted: 'id' }),
  table({ name: 'bulks' }),
  table({
    name: 'bulk_rows',
    key: ['bulk_id', 'place'],
    owned: 'bulk_id IN (SELECT id FROM bulks WHERE account_id = :account)',
  }),
  table({ name: 'idempotent_answers', key: ['account_id', 'kind', 'key'] }),
  table({ name: 'idempotent_parts', key: ['account_id', 'kind', 'key', 'place'] }),
];

/** Tables that are not moved: a database's own state, leases of stopped servers, and sign-ins that take minutes. */
export const UNMOVED_TABLES = ['migrations', 'leases', 'change_count', 'move_under_way', 'ceremonies'] as const;
