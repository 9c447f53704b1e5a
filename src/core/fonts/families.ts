// Finds the families of an installation by name, and keeps the order in which they are fallbacks for missing glyphs.

import { nearestName } from '../nearest-name.ts';
import { type Catalog, type CatalogFamily, type Category, catalogFaces, commandFor } from './catalog.ts';
import { Coverage } from './coverage.ts';
import type { AvailableFace } from './match-face.ts';

export interface Family {
  readonly name: string;
  /** null for a user's own family. */
  readonly category: Category | null;
  readonly scripts: readonly string[];
  /** At least one. */
  readonly faces: readonly AvailableFace[];
}

export type FindFiles = (packageName: string) => ((file: string) => string) | null;

/** The category that stands for each of CSS's generic families. */
const GENERIC: Readonly<Record<string, Category>> = {
  'sans-serif': 'sans-serif',
  'system-ui': 'sans-serif',
  serif: 'serif',
  monospace: 'monospace',
  emoji: 'emoji',
};

/** Languages whose forms of shared characters differ from other languages', with their scripts (ISO 15924). */
const LANGUAGES = [
  ['ja', 'Jpan'],
  ['ko', 'Kore'],
  ['und-zsye', 'Zsye'],
] as const;

/** Characters of a sentence that names families: the header `platen-warnings` cuts a longer one at 300. */
const MAX_SENTENCE = 290;

export class Families {
  /** The default family, the catalogue's others in its order, then the user's own. */
  readonly all: readonly Family[];
  /** The families of the catalogue that are not installed. */
  readonly absent: readonly CatalogFamily[];
  readonly #byName: ReadonlyMap<string, Family>;
  /** The names of all that fit, by the room for them. */
  readonly #lists = new Map<number, string>();

  private constructor(all: readonly Family[], absent: readonly CatalogFamily[]) {
    this.all = all;
    this.absent = absent;
    this.#byName = new Map(all.map((family) => [family.name.toLowerCase(), family]));
  }

  /** @param findFiles returns where the files of a package are read; null = it is not installed */
  static of(catalog: Catalog, findFiles: FindFiles, own: readonly AvailableFace[]): Families {
    const installed: Family[] = [];
    const absent: CatalogFamily[] = [];
    for (const entry of catalog.families) {
      const locate = findFiles(entry.package);
      if (locate === null) {
        absent.push(entry);
        continue;
      }
      const { family: name, category, scripts } = entry;
      installed.push({ name, category, scripts, faces: catalogFaces(entry, locate) });
    }
    return new Families(installed, absent).with(own);
  }

  /** Families that are already in order, such as those that a server lists for a page. */
  static listed(families: readonly Family[]): Families {
    return new Families(families, []);
  }

  /** A user's face precedes others of the same family, and so wins over an equal one; new families come last. */
  with(own: readonly AvailableFace[]): Families {
    const ownByName = Map.groupBy(own, ({ family }) => family.toLowerCase());
    const all = this.all.map((family) => {
      const name = family.name.toLowerCase();
      const faces = ownByName.get(name);
      ownByName.delete(name);
      return faces ? { ...family, faces: [...faces, ...family.faces] } : family;
    });
    for (const faces of ownByName.values()) {
      all.push({ name: faces[0]?.family ?? '', category: null, scripts: [], faces });
    }
    return new Families(all, this.absent);
  }

  /** By name, ignoring case, or by CSS's generic name. */
  find(name: string): Family | null {
    const key = name.trim().toLowerCase();
    const category = GENERIC[key];
    return this.#byName.get(key) ?? (category === undefined ? null : this.ofCategory(category));
  }

  /** CSS's generic names and the families that they stand for. */
  get generic(): ReadonlyMap<string, string> {
    const answers = Object.keys(GENERIC).map((name) => [name, this.find(name)?.name ?? ''] as const);
    return new Map(answers.filter(([, family]) => family !== ''));
  }

  /** By fontconfig's name of a language, the family that has its forms of shared characters. */
  get firstFor(): ReadonlyMap<string, string> {
    const answers = LANGUAGES.map(([language, script]) => {
      const family = this.all.find(({ category, scripts }) => category !== null && scripts.includes(script));
      return [language, family?.name ?? ''] as const;
    });
    return new Map(answers.filter(([, family]) => family !== ''));
  }

  /** The first family of a category. */
  ofCategory(category: Category): Family | null {
    return this.all.find((family) => family.category === category) ?? null;
  }

  /** The absent families that a text may need. Those of the Latin group are only a choice. */
  get needed(): readonly CatalogFamily[] {
    return this.absent.filter(({ group }) => group !== 'latin');
  }

  /** The absent families that are a choice: with the command that installs each. */
  get installable(): readonly { readonly family: string; readonly command: string }[] {
    return this.absent
      .filter(({ group }) => group === 'latin')
      .map((family) => ({ family: family.family, command: commandFor(family) }));
  }

  /** The first family of `needed` that has one of the code points. */
  absentFor(codePoints: ReadonlySet<number>): CatalogFamily | null {
    if (codePoints.size === 0) return null;
    return this.needed.find((family) => [...codePoints].some((each) => coverageOf(family).has(each))) ?? null;
  }

  /** One public sentence about a name that `find` does not know. */
  explain(name: string): string {
    const absent = this.absent.find(({ family }) => family.toLowerCase() === name.trim().toLowerCase());
    if (absent) return `Font family "${name}" is not installed on this server: ${commandFor(absent)}`;
    const near = nearestName(
      name,
      this.all.map((family) => family.name),
    );
    const begun = `Font family "${name}" is not known; ${near === null ? 'there' : `did you mean "${near}"? There`}`;
    return `${begun} are ${this.#present(MAX_SENTENCE - begun.length)}.`;
  }

  /** Names the first families there are, in about this many characters: a user's own, and Noto's many last. */
  #present(room: number): string {
    const known = this.#lists.get(room);
    if (known !== undefined) return known;
    const rank = ({ category, name }: Family) => (category === null ? 0 : name.startsWith('Noto ') ? 2 : 1);
    const names = this.all.toSorted((a, b) => rank(a) - rank(b)).map(({ name }) => `"${name}"`);
    const list = (count: number) => {
      const more = count < names.length ? [`${names.length - count} more`] : [];
      return new Intl.ListFormat('en-GB').format([...names.slice(0, count), ...more]);
    };
    let count = names.length;
    while (count > 1 && list(count).length > room - ' are .'.length) count -= 1;
    const made = list(count);
    this.#lists.set(room, made);
    return made;
  }
}

const coverages = new WeakMap<CatalogFamily, Coverage>();

function coverageOf(family: CatalogFamily): Coverage {
  const coverage = coverages.get(family) ?? Coverage.parse(family.coverage.normal);
  coverages.set(family, coverage);
  return coverage;
}
