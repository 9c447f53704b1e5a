// Renders with their usage, variants of signed URLs, bulks, and answers that are given again.

import { type Database, isPostgres } from '../../database.ts';

export async function up(db: Database): Promise<void> {
  await createRenders(db);
  await createUsage(db);
  await (isPostgres(db) ? sumInPostgres(db) : sumInSqlite(db));
  await createMeteredRenders(db);
  await createVariants(db);
  await createBulks(db);
  await createAnswers(db);
}

async function createRenders(db: Database): Promise<void> {
  // One row for a job and its asset.
  await db.schema.createTable('renders', (table) => {
    table.text('id').primary();
    table.text('account_id').notNullable().references('accounts.id').onDelete('CASCADE');
    table.text('kind').notNullable().checkIn(['render', 'screenshot']);
    table.text('status').notNullable().checkIn(['queued', 'processing', 'done', 'error']);
    table.text('output').notNullable();
    table.bigInteger('size');
    // SHA-256 of the file, in base64.
    table.text('digest');
    table.text('error');
    table.bigInteger('created_at').notNullable();
    table.bigInteger('finished_at').index();
    // The work of a job as JSON; null once it has ended.
    table.text('request');
    table.text('webhook_url');
    // Whether a unit of usage is reserved for it.
    table.boolean('metered').notNullable().defaultTo(false);
    // Number of attempts started.
    table.integer('attempt').notNullable().defaultTo(0);
    // The worker that holds it.
    table.text('worker');
    // When it may be claimed: its retry time while it waits, the end of the lease while it is processed; null = ended.
    table.bigInteger('claimable_at');
    // JSON: where the request's trace goes on.
    table.text('trace');
    table.boolean('needs_browser').notNullable().defaultTo(false);
    // What it was asked for, kept after its end.
    table.text('template_id');
    table.integer('template_version');
    // The stored part of the request, as JSON; null where it is too long. No cookie, header or query of a page.
    table.text('asked');
    // What the caller gave to know it by, as JSON: a string or an object; null where none was given.
    table.text('metadata');
    // Warnings about it, as a JSON list of sentences; null where there are none.
    table.text('warnings');
    table.index(['account_id', 'created_at']);
  });
  await db.raw('CREATE INDEX renders_by_template ON renders (template_id, created_at) WHERE template_id IS NOT NULL');
  // The order in which jobs are claimed: by account, so that each has its share, and within an account oldest first.
  await db.raw(
    'CREATE INDEX renders_claimable ON renders (account_id, created_at, claimable_at) WHERE claimable_at IS NOT NULL',
  );
  if (!isPostgres(db)) return;
  // The place of a waiting job where pg-boss dispatches them, fixed when it is accepted; null once it was started.
  await db.raw('ALTER TABLE renders ADD COLUMN start_tag INTEGER');
  await db.raw('CREATE INDEX renders_start_tag ON renders (start_tag) WHERE start_tag IS NOT NULL');
  await db.raw(
    'CREATE INDEX renders_start_tag_of_account ON renders (account_id, start_tag) WHERE start_tag IS NOT NULL',
  );
}

async function createUsage(db: Database): Promise<void> {
  // The sums that a quota is checked against.
  await db.schema.createTable('usage', (table) => {
    table.text('account_id').notNullable().references('accounts.id').onDelete('CASCADE');
    // A calendar month in UTC: 2026-11.
    table.text('period').notNullable();
    table.integer('used').notNullable().defaultTo(0);
    table.integer('reserved').notNullable().defaultTo(0);
    table.primary(['account_id', 'period']);
  });

  // The units that are summed: at most one per render, however often it is retried.
  await db.schema.createTable('usage_units', (table) => {
    table.text('render_id').primary();
    table.text('account_id').notNullable();
    table.text('period').notNullable();
    table.text('state').notNullable().checkIn(['reserved', 'used']);
    // When a reservation left by a killed process expires; null = never.
    table.bigInteger('expires_at');
    table.foreign(['account_id', 'period']).references(['account_id', 'period']).inTable('usage').onDelete('CASCADE');
    table.index(['account_id', 'state', 'expires_at']);
  });
}

// Triggers keep the sums up to date with the units, and a view inserts a render together with its unit as one row. One
// statement then reserves, counts or releases a unit, and one ends a render. Each is a transaction of its own, and costs
// a request one task of the thread pool instead of up to six.

