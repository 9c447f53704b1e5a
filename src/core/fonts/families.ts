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

export class Families {
  /** The default family, the catalogue's others in its order, then the user's own. */
  readonly all: readonly Family[];
  /** The families of the catalogue that are not installed. */
  readonly absent: readonly CatalogFamily[];
  readonly #byName: ReadonlyMap<string, Family>;

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

  /** The first absent family that has one of the code points. */
  absentFor(codePoints: ReadonlySet<number>): CatalogFamily | null {
    if (codePoints.size === 0) return null;
    return this.absent.find((family) => [...codePoints].some((each) => coverageOf(family).has(each))) ?? null;
  }

  /** One public sentence about a name that `find` does not know. */
  explain(name: string): string {
    const absent = this.absent.find(({ family }) => family.toLowerCase() === name.trim().toLowerCase());
    if (absent) return `Font family "${name}" is not installed on this server: ${commandFor(absent)}`;
    const near = nearestName(
      name,
      this.all.map((family) => family.name),
    );
    return `Font family "${name}" is not known${near === null ? '.' : `; did you mean "${near}"?`}`;
  }
}

const coverages = new WeakMap<CatalogFamily, Coverage>();

function coverageOf(family: CatalogFamily): Coverage {
  const coverage = coverages.get(family) ?? Coverage.parse(family.coverage.normal);
  coverages.set(family, coverage);
  return coverage;
}
