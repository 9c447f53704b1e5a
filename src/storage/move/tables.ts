// The tables that are moved from one database to another, parents before children, each with its primary key.

export interface MovedTable {
  readonly name: string;
  /** Its primary key. */
  readonly key: readonly string[];
  /** Rows that are held in memory at once. */
  readonly batch: number;
  /** Columns whose sum is reported and compared. */
  readonly sums: readonly string[];
  /** The column whose values PostgreSQL counts up. */
  readonly counted: string | null;
  /** A column that PostgreSQL alone has, for its own queue. */
  readonly own: string | null;
}

interface Told extends Partial<Omit<MovedTable, 'name'>> {
  readonly name: string;
}

const table = ({ name, key = ['id'], batch = 500, sums = [], counted = null, own = null }: Told): MovedTable => ({
  name,
  key,
  batch,
  sums,
  counted,
  own,
});

export const MOVED_TABLES: readonly MovedTable[] = [
  table({ name: 'accounts' }),
  table({ name: 'keys' }),
  table({ name: 'secrets', counted: 'id' }),
  table({ name: 'people' }),
  table({ name: 'memberships', key: ['account_id', 'person_id'] }),
  table({ name: 'sessions' }),
  table({ name: 'passkeys' }),
  table({ name: 'sign_in_tries', key: ['key'] }),
  table({ name: 'links' }),
  table({ name: 'templates' }),
  // Documents of up to 4 MiB.
  table({ name: 'template_versions', key: ['template_id', 'version'], batch: 20 }),
  table({ name: 'drafts', key: ['template_id'], batch: 20 }),
  table({ name: 'images', sums: ['size'] }),
  table({ name: 'fonts', sums: ['size'] }),
  table({ name: 'usage', key: ['account_id', 'period'], sums: ['used', 'reserved'] }),
  table({ name: 'usage_units', key: ['render_id'] }),
  table({ name: 'renders', sums: ['size'], own: 'turn' }),
  table({ name: 'variants', key: ['key'], sums: ['size'] }),
  table({ name: 'deliveries' }),
  table({ name: 'delivery_attempts', counted: 'id' }),
  table({ name: 'bulks' }),
  table({ name: 'bulk_rows', key: ['bulk_id', 'place'] }),
  table({ name: 'idempotent_answers', key: ['account_id', 'kind', 'key'] }),
  table({ name: 'idempotent_parts', key: ['account_id', 'kind', 'key', 'place'] }),
];

/** Tables that stay behind: a database's own state, leases of servers that have stopped, sign-ins that take minutes. */
export const UNMOVED_TABLES = ['migrations', 'leases', 'change_count', 'move_under_way', 'ceremonies'] as const;