async function sumInSqlite(db: Database): Promise<void> {
  await db.raw(
    `CREATE TRIGGER usage_units_after_insert AFTER INSERT ON usage_units BEGIN
       INSERT INTO usage (account_id, period, used, reserved)
         VALUES (NEW.account_id, NEW.period, NEW.state = 'used', NEW.state = 'reserved')
         ON CONFLICT (account_id, period)
         DO UPDATE SET used = used + excluded.used, reserved = reserved + excluded.reserved;
     END`,
  );
  await db.raw(
    `CREATE TRIGGER usage_units_after_use AFTER UPDATE OF state ON usage_units
       WHEN OLD.state = 'reserved' AND NEW.state = 'used' BEGIN
       UPDATE usage SET used = used + 1, reserved = reserved - 1
         WHERE account_id = NEW.account_id AND period = NEW.period;
     END`,
  );
  await db.raw(
    `CREATE TRIGGER usage_units_after_release AFTER DELETE ON usage_units WHEN OLD.state = 'reserved' BEGIN
       UPDATE usage SET reserved = reserved - 1 WHERE account_id = OLD.account_id AND period = OLD.period;
     END`,
  );
}

async function sumInPostgres(db: Database): Promise<void> {
  await db.raw(
    `CREATE FUNCTION sum_usage() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
       IF TG_OP = 'INSERT' THEN
         INSERT INTO usage (account_id, period, used, reserved)
           VALUES (NEW.account_id, NEW.period, (NEW.state = 'used')::integer, (NEW.state = 'reserved')::integer)
           ON CONFLICT (account_id, period)
           DO UPDATE SET used = usage.used + excluded.used, reserved = usage.reserved + excluded.reserved;
       ELSIF TG_OP = 'UPDATE' THEN
         UPDATE usage SET used = used + 1, reserved = reserved - 1
           WHERE account_id = NEW.account_id AND period = NEW.period;
       ELSE
         UPDATE usage SET reserved = reserved - 1 WHERE account_id = OLD.account_id AND period = OLD.period;
       END IF;
       RETURN NULL;
     END $$`,
  );
  // Triggers of one event fire in the order of their names. The foreign key check, which needs the month's row, is a
  // trigger called "RI_…": this one comes before it.
  await db.raw(
    'CREATE TRIGGER "0_usage_units_inserted" AFTER INSERT ON usage_units FOR EACH ROW EXECUTE FUNCTION sum_usage()',
  );
  await db.raw(
    `CREATE TRIGGER usage_units_used AFTER UPDATE OF state ON usage_units FOR EACH ROW
       WHEN (OLD.state = 'reserved' AND NEW.state = 'used') EXECUTE FUNCTION sum_usage()`,
  );
  await db.raw(
    `CREATE TRIGGER usage_units_released AFTER DELETE ON usage_units FOR EACH ROW
       WHEN (OLD.state = 'reserved') EXECUTE FUNCTION sum_usage()`,
  );
}

/** The columns of a finished render. */
const FINISHED = [
  ...['id', 'account_id', 'kind', 'output', 'status', 'size', 'digest', 'error', 'created_at', 'finished_at'],
  ...['template_id', 'template_version', 'asked', 'metadata', 'warnings'],
];

/** A row inserted here becomes a render and, unless it is free of charge (no period), a used unit. */
async function createMeteredRenders(db: Database): Promise<void> {
  const of = (row: string) => FINISHED.map((column) => `${row}.${column}`).join(', ');
  await db.raw(
    `CREATE VIEW metered_renders AS
       SELECT ${of('renders')}, period FROM renders LEFT JOIN usage_units ON render_id = id`,
  );
  const insertRender = `INSERT INTO renders (${FINISHED.join(', ')}) VALUES (${of('NEW')});`;
  const useUnit = `ON CONFLICT (render_id) DO UPDATE SET state = 'used', expires_at = NULL`;
  if (!isPostgres(db)) {
    await db.raw(
      `CREATE TRIGGER metered_renders_insert INSTEAD OF INSERT ON metered_renders BEGIN
         ${insertRender}
         INSERT INTO usage_units (render_id, account_id, period, state)
           SELECT NEW.id, NEW.account_id, NEW.period, 'used' WHERE NEW.period IS NOT NULL
           ${useUnit} WHERE state = 'reserved';
       END`,
    );
    return;
  }
  await db.raw(
    `CREATE FUNCTION insert_metered_render() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
       ${insertRender}
       IF NEW.period IS NOT NULL THEN
         INSERT INTO usage_units (render_id, account_id, period, state)
           VALUES (NEW.id, NEW.account_id, NEW.period, 'used')
           ${useUnit} WHERE usage_units.state = 'reserved';
       END IF;
       RETURN NEW;
     END $$`,
  );
  await db.raw(
    `CREATE TRIGGER metered_renders_insert INSTEAD OF INSERT ON metered_renders FOR EACH ROW
       EXECUTE FUNCTION insert_metered_render()`,
  );
}

