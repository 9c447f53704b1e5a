// Downloads package archives from an npm registry, through the outbound guard.

import { AppError } from '#errors';
import { OutboundClient } from '#net/outbound-client.ts';
import { outboundGuard } from '#service/outbound-guard.ts';
import type { Config } from '../config.ts';

export interface NpmRegistry extends AsyncDisposable {
  /**
   * @throws AppError with advice when the registry cannot be reached
   */
  readonly fetch: (
    name: string,
    version: string,
    limits: { readonly maxBytes: number; readonly timeout: number },
  ) => Promise<Uint8Array>;
}

export function openRegistry(address: string, config: Config): NpmRegistry {
  const client = new OutboundClient(outboundGuard(config), { userAgent: 'Platen' });
  return {
    async fetch(name, version, limits) {
      const url = `${address.replace(/\/$/, '')}/${name}/-/${name.split('/').at(-1)}-${version}.tgz`;
      try {
        return (await client.get(url, limits)).bytes;
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error);
        throw new AppError(
          'invalid_request',
          `${url} could not be fetched: ${reason} Where the registry cannot be reached, run "npm pack ${name}@${version}" ` +
            'elsewhere and add --from with the folder of the archive.',
          { cause: error },
        );
      }
    },
    [Symbol.asyncDispose]: () => client.close(),
  };
}
