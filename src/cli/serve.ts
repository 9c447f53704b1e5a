// `platen serve`: runs the server.

import { Command } from 'commander';

export function serveCommand(): Command {
  return new Command('serve').description('Run the server, as configured by the environment.').action(async () => {
    const { main } = await import('../main.ts');
    await main();
  });
}
