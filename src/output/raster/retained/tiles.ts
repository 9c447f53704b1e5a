// Pieces in, the pixels of their pictures and drawings out: what must be waited for is under way as soon as it is begun,
// on other threads, and what was kept costs no waiting.

import type { Resources } from '#core/resources.ts';
import type { PlacedList } from '../place-images.ts';
import { type Drawn, drawDrawings } from './drawings.ts';
import { pictureTile } from './pictures.ts';
import type { Piece } from './pieces.ts';

/** Pixels of pictures and of what the rasteriser drew. */
export type Tiles = ReadonlyMap<Piece, Drawn>;

export class TilesUnderWay {
  readonly #placed: PlacedList;
  readonly #resources: Resources;
  readonly #tiles = new Map<Piece, Drawn>();
  readonly #begun = new Set<Piece>();
  readonly #waiting: Promise<unknown>[] = [];

  constructor(placed: PlacedList, resources: Resources) {
    this.#placed = placed;
    this.#resources = resources;
  }

  /** Whether anything has to be waited for. */
  get isWaiting(): boolean {
    return this.#waiting.length > 0;
  }

  /**
   * Begins what was not begun before.
   *
   * @param stays pieces that will likely be drawn again
   */
  begin(layers: readonly Piece[], stays: ReadonlySet<Piece>): void {
    const pieces = layers.flatMap(withinLayers).filter((piece) => !this.#begun.has(piece));
    for (const piece of pieces) {
      this.#begun.add(piece);
      if (piece.kind !== 'picture') continue;
      const tile = pictureTile(piece);
      if (tile instanceof Promise) this.#wait(tile.then((scaled) => this.#tiles.set(piece, scaled)));
      else this.#tiles.set(piece, tile);
    }
    const drawings = pieces.filter((piece) => piece.kind === 'drawing');
    const staying = new Set(layers.filter((piece) => stays.has(piece)).flatMap(withinLayers));
    const drawn = drawDrawings(drawings, this.#placed, this.#resources, staying, this.#tiles);
    if (drawn) this.#wait(drawn);
  }

  async all(): Promise<Tiles> {
    if (this.isWaiting) await Promise.all(this.#waiting);
    return this.#tiles;
  }

  #wait(work: Promise<unknown>): void {
    // A failure is heard of where all is waited for, which may be later than it happens.
    work.catch(() => {});
    this.#waiting.push(work);
  }
}

/** All that it is made of. */
function withinLayers(piece: Piece): readonly Piece[] {
  if (piece.kind === 'shaded') return [piece.through];
  return piece.kind === 'layer' ? piece.pieces.flatMap(withinLayers) : [piece];
}
