// The fonts of the host: chosen by core as on the server, and fetched when a text needs them.

import type { Diagnostic } from '#core/diagnostics.ts';
import { chooseFaces } from '#core/fonts/choose-faces.ts';
import { Coverage } from '#core/fonts/coverage.ts';
import { Families } from '#core/fonts/families.ts';
import { type AvailableFace, type FaceMatch, faceKey } from '#core/fonts/match-face.ts';
import type { FontNeed } from '#core/resolve/scene.ts';
import { FontFace } from '#core/text/font-face.ts';
import { FontSet, fontQueryKey, type MatchedFace } from '#core/text/font-set.ts';
import type { Clock } from '../clock.ts';

/** The fields used of the answer to `GET …/fonts`. */
export interface FontListing {
  readonly families: readonly {
    readonly family: string;
    readonly own?: boolean;
    readonly scripts: readonly string[];
    readonly faces: readonly {
      readonly id: string;
      readonly weight: number;
      readonly width: number;
      readonly style: 'normal' | 'italic';
      readonly axes: AvailableFace['axes'];
      readonly isEmoji: boolean;
    }[];
  }[];
  readonly generic: Readonly<Record<string, string>>;
  /** Families that are not installed on the server, and what installs each. */
  readonly installable: readonly { readonly family: string; readonly command: string }[];
  /** Whether `add` installs them. */
  readonly canAdd?: boolean;
}

/** Where the font list and the files come from. */
export interface FontSource {
  listing(): Promise<FontListing>;
  /** By face id, in the serialised form of `Coverage`. */
  coverage(): Promise<Readonly<Record<string, string>>>;
  /** The bytes of a TTF or OTF file. */
  face(id: string): Promise<Uint8Array<ArrayBuffer>>;
  /** Adds a family that is installable. Absent: nothing can be added here. @throws Error saying why it was not */
  add?(family: string): Promise<void>;
  /** By installable family its name in it: its width and its outline as SVG path data, of 100 units an em, y down. */
  samples?(): Promise<Readonly<Record<string, FontSample>>>;
}

export type FontSample = readonly [width: number, outline: string];

export interface LoadedFonts {
  readonly fonts: FontSet;
  readonly diagnostics: readonly Diagnostic[];
}

/** ms after which a file that could not be loaded may be requested again. */
const AGAIN = 3_000;

export class SceneFonts {
  #families: Families;
  #listing: FontListing;
  readonly #source: FontSource;
  readonly #faces = new Map<string, FontFace>();
  readonly #loading = new Map<string, Promise<FontFace>>();
  /** When files that could not be loaded may be requested again, and not at every edit; ms of the clock. */
  readonly #failed = new Map<string, number>();
  readonly #now: Clock['now'];
  #last: { readonly chains: ReadonlyMap<string, readonly MatchedFace[]>; readonly fonts: FontSet } | null = null;

  private constructor(source: FontSource, listing: FontListing, families: Families, now: Clock['now']) {
    this.#now = now;
    this.#source = source;
    this.#listing = listing;
    this.#families = families;
  }

  static async open(source: FontSource, { now }: Pick<Clock, 'now'>): Promise<SceneFonts> {
    const [listing, coverage] = await Promise.all([source.listing(), source.coverage()]);
    return new SceneFonts(source, listing, familiesOf(listing, coverage), now);
  }

  get families(): Families {
    return this.#families;
  }

  get listing(): FontListing {
    return this.#listing;
  }

  /** A face's file, to show its family's name in it. */
  fileOf(id: string): Promise<Uint8Array<ArrayBuffer>> {
    return this.#source.face(id);
  }

  /** Whether families that are installable can be added here. */
  get canAdd(): boolean {
    return this.#source.add !== undefined && this.#listing.canAdd === true;
  }

  /** Adds an installable family. @throws Error saying why it was not */
  async add(family: string): Promise<void> {
    await this.#source.add?.(family);
    await this.refresh();
  }

