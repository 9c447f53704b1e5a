// Opens the engine of background work: jobs, webhooks, and the removal of expired data.

import { isPostgresUrl } from '#server/storage/open-database.ts';
import type { Engine, EngineOptions } from './engine.ts';

/** @throws Error when the database cannot be reached */
export async function openEngine(options: EngineOptions): Promise<Engine> {
  if (isPostgresUrl(options.database)) return (await import('./boss/boss-engine.ts')).openBossEngine(options);
  return (await import('./embedded-engine.ts')).embeddedEngine(options);
}
