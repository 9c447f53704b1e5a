// `platen webhook`: lists webhook deliveries and sends them again.

import { Command } from 'commander';
import type { DeliveryLog } from '#server/storage/deliveries.ts';
import { withServices } from './data-folder.ts';
import { JSON_OPTION, print } from './output.ts';

export function webhookCommand(): Command {
  return new Command('webhook')
    .description('List webhook deliveries, and send them again.')
    .addCommand(
      new Command('list')
        .description('List deliveries with their attempts, the newest first.')
        .option('--account <id>', 'of this account alone')
        .option(...JSON_OPTION)
        .action(async (options: { account?: string; json?: boolean }) => {
          const found = await withServices(async ({ accounts, deliveries }) => {
            if (options.account !== undefined) await accounts.find(options.account);
            return deliveries.list(options.account ?? null);
          });
          print(options.json, { deliveries: found.map(show) }, found.map(inWords).join('\n\n') || 'No deliveries.');
        }),
    )
    .addCommand(
      new Command('replay')
        .description('Have the server send a delivery again: the same id, a new timestamp.')
        .argument('<delivery>', 'its id, msg_…')
        .option(...JSON_OPTION)
        .action(async (id: string, options: { json?: boolean }) => {
          await withServices(({ deliveries }) => deliveries.replay(id));
          print(options.json, { id, status: 'pending' }, `Delivery ${id} is sent again, now or when the server runs.`);
        }),
    );
}

const show = ({ id, accountId, renderId, url, status, createdAt, dueAt, log }: DeliveryLog) => ({
  id,
  account: accountId,
  render: renderId,
  url,
  status,
  createdAt,
  nextAttempt: dueAt,
  attempts: log,
});

function inWords({ id, renderId, url, status, dueAt, log }: DeliveryLog): string {
  const next = dueAt === null ? '' : `, next attempt ${dueAt.toISOString()}`;
  const attempts = log.map(
    ({ at, duration, status: answer, error }) => `  ${at.toISOString()}  ${answer ?? error}  ${duration} ms`,
  );
  return [`${id}  ${status}${next}`, `  ${renderId} to ${url}`, ...attempts].join('\n');
}
