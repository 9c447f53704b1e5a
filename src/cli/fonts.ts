// `platen fonts`: lists the catalogue's families, and adds those that are not part of an installation.

import { join } from 'node:path';
import { Command } from 'commander';
import { AppError } from '#base/errors.ts';
import { type CatalogFamily, GROUPS } from '#core/fonts/catalog.ts';
import { nearestName } from '#core/nearest-name.ts';
import { findPackageIn, readCatalog } from '#draw/fonts/catalog.ts';
import { checkIntegrity, findIn, inArchive, installFontPackage, MAX_ARCHIVE } from '#draw/fonts/font-package.ts';
import { type Config, loadConfig } from '#server/config/config.ts';
import { makeFolder } from '#server/storage/make-folder.ts';
import { JSON_OPTION, print } from './output.ts';

/** Timeout of one package, ms. */
const TIMEOUT = 600_000;

interface AddOptions {
  readonly from?: string;
  readonly registry?: string;
  readonly json?: boolean;
}

export function fontsCommand(): Command {
  return new Command('fonts')
    .description('List and install the font families of the catalogue.')
    .addCommand(
      new Command('list')
        .description('List the families, and which are installed.')
        .option(...JSON_OPTION)
        .action(({ json }: { json?: boolean }) => {
          const find = findPackageIn(loadConfig().fontFolders);
          const rows = readCatalog().families.map((entry) => ({
            family: entry.family,
            package: `${entry.package}@${entry.version}`,
            category: entry.category,
            group: entry.group ?? null,
            size: entry.size,
            installed: find(entry.package) !== null,
          }));
          const words = rows.map(({ installed, family, category, group, size }) =>
            [
              installed ? 'installed' : 'absent   ',
              family.padEnd(24),
              category.padEnd(11),
              `${(size / 1e6).toFixed(1)} MB`.padStart(8),
              group ?? '',
            ]
              .join('  ')
              .trimEnd(),
          );
          print(json, rows, words.join('\n'));
        }),
    )
    .addCommand(
      new Command('add')
        .description('Install families into the data folder, from the npm registry or from files.')
        .argument(
          '<name...>',
          '"cjk" for Chinese, Japanese and Korean, "latin" for more families of Latin letters, or names of families',
        )
        .option('--from <path>', 'the archive of a package, or a folder of packages or archives; nothing is fetched')
        .option('--registry <url>', 'the npm registry to fetch from; default: as npm is configured')
        .option(...JSON_OPTION)
        .action(async (names: string[], options: AddOptions) => {
          const config = loadConfig();
          const families = [...new Set(names.flatMap(familiesCalled))];
          const added = await addFamilies(families, options, config);
          const list = added.map(({ family }) => family).join(', ');
          const words = `Installed in ${fontFolder(config)}: ${list}. A server that runs sees them when it is started again.`;
          print(options.json, { installed: added.map(({ family }) => family) }, words);
        }),
    );
}

/** The families of a group, or the family of that name. */
function familiesCalled(name: string): CatalogFamily[] {
  const { families } = readCatalog();
  const wanted = name.trim().toLowerCase();
  const found = families.filter((entry) => entry.group === wanted || entry.family.toLowerCase() === wanted);
  if (found.length > 0) return found;
  const near = nearestName(name, [...GROUPS, ...families.map(({ family }) => family)]);
  const hint = near === null ? '"platen fonts list" shows what it has' : `did you mean ${JSON.stringify(near)}?`;
  throw new AppError('invalid_request', `The catalogue has no ${JSON.stringify(name)}; ${hint}`);
}

async function addFamilies(families: readonly CatalogFamily[], options: AddOptions, config: Config) {
  await using parts = new AsyncDisposableStack();
  await makeFolder(fontFolder(config));
  let fetchArchive: ((family: CatalogFamily) => Promise<Uint8Array>) | null = null;
  for (const family of families) {
    if (options.from !== undefined) {
      await installFontPackage(family, await findIn(options.from, family), fontFolder(config));
      continue;
    }
    if (fetchArchive === null) {
      const { openRegistry } = await import('./npm-registry.ts');
      const registry = parts.use(openRegistry(options.registry ?? null, config));
      fetchArchive = ({ package: name, version }) =>
        registry.fetch(name, version, { maxBytes: MAX_ARCHIVE, timeout: TIMEOUT });
    }
    const archive = await fetchArchive(family);
    checkIntegrity(archive, family);
    await installFontPackage(family, await inArchive(archive), fontFolder(config));
  }
  return families;
}

const fontFolder = ({ dataFolder }: Config) => join(dataFolder, 'fonts');
