// Fonts for programs that find theirs by fontconfig: the text of a configuration that leads to the catalogue's.

import { escapeXml } from './xml.ts';

export interface FontFolders {
  readonly folders: readonly string[];
  /** By CSS's generic name, the family that answers it. */
  readonly generic: ReadonlyMap<string, string>;
  /** Families that other families' missing characters are taken from, in this order. */
  readonly families?: readonly string[];
}

/**
 * @param cache a folder that the program may write to
 * @param withSystem whether the fonts of the system count too, after these
 */
export function fontconfigText(
  { folders, generic, families = [] }: FontFolders,
  cache: string,
  withSystem = false,
): string {
  const dirs = folders.map((folder) => `<dir>${escapeXml(folder)}</dir>`).join('');
  const aliases = [...generic].map(
    ([name, family]) =>
      `<alias binding="strong"><family>${escapeXml(name)}</family><prefer><family>${escapeXml(family)}</family></prefer></alias>`,
  );
  const rest = families.map((family) => `<string>${escapeXml(family)}</string>`).join('');
  const fallback =
    rest === '' ? '' : `<match target="pattern"><edit name="family" mode="append_last">${rest}</edit></match>`;
  const system = withSystem ? '<include ignore_missing="yes">/etc/fonts/fonts.conf</include>' : '';
  return `<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd"><fontconfig>${dirs}<cachedir>${escapeXml(cache)}</cachedir>${aliases.join('')}${system}${fallback}</fontconfig>`;
}
