// `platen mcp`: connects programs that speak the Model Context Protocol over standard input and output to a running
// server.

import { Command } from 'commander';
import { AppError } from '#base/errors.ts';
import { loadConfig, publicAddress } from '#server/config/config.ts';

export function mcpCommand(): Command {
  return new Command('mcp')
    .description('Serve the Model Context Protocol over standard streams, on behalf of a running server.')
    .option('--url <url>', 'the address of the server; default: as the environment says')
    .action(async ({ url }: { url?: string }) => {
      const config = loadConfig();
      if (config.apiKey === null) {
        throw new AppError('invalid_request', 'Set PLATEN_KEY to an API key; "platen key create" makes one.');
      }
      const { apiCalls } = await import('#server/mcp/call-api.ts');
      const { mcpOverStdio } = await import('#server/mcp/tools.ts');
      const base = (url ?? publicAddress({ ...config, publicUrl: null }, config.port)).replace(/\/$/, '');
      await mcpOverStdio(apiCalls(base, `Bearer ${config.apiKey}`));
    });
}
