// Runs commands that work on the data folder, with or without a running server.

import { type Config, loadConfig } from '#server/config/config.ts';
import type { Services } from '#server/services.ts';

/** Opens the data folder of the environment, does the work, and closes it. */
export async function withServices<T>(work: (services: Services, config: Config) => Promise<T>): Promise<T> {
  const config = loadConfig();
  const { openServices } = await import('#server/services.ts');
  await using services = await openServices(config);
  return await work(services, config);
}
