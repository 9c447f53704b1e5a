// `platen serve`: runs the server.

import { Command, InvalidArgumentError, Option } from 'commander';

interface Options {
  readonly port?: string;
  readonly host?: string;
}

export function serveCommand(): Command {
  return new Command('serve')
    .description('Run the server, as configured by the environment.')
    .addOption(new Option('--port <number>', 'the TCP port to listen on, instead of PORT; 0 takes any').argParser(port))
    .option('--host <address>', 'the address to listen on, instead of HOST; 0.0.0.0 opens the server to the network')
    .action(async ({ port, host }: Options) => {
      const { main } = await import('../main.ts');
      await main({ ...(port !== undefined && { PORT: port }), ...(host !== undefined && { HOST: host }) });
    });
}

function port(text: string): string {
  if (/^\d{1,5}$/.test(text) && Number(text) <= 65_535) return text;
  throw new InvalidArgumentError('It must be a whole number from 0 to 65535.');
}
