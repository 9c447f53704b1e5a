// `platen user`: manages the people who use the studio, for lock-outs, containers and the first start; suspends, exports
// and deletes them.

import { readFile } from 'node:fs/promises';
import { Command, Option } from 'commander';
import { AppError } from '#base/errors.ts';
import { type Config, publicAddress } from '#server/config/config.ts';
import type { NewLink } from '#server/service/people/links.ts';
import { type MemberRole, ROLES } from '#server/service/people/members.ts';
import { byCommandLine } from '#server/service/people/permit.ts';
import { withServices } from './data-folder.ts';
import { accountOption, EXPORT_OPTION, JSON_OPTION, print, requireYes, writeExport, YES_OPTION } from './output.ts';

interface CreateOptions {
  readonly email: string;
  readonly name?: string;
  readonly role: MemberRole;
  readonly account?: string;
  readonly passwordFile?: string;
  readonly json?: boolean;
}

export function userCommand(): Command {
  return new Command('user')
    .description('List, create, suspend, export and delete people of the studio, and let in anybody locked out.')
    .addCommand(
      new Command('list')
        .description('List people with their accounts and roles.')
        .option(...JSON_OPTION)
        .action(async (options: { json?: boolean }) => {
          const found = await withServices(async ({ people }) =>
            Promise.all(
              (await people.list()).map(async ({ id, email, name, suspendedAt }) => {
                const accounts = await people.memberships(id);
                return {
                  id,
                  email,
                  name,
                  suspendedAt,
                  accounts: accounts.map(({ accountId, role }) => ({ id: accountId, role })),
                };
              }),
            ),
          );
          const words = found.map(
            ({ email, name, suspendedAt, accounts }) =>
              `${email}  ${name}  ${accounts.map(({ id, role }) => `${role} of ${id}`).join(', ') || 'no account'}${suspendedAt ? '  suspended' : ''}`,
          );
          print(
            options.json,
            { people: found },
            words.join('\n') || 'Nobody yet; "platen user link" lets the owner in.',
          );
        }),
    )
    .addCommand(
      new Command('create')
        .description('Create a person, and show a link for choosing a password.')
        .requiredOption('--email <address>', 'the address that the person signs in with')
        .option('--name <text>', 'the name that others see')
        .addOption(new Option('--role <role>', 'what the person may do').choices(ROLES).default('owner'))
        .option(...accountOption('which account'))
        .option(
          '--password-file <file>',
          'a file that holds the password, at least 12 characters; then no link is needed',
        )
        .option(...JSON_OPTION)
        .action(async (options: CreateOptions) => {
          const made = await withServices(async ({ accounts, people, members, links }, config) => {
            const { email, role, passwordFile } = options;
            const account = await accounts.findOrOnly(options.account);
            const password = passwordFile === undefined ? null : await readPassword(passwordFile);
            const name = options.name ?? email.split('@')[0] ?? email;
            const person = await people.create({ email, name, password }, byCommandLine);
            await members.add(account.id, person.id, role, byCommandLine);
            const link = password === null ? await links.reset(person.email, byCommandLine) : null;
            return { id: person.id, email: person.email, role, account: account.id, link: link && urlOf(config, link) };
          });
          const done = `${made.email} is ${made.role} of ${made.account}.`;
          print(options.json, made, made.link === null ? done : `${done}\n\n${linkInWords(made.link)}`);
        }),
    )
    .addCommand(
      new Command('reset')
        .description(
          'End all sessions of a person, forget password and passkeys, and show a link to choose a password by.',
        )
        .argument('<email>', 'whose password')
        .option(...JSON_OPTION)
        .action(async (email: string, options: { json?: boolean }) => {
          const link = await withServices(async ({ people, links }, config) => {
            const person = await people.findByEmail(email);
            await people.lockOut(person.id, byCommandLine);
            return urlOf(config, await links.reset(person.email, byCommandLine));
          });
          print(options.json, { email, link }, linkInWords(link));
        }),
    )
    .addCommand(
      new Command('verify')
        .description('Vouch for the address of a person, so that the identity provider signs them in by it.')
        .argument('<email>', 'the address; make sure whose it is, and "platen user reset" it if others may know it')
        .option('--move <address>', 'give the person another address instead, which frees this one for its owner')
        .option(...JSON_OPTION)
        .action(async (email: string, options: { move?: string; json?: boolean }) => {
          const person = await withServices(({ people }) => people.verify(email, options.move ?? null, byCommandLine));
          print(options.json, { id: person.id, email: person.email }, `${person.email} is ${person.name}'s.`);
        }),
    )
    .addCommand(
      new Command('link')
        .description('Show a link for becoming the first owner; with an address, for choosing a password.')
        .argument('[email]', 'who is to choose a password; the old one holds until then')
        .option(...JSON_OPTION)
        .action(async (email: string | undefined, options: { json?: boolean }) => {
          const link = await withServices(async ({ links }, config) => {
            const made = email === undefined ? await links.setup() : await links.reset(email, byCommandLine);
            if (made) return urlOf(config, made);
            throw new AppError(
              'conflict',
              'The studio has an owner, or there is no account yet: say for whom, as "platen user link ada@example.com", or start the server once.',
            );
          });
          print(options.json, { link }, linkInWords(link));
        }),
    )
    .addCommand(suspension('suspend', 'End all sessions of a person, who cannot sign in until they are resumed.', true))
    .addCommand(suspension('resume', 'Let a person who is suspended sign in again.', false))
    .addCommand(
      new Command('export')
        .description('Export what is stored about a person to a zip: data, sessions, entries of the audit log.')
        .argument('<email>', 'who')
        .requiredOption(...EXPORT_OPTION)
        .option(...JSON_OPTION)
        .action(async (email: string, { output, json }: { output: string; json?: boolean }) => {
          const { id } = await withServices(async (services) => {
            const person = await services.people.findByEmail(email);
            await services.people.recordExport(person.id, byCommandLine);
            const { exportPerson } = await import('#server/service/accounts/export.ts');
            await writeExport(output, exportPerson(services, person.id).chunks);
            return person;
          });
          print(json, { id, output }, `${output} holds what is stored of ${email}.`);
        }),
    )
    .addCommand(
      new Command('delete')
        .description('Delete a person and their sign-in; the audit log keeps only their id. This cannot be undone.')
        .argument('<email>', 'who')
        .option(...YES_OPTION)
        .option(...JSON_OPTION)
        .action(async (email: string, { yes, json }: { yes?: boolean; json?: boolean }) => {
          requireYes(yes, `${email} and their sign-in`);
          const id = await withServices(async ({ people }) => {
            const person = await people.findByEmail(email);
            await people.delete(person.id, byCommandLine);
            return person.id;
          });
          print(json, { id, deleted: true }, `${email} is deleted. What they made in accounts stays there.`);
        }),
    );
}

function suspension(name: string, description: string, isSuspended: boolean): Command {
  return new Command(name)
    .description(description)
    .argument('<email>', 'who')
    .option(...JSON_OPTION)
    .action(async (email: string, { json }: { json?: boolean }) => {
      const id = await withServices(async ({ people }) => {
        const person = await people.findByEmail(email);
        await people.suspend(person.id, isSuspended, byCommandLine);
        return person.id;
      });
      print(json, { id, suspended: isSuspended }, `${email} ${isSuspended ? 'is suspended' : 'may sign in again'}.`);
    });
}

const urlOf = (config: Config, { path }: NewLink) => publicAddress(config, config.port) + path;
const linkInWords = (link: string) => `Open this link, once and within 30 minutes:\n\n  ${link}`;

async function readPassword(file: string): Promise<string> {
  return (await readFile(file, 'utf8')).replace(/\r?\n$/, '');
}
