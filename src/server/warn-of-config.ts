// Warns at the start of settings that work, and that an operator may not have meant.

import { findChromium, notRun } from '#server/chromium/find-chromium.ts';
import { type Config, tooFewFiles } from '#server/config/config.ts';
import type { Log } from '#server/observability/log.ts';
import { isPostgresUrl } from '#server/storage/open-database.ts';

export function warnOfConfig(config: Config, log: Log): void {
  const { chromiumPath, alone, roles } = config;
  if (chromiumPath !== null && roles.has('browser') && findChromium(config) === null) log.warn(notRun(chromiumPath));
  const files = tooFewFiles(config);
  if (files !== null) log.warn(files);
  if (isPostgresUrl(config.database) && alone) {
    log.warn(
      `rows are in PostgreSQL but files in ${config.dataFolder}: back up both together; a second server can only start where files are shared, by ASSETS_URL or PLATEN_SHARED_FILES`,
    );
  }
  if (config.allowPrivateNetworks.length > 0 || config.allowLinkLocal) {
    log.warn(
      'images, pages and webhooks may reach networks that are not public: PLATEN_ALLOW_PRIVATE_NETWORKS, PLATEN_ALLOW_LINK_LOCAL',
    );
  }
  const unlimited = Object.entries(config.plans).flatMap(([name, { storage }]) =>
    storage === undefined ? [name] : [],
  );
  if (unlimited.length > 0) {
    log.warn(
      `accounts may store any amount of images, fonts and templates: PLATEN_PLANS has no storage for ${unlimited.join(', ')}`,
    );
  }
  if (config.publicUrl === null && !/^(localhost|127\..*|::1)$/.test(config.host)) {
    log.warn(
      'PLATEN_PUBLIC_URL is not set: behind a proxy, set it to the address that clients use, and let the proxy set X-Forwarded-For, by which clients are told apart',
    );
  }
}
