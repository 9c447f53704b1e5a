// Fonts for programs that find theirs by fontconfig: the text of a configuration that leads to the catalogue's.

import { escapeXml } from './xml.ts';

export interface FontFolders {
  readonly folders: readonly string[];
  /** By CSS's generic name, the family that answers it. */
  readonly generic: ReadonlyMap<string, string>;
  /** Families that other families' missing characters are taken from, in this order. */
  readonly families?: readonly string[];
  /** By fontconfig's name of a language, the family that comes first in that order for it. */
  readonly firstFor?: ReadonlyMap<string, string>;
}

/** Stands in tests that only hold where a pattern has no such property: then fontconfig asks nothing of its value. */
const NO_NAME = 'platen-no-name';
/** The system's rules for families that may stand in for others by their widths: Liberation Sans for Arial. */
const METRIC_ALIASES = '/etc/fonts/conf.d/30-metric-aliases.conf';
/** As what language Chromium asks for emoji. */
const EMOJI = 'und-zsye';

/**
 * @param cache a folder that the program may write to
 * @param withSystem whether the fonts of the system count too, after these
 */
export function fontconfigText(
  { folders, generic, families = [], firstFor = new Map() }: FontFolders,
  cache: string,
  withSystem = false,
): string {
  const dirs = folders.map((folder) => `<dir>${escapeXml(folder)}</dir>`).join('');
  const aliases = [...generic].map(
    ([name, family]) =>
      `<alias binding="strong"><family>${escapeXml(name)}</family><prefer><family>${escapeXml(family)}</family></prefer></alias>`,
  );
  const system = withSystem ? '<include ignore_missing="yes">/etc/fonts/fonts.conf</include>' : '';
  const fallback = families.length === 0 ? '' : `<match target="pattern">${edit(families, 'weak')}</match>`;
  const metrics = withSystem ? `<include ignore_missing="yes">${METRIC_ALIASES}</include>` : '';
  const rules = families.length === 0 ? '' : `${metrics}${fallbackRules(families, firstFor)}`;
  return `<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd"><fontconfig>${dirs}<cachedir>${escapeXml(cache)}</cachedir>${rules}${aliases.join('')}${system}${fallback}</fontconfig>`;
}

/**
 * The first of these families where one is asked for that nobody knows: weakly, so that the next name in a style counts
 * before it. And all of them, before any of the system's, where no family is asked for: so Chromium asks for characters
 * that the named families lack; a system's font that says it is for the page's language would win otherwise.
 */
function fallbackRules(families: readonly string[], firstFor: ReadonlyMap<string, string>): string {
  const named = `<match target="pattern"><test name="family" compare="not_eq"><string>${NO_NAME}</string></test>${edit(families.slice(0, 1), 'weak')}</match>`;
  const unnamed = (names: readonly string[], language?: string) => {
    const test = language === undefined ? '' : `<test name="lang" compare="contains">${string(language)}</test>`;
    // The system's own rules ask for colour where an emoji family is named; the digits would be that family's.
    const color = language === EMOJI ? '' : '<edit name="color" mode="assign"><bool>false</bool></edit>';
    return `<match target="pattern"><test qual="all" name="family" compare="eq"><string>${NO_NAME}</string></test>${test}${edit(names, 'strong')}${color}</match>`;
  };
  const forLanguages = [...firstFor].map(([language, family]) =>
    unnamed([family, ...families.filter((name) => name !== family)], language),
  );
  // Once one of the rules without a name has named families, none that follows applies.
  return [named, ...forLanguages, unnamed(families)].join('');
}

const edit = (families: readonly string[], binding: 'weak' | 'strong') =>
  `<edit name="family" mode="append_last" binding="${binding}">${families.map(string).join('')}</edit>`;

const string = (value: string) => `<string>${escapeXml(value)}</string>`;
