// Triggers keep the sums of usage up to date with the units, and a view inserts a render together with its unit as one
// row.
//
// One statement then reserves, counts or releases a unit, and one ends a render. Each is a transaction of its own, and
// costs a request one task of the thread pool instead of up to six.

import { type Database, isPostgres } from '../database.ts';

export async function up(db: Database): Promise<void> {
  // The view for PostgreSQL follows in 0010.
  if (isPostgres(db)) return sumInPostgres(db);
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

  // A row inserted here becomes a render and, unless it is free of charge (no period), a used unit.
  await db.raw(
    `CREATE VIEW metered_renders AS
       SELECT id, renders.account_id, kind, output, status, size, error, created_at, finished_at, period
       FROM renders LEFT JOIN usage_units ON render_id = id`,
  );
  await db.raw(
    `CREATE TRIGGER metered_renders_insert INSTEAD OF INSERT ON metered_renders BEGIN
       INSERT INTO renders (id, account_id, kind, output, status, size, error, created_at, finished_at)
         VALUES (NEW.id, NEW.account_id, NEW.kind, NEW.output, NEW.status, NEW.size, NEW.error, NEW.created_at,
                 NEW.finished_at);
       INSERT INTO usage_units (render_id, account_id, period, state)
         SELECT NEW.id, NEW.account_id, NEW.period, 'used' WHERE NEW.period IS NOT NULL
         ON CONFLICT (render_id) DO UPDATE SET state = 'used', expires_at = NULL WHERE state = 'reserved';
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
