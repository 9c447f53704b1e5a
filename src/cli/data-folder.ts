// Commands that work on the data folder, beside a running server or without one.

import type { Services } from '../app.ts';
import { type Config, loadConfig } from '../config.ts';

/** Opens the data folder that the environment names, does the work, and closes it. */
export async function withServices<T>(work: (services: Services, config: Config) => Promise<T>): Promise<T> {
  const config = loadConfig();
  const { openServices } = await import('../app.ts');
  await using services = await openServices(config);
  return await work(services, config);
}
