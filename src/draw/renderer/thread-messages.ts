// What the drawing thread and its owner ask of each other.

import type {
  Drawing,
  DrawingJob,
  InspectedFile,
  MeasuredLayout,
  RendererStatus,
  Subject,
  Supplies,
} from './renderer.ts';

/** The calls that the thread may make: a job's supplies, by the job's number, and memory for decoding files. */
export type SupplyHandlers = {
  /** Reserves bytes when they are free; returns the number of the loan, for `giveMemory`. */
  takeMemory(bytes: number): Promise<number>;
  giveMemory(lent: number): Promise<void>;
  template(job: number): ReturnType<Supplies['template']>;
  fonts(job: number): ReturnType<Supplies['fonts']>;
  image(of: { readonly job: number; readonly source: string }, signal: AbortSignal): ReturnType<Supplies['image']>;
  upload(of: { readonly job: number; readonly id: string }, signal: AbortSignal): ReturnType<Supplies['upload']>;
};

export interface ThreadOptions {
  /** Folders of the user's own font files. */
  readonly fontFolders: readonly string[];
  /** Jobs that use a processor at the same time. */
  readonly concurrency: number;
  /** Limit of the memory cached between renders, bytes. */
  readonly keptMemory: number;
  /** Limit of the memory of opened fonts between renders, bytes; the font library's own limit if absent. */
  readonly fontMemory?: number;
  /** How long painting one picture may take, ms; the rasteriser's own limit if absent. */
  readonly paintTime?: number;
  /** How long one turn of the thread's event loop may take, ms; unlimited if absent. */
  readonly mostTurn?: number;
  /** How long an aborted job may take to end, ms: the thread may be busy with another job's picture. */
  readonly grace?: number;
}

/** What the thread works at, which it cannot say by a message while it does: the number of a job, and the stage. */
export type AtWork = Int32Array<SharedArrayBuffer>;

/** The calls that the thread answers; `number` identifies the job when the thread requests its supplies. */
export type ThreadHandlers = {
  draw(of: { readonly number: number; readonly job: DrawingJob }, signal: AbortSignal): Promise<Drawing>;
  measure(of: { readonly number: number; readonly subject: Subject }, signal: AbortSignal): Promise<MeasuredLayout>;
  inspect(of: { readonly number: number; readonly file: Uint8Array }, signal: AbortSignal): Promise<InspectedFile>;
  warmUp(nothing: null): Promise<void>;
  status(nothing: null): Promise<RendererStatus>;
  leave(nothing: null): Promise<void>;
};
