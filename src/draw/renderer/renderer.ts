// The interface through which services render: it takes a job and returns the bytes of a file.
//
// A job is plain data, so that it can be sent to another thread. Large data that seldom changes is only named by a key
// in the job; the renderer requests it once and caches it.

import type { StageTime } from '#base/trace.ts';
import type { Diagnostic } from '#core/diagnostics.ts';
import type { Modifications } from '#core/resolve/apply-modifications.ts';
import type { FontRecord } from '#draw/fonts/own-fonts.ts';
import type { InspectedImage } from '#draw/images/inspect.ts';
import type { ExportOptions, Output } from '#draw/output/formats.ts';

/** What is to be drawn or measured. */
export interface Subject {
  /** The account, in whose name it waits: while others wait, jobs of one account run one after the other. */
  readonly fairnessKey: string;
  /** The key of a template at one version. */
  readonly template: string;
  /** The key of the owner's own faces; '' when there are none. */
  readonly fonts: string;
  readonly modifications: Modifications;
  /** Estimated time for which it blocks a thread without a pause, ms. */
  readonly time: number;
  /** The layer that most of this time is for. */
  readonly heaviest?: string | null;
  /** By source: the ids of uploads that the owner may use, as far as they are known. */
  readonly uploads: Readonly<Record<string, string>>;
}

export interface DrawingJob extends Subject {
  readonly output: Output;
  readonly options: ExportOptions;
}

export interface Drawing {
  readonly bytes: Uint8Array;
  /** How many pages the document has; absent where there is one. */
  readonly pages?: number;
  readonly diagnostics: readonly Diagnostic[];
  /** The time of each stage, if measured. */
  readonly stages?: readonly StageTime[];
}

export interface MeasuredLayout {
  /** A `SceneLayout` as JSON: the copy of a thousand objects would hold the thread that receives them. */
  readonly layout: string;
  readonly diagnostics: readonly Diagnostic[];
}

/** An image's file, not yet decoded, with public sentences on what is odd about it. */
export interface SuppliedImage {
  readonly bytes: Uint8Array;
  readonly warnings: readonly string[];
}

/**
 * Supplies a renderer with the data that a job names. Each throws an AppError when it is not available. Returned bytes
 * may be transferred: the supplier must not use them afterwards.
 */
export interface Supplies {
  /** JSON. */
  template(): Promise<string>;
  fonts(): Promise<readonly FontRecord[]>;
  /** An image by its source: its file, or the id of an upload that the owner may use, whose bytes never change. */
  image(source: string, signal: AbortSignal): Promise<SuppliedImage | string>;
  /** The bytes of an upload that `image` has named. */
  upload(id: string, signal: AbortSignal): Promise<Uint8Array>;
}

/** The properties of an image file, which was decoded once to check it; px of the upright picture. */
export type InspectedFile = Pick<InspectedImage, 'format' | 'width' | 'height'>;

export interface RendererStatus {
  /** Memory cached between renders, by kind, bytes. */
  readonly keptBytes: readonly (readonly [kind: string, bytes: number])[];
  /** Parsed templates that are cached. */
  readonly templates: number;
  /** Jobs that use a processor, and jobs that wait for one. */
  readonly running: number;
  readonly waiting: number;
}

export interface Renderer extends AsyncDisposable {
  /**
   * Renders a job with its supplies. It ends soon after the signal is aborted, if not before.
   *
   * @throws ValidationError when a modification does not fit; AppError `invalid_request` or `url_not_allowed` naming a
   *   layer whose image cannot be loaded, `overloaded` when it was late because of others, `invalid_request` when it
   *   was itself too much for the time or the memory of a render
   */
  draw(job: DrawingJob, supplies: Supplies, signal: AbortSignal): Promise<Drawing>;
  /** Lays out a design template. @throws as `draw` */
  measure(subject: Subject, supplies: Supplies, signal: AbortSignal): Promise<MeasuredLayout>;
  /** Inspects an image file, within a time of its own. @throws AppError as `inspectImage`, and as `draw` */
  inspect(file: Uint8Array): Promise<InspectedFile>;
  /** Draws a sample, so that the first job takes no longer than those that follow. */
  warmUp(): Promise<void>;
  status(): Promise<RendererStatus>;
}
