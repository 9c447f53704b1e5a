// Writes the software bill of materials of an archive, in CycloneDX format by `npm sbom`: installed and bundled
// packages.

import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { glob, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Architecture } from './build-dist.ts';

interface Component {
  readonly 'bom-ref': string;
  readonly name: string;
  readonly version: string;
  readonly properties?: readonly { readonly name: string; readonly value: string }[];
}

/** npm's property of packages in the development set, which we ship if they are bundled. */
const DEVELOPMENT = 'cdx:npm:package:development';

/**
 * @param root the checkout
 * @param lib the unpacked lib/platen
 * @param fonts the packages that faces were copied from, `name@version`
 */
export async function billOfMaterials(
  root: string,
  architecture: Architecture,
  lib: string,
  fonts: readonly string[],
  date: number,
): Promise<string> {
  const flags = ['sbom', '--sbom-format', 'cyclonedx', '--package-lock-only'];
  const { stdout } = await promisify(execFile)('npm', flags, { cwd: root, maxBuffer: 2 ** 26 });
  const bill = JSON.parse(stdout);
  const isHere = (name: string) => name === `node-linux-${architecture}` || existsSync(join(lib, 'node_modules', name));
  const shipped = new Set([...(await bundledPackages(lib)), ...fonts]);
  const components = (bill.components as Component[])
    .filter(({ name, version, properties = [] }) => {
      const isDevelopment = properties.some((each) => each.name === DEVELOPMENT);
      return shipped.has(`${name}@${version}`) || (!isDevelopment && isHere(name));
    })
    .map(({ properties, ...component }) => component);
  const kept = new Set([bill.metadata.component['bom-ref'], ...components.map((each) => each['bom-ref'])]);
  const dependencies = (bill.dependencies as { ref: string; dependsOn?: string[] }[])
    .filter(({ ref }) => kept.has(ref))
    .map(({ ref, dependsOn = [] }) => ({ ref, dependsOn: dependsOn.filter((each) => kept.has(each)) }));
  const digest = createHash('sha256').update(JSON.stringify(components)).digest('hex');
  bill.serialNumber = `urn:uuid:${digest.slice(0, 8)}-${digest.slice(8, 12)}-4${digest.slice(13, 16)}-8${digest.slice(17, 20)}-${digest.slice(20, 32)}`;
  // npm takes the name of the checkout's folder.
  bill.metadata.component.name = 'platen';
  bill.metadata.timestamp = new Date(date * 1000).toISOString();
  return `${JSON.stringify({ ...bill, components, dependencies }, null, 2)}\n`;
}

/** The packages in the libraries of the server, of the edge and of the studio, `name@version`. */
async function bundledPackages(lib: string): Promise<readonly string[]> {
  const found: string[] = [];
  for await (const file of glob('dist/*/LICENSES.txt', { cwd: lib })) {
    const text = await readFile(join(lib, file), 'utf8');
    for (const [, name, version] of text.matchAll(/^(\S+) (\d\S*) \(/gm)) found.push(`${name}@${version}`);
  }
  return found;
}