  async samples(): Promise<Readonly<Record<string, FontSample>>> {
    return (await this.#source.samples?.()) ?? {};
  }

  /** Reads the list again, after fonts were added or deleted elsewhere. @returns whether it differs */
  async refresh(): Promise<boolean> {
    const listing = await this.#source.listing();
    if (JSON.stringify(listing) === JSON.stringify(this.#listing)) return false;
    this.#families = familiesOf(listing, await this.#source.coverage());
    this.#listing = listing;
    return true;
  }

  /** The fonts for these needs if all faces are loaded; otherwise null, and `load` fetches them. */
  ready(needs: readonly FontNeed[]): LoadedFonts | null {
    const chains = new Map<string, readonly MatchedFace[]>();
    const diagnostics: Diagnostic[] = [];
    for (const need of needs) {
      const { matches, named, unknown, diagnostics: found } = chooseFaces(need, this.families);
      for (const name of unknown) {
        diagnostics.push({ code: 'unknown-family', layer: need.layer, message: this.families.explain(name) });
      }
      diagnostics.push(...found);
      const chain: MatchedFace[] = [];
      for (const [i, match] of matches.entries()) {
        const key = faceKey(match);
        const face = this.#faces.get(key);
        if (face) chain.push(matched(face, match, i >= named));
        else if (!this.#hasFailed(key)) return null;
      }
      if (chain.length === 0) return null;
      chains.set(fontQueryKey(need.query), this.#sameChain(chain));
    }
    return { fonts: this.#sameSet(chains), diagnostics };
  }

  /** Returns the last set if its chains are the same, so that cached layout remains valid. */
  #sameSet(chains: ReadonlyMap<string, readonly MatchedFace[]>): FontSet {
    const last = this.#last;
    const isSame = last?.chains.size === chains.size && [...chains].every(([key, one]) => last.chains.get(key) === one);
    if (last && isSame) return last.fonts;
    const fonts = new FontSet(chains);
    this.#last = { chains, fonts };
    return fonts;
  }

  /** Fetches the faces that `ready` lacks. Throws an error if a need is left without any. */
  async load(needs: readonly FontNeed[]): Promise<void> {
    const wanted = new Map<string, FaceMatch>();
    for (const need of needs) {
      for (const match of chooseFaces(need, this.families).matches) wanted.set(faceKey(match), match);
    }
    for (const key of wanted.keys()) if (this.#hasFailed(key)) wanted.delete(key);
    const opening = [...wanted].map(([key, match]) =>
      this.#open(key, match).catch((error: unknown) => {
        this.#failed.set(key, this.#now() + AGAIN);
        throw error;
      }),
    );
    await Promise.allSettled(opening);
    for (const need of needs) {
      const keys = chooseFaces(need, this.families).matches.map(faceKey);
      if (!keys.some((key) => this.#faces.has(key)))
        throw new Error(`The fonts of layer ${JSON.stringify(need.layer)} could not be loaded. They are tried again.`);
    }
  }

  #hasFailed(key: string): boolean {
    return this.#now() < (this.#failed.get(key) ?? Number.NEGATIVE_INFINITY);
  }

  async #open(key: string, { face, variations }: FaceMatch): Promise<FontFace> {
    const known = this.#faces.get(key);
    if (known) return known;
    let loading = this.#loading.get(key);
    if (!loading) {
      const opening = this.#source.face(face.path).then((bytes) => {
        const { family, style } = face;
        const opened = new FontFace({ key, family, weight: variations.wght ?? face.weight, style, bytes, variations });
        this.#faces.set(key, opened);
        return opened;
      });
      loading = opening.finally(() => this.#loading.delete(key));
      this.#loading.set(key, loading);
    }
    return loading;
  }

  /** One chain object for equal chains, because core's cache of shaped words is keyed by it. */
  readonly #chains = new Map<string, readonly MatchedFace[]>();

  #sameChain(chain: readonly MatchedFace[]): readonly MatchedFace[] {
    const key = JSON.stringify(
      chain.map(({ face, slant, embolden, isFallback }) => [face.key, slant, embolden, isFallback]),
    );
    const known = this.#chains.get(key);
    if (known) return known;
    this.#chains.set(key, chain);
    return chain;
  }
}

function matched(face: FontFace, match: FaceMatch, isFallback: boolean): MatchedFace {
  return {
    ...{ face, slant: face.isColor ? 0 : match.slant },
    ...(match.embolden && !face.isColor ? { embolden: true } : {}),
    ...(isFallback ? { isFallback } : {}),
  };
}

const CATEGORY_OF: Readonly<Record<string, 'sans-serif' | 'serif' | 'monospace'>> = {
  'sans-serif': 'sans-serif',
  serif: 'serif',
  monospace: 'monospace',
};

function familiesOf({ families, generic }: FontListing, coverage: Readonly<Record<string, string>>): Families {
  const categoryOf = new Map(
    Object.entries(generic).flatMap(([name, family]) => {
      const category = CATEGORY_OF[name];
      return category ? [[family, category] as const] : [];
    }),
  );
  const parsed = new Map<string, Coverage>();
  const coverageOf = (id: string) => {
    const text = coverage[id] ?? '';
    let known = parsed.get(text);
    if (!known) {
      known = Coverage.parse(text);
      parsed.set(text, known);
    }
    return known;
  };
  return Families.listed(
    families.map(({ family, scripts, faces }) => ({
      name: family,
      category: faces.some(({ isEmoji }) => isEmoji) ? 'emoji' : (categoryOf.get(family) ?? null),
      scripts,
      faces: faces.map(({ id, weight, width, style, axes }) => {
        return { id, family, weight, width, style, axes, coverage: coverageOf(id), path: id };
      }),
    })),
  );
}
