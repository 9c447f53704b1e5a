// What a caller gave with a render to know it by. The view of 0016 is recreated with this column.

import type { Database } from '../database.ts';

export async function up(db: Database): Promise<void> {
  // JSON: a string or an object; null where none was given.
  await db.schema.alterTable('renders', (table) => void table.text('metadata'));

  // Drops its trigger too.
  await db.raw('DROP VIEW metered_renders');
  await db.raw(
    `CREATE VIEW metered_renders AS
       SELECT id, renders.account_id, kind, output, status, size, digest, error, created_at, finished_at, template_id,
              template_version, asked, metadata, period
       FROM renders LEFT JOIN usage_units ON render_id = id`,
  );
  if (db.client.dialect === 'postgresql') return insertInPostgres(db);
  await db.raw(
    `CREATE TRIGGER metered_renders_insert INSTEAD OF INSERT ON metered_renders BEGIN
       INSERT INTO renders (id, account_id, kind, output, status, size, digest, error, created_at, finished_at,
                            template_id, template_version, asked, metadata)
         VALUES (NEW.id, NEW.account_id, NEW.kind, NEW.output, NEW.status, NEW.size, NEW.digest, NEW.error,
                 NEW.created_at, NEW.finished_at, NEW.template_id, NEW.template_version, NEW.asked, NEW.metadata);
       INSERT INTO usage_units (render_id, account_id, period, state)
         SELECT NEW.id, NEW.account_id, NEW.period, 'used' WHERE NEW.period IS NOT NULL
         ON CONFLICT (render_id) DO UPDATE SET state = 'used', expires_at = NULL WHERE state = 'reserved';
     END`,
  );
}

async function insertInPostgres(db: Database): Promise<void> {
  await db.raw(
    `CREATE OR REPLACE FUNCTION insert_metered_render() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
       INSERT INTO renders (id, account_id, kind, output, status, size, digest, error, created_at, finished_at,
                            template_id, template_version, asked, metadata)
         VALUES (NEW.id, NEW.account_id, NEW.kind, NEW.output, NEW.status, NEW.size, NEW.digest, NEW.error,
                 NEW.created_at, NEW.finished_at, NEW.template_id, NEW.template_version, NEW.asked, NEW.metadata);
       IF NEW.period IS NOT NULL THEN
         INSERT INTO usage_units (render_id, account_id, period, state)
           VALUES (NEW.id, NEW.account_id, NEW.period, 'used')
           ON CONFLICT (render_id) DO UPDATE SET state = 'used', expires_at = NULL
           WHERE usage_units.state = 'reserved';
       END IF;
       RETURN NEW;
     END $$`,
  );
  await db.raw(
    `CREATE TRIGGER metered_renders_insert INSTEAD OF INSERT ON metered_renders FOR EACH ROW
       EXECUTE FUNCTION insert_metered_render()`,
  );
}
