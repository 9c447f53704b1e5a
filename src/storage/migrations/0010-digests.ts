// Adds the SHA-256 of every stored file, in base64, beside its size; null for earlier files.

import { type Database, isPostgres } from '../database.ts';

export async function up(db: Database): Promise<void> {
  for (const table of ['renders', 'images', 'fonts', 'variants']) {
    await db.raw(`ALTER TABLE ${table} ADD COLUMN digest TEXT`);
  }
  // The view of 0009, with the digest.
  if (!isPostgres(db)) await db.raw('DROP VIEW metered_renders');
  await db.raw(
    `CREATE VIEW metered_renders AS
       SELECT id, renders.account_id, kind, output, status, size, digest, error, created_at, finished_at, period
       FROM renders LEFT JOIN usage_units ON render_id = id`,
  );
  if (isPostgres(db)) return insertInPostgres(db);
  await db.raw(
    `CREATE TRIGGER metered_renders_insert INSTEAD OF INSERT ON metered_renders BEGIN
       INSERT INTO renders (id, account_id, kind, output, status, size, digest, error, created_at, finished_at)
         VALUES (NEW.id, NEW.account_id, NEW.kind, NEW.output, NEW.status, NEW.size, NEW.digest, NEW.error,
                 NEW.created_at, NEW.finished_at);
       INSERT INTO usage_units (render_id, account_id, period, state)
         SELECT NEW.id, NEW.account_id, NEW.period, 'used' WHERE NEW.period IS NOT NULL
         ON CONFLICT (render_id) DO UPDATE SET state = 'used', expires_at = NULL WHERE state = 'reserved';
     END`,
  );
}

async function insertInPostgres(db: Database): Promise<void> {
  await db.raw(
    `CREATE FUNCTION insert_metered_render() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
       INSERT INTO renders (id, account_id, kind, output, status, size, digest, error, created_at, finished_at)
         VALUES (NEW.id, NEW.account_id, NEW.kind, NEW.output, NEW.status, NEW.size, NEW.digest, NEW.error,
                 NEW.created_at, NEW.finished_at);
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