/** Variants drawn for signed URLs: one row each, counted once, whether or not its bytes are still stored. */
async function createVariants(db: Database): Promise<void> {
  await db.schema.createTable('variants', (table) => {
    table.text('key').primary();
    // The id of its unit of usage, and the name of its file.
    table.text('id').notNullable().unique();
    // Null once the template is deleted; the file is then deleted too.
    table.text('template_id').references('templates.id').onDelete('SET NULL').index();
    table.text('extension').notNullable();
    // Size of the stored file, bytes; null = not stored, or evicted.
    table.bigInteger('size');
    table.text('digest');
    // Diagnostics as JSON.
    table.text('diagnostics').notNullable();
    table.bigInteger('used_at').notNullable();
    // When it was first drawn, and so counted.
    table.bigInteger('created_at');
  });
  await db.raw('CREATE INDEX variants_kept ON variants (used_at) WHERE size IS NOT NULL');
}

/** Bulks: many renders of one template, requested together and fetched as one file. Each row is a job of its own. */
async function createBulks(db: Database): Promise<void> {
  await db.schema.createTable('bulks', (table) => {
    table.text('id').primary();
    table.text('account_id').notNullable().references('accounts.id').onDelete('CASCADE');
    table.text('template_id').notNullable();
    table.text('archive').notNullable().checkIn(['zip', 'pdf']);
    table.bigInteger('created_at').notNullable().index();
    table.text('name');
    // The sheet of labels that its PDF is, as JSON; null = the pages are as they were rendered.
    table.text('sheet');
    // Whom its end is announced to; null = nobody.
    table.text('webhook_url');
    table.index(['account_id', 'created_at']);
  });
  await db.schema.createTable('bulk_rows', (table) => {
    table.text('bulk_id').notNullable().references('bulks.id').onDelete('CASCADE');
    // Index from 0.
    table.integer('place').notNullable();
    table.text('render_id').notNullable().index();
    // File name in the archive, without the extension.
    table.text('name').notNullable();
    table.primary(['bulk_id', 'place']);
  });
}

async function createAnswers(db: Database): Promise<void> {
  // Answers to requests with an Idempotency-Key, which are returned when the request is repeated.
  await db.schema.createTable('idempotent_answers', (table) => {
    table.text('account_id').notNullable().references('accounts.id').onDelete('CASCADE');
    // Kind of the API key: an answer to a test key is not given to a live one.
    table.text('kind').notNullable().checkIn(['live', 'test']);
    table.text('key').notNullable();
    // SHA-256 of the request, hex.
    table.text('fingerprint').notNullable();
    table.integer('status').notNullable();
    table.text('body').notNullable();
    table.text('warnings');
    table.bigInteger('created_at').notNullable().index();
    table.primary(['account_id', 'kind', 'key']);
  });

  // What such a request made before it was answered: the finished items of a batch.
  await db.schema.createTable('idempotent_parts', (table) => {
    table.text('account_id').notNullable().references('accounts.id').onDelete('CASCADE');
    table.text('kind').notNullable().checkIn(['live', 'test']);
    table.text('key').notNullable();
    // Index among the parts of its request.
    table.integer('place').notNullable();
    // SHA-256 of the request, hex.
    table.text('fingerprint').notNullable();
    // JSON.
    table.text('made').notNullable();
    table.bigInteger('created_at').notNullable().index();
    table.primary(['account_id', 'kind', 'key', 'place']);
  });
}
