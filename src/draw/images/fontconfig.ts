// Writes a fontconfig configuration that points programs to the catalogue's fonts.

import { escapeXml } from './xml.ts';

export interface FontFolders {
  readonly folders: readonly string[];
  /** The family for each CSS generic name. */
  readonly generic: ReadonlyMap<string, string>;
  /** Families that supply characters missing from other families, in this order. */
  readonly families?: readonly string[];
  /** By fontconfig's language name, the family that comes first for it. */
  readonly firstFor?: ReadonlyMap<string, string>;
}

/** A value for tests that should match only patterns without the property: fontconfig then ignores the value. */
const NO_NAME = 'platen-no-name';
/** The system's rules for metric-compatible families, such as Liberation Sans for Arial. */
const METRIC_ALIASES = '/etc/fonts/conf.d/30-metric-aliases.conf';
/** The language with which Chromium asks for emoji. */
const EMOJI = 'und-zsye';

/**
 * @param cache a folder to which the program can write
 * @param withSystem whether system fonts are used too, after these
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
 * Fallback rules. When an unknown family is requested, the first of these families is added weakly, so that the next
 * name in a style takes precedence over it. When no family is requested, all of them are added before any system font:
 * this is how Chromium asks for characters that the named families lack, and otherwise a system font that declares the
 * page's language would win.
 */
function fallbackRules(families: readonly string[], firstFor: ReadonlyMap<string, string>): string {
  const named = `<match target="pattern"><test name="family" compare="not_eq"><string>${NO_NAME}</string></test>${edit(families.slice(0, 1), 'weak')}</match>`;
  const unnamed = (names: readonly string[], language?: string) => {
    const test = language === undefined ? '' : `<test name="lang" compare="contains">${string(language)}</test>`;
    // The system's rules request colour when an emoji family is named; digits would then come from that family.
    const color = language === EMOJI ? '' : '<edit name="color" mode="assign"><bool>false</bool></edit>';
    return `<match target="pattern"><test qual="all" name="family" compare="eq"><string>${NO_NAME}</string></test>${test}${edit(names, 'strong')}${color}</match>`;
  };
  const forLanguages = [...firstFor].map(([language, family]) =>
    unnamed([family, ...families.filter((name) => name !== family)], language),
  );
  // Once one of the rules for unnamed families has added families, none of the following applies.
  return [named, ...forLanguages, unnamed(families)].join('');
}

const edit = (families: readonly string[], binding: 'weak' | 'strong') =>
  `<edit name="family" mode="append_last" binding="${binding}">${families.map(string).join('')}</edit>`;

const string = (value: string) => `<string>${escapeXml(value)}</string>`;
