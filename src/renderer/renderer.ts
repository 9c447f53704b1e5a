// Where pictures are made, as the services see it: what is to be drawn goes in, a file's bytes come out.
//
// A job is plain data, so that another thread can be handed it. What is large and seldom new is named by a key in it, and
// asked for by whoever draws, once.

import type { Diagnostic } from '#core/diagnostics.ts';
import type { SceneLayout } from '#core/layout/describe-layout.ts';
import type { Modifications } from '#core/resolve/apply-modifications.ts';
import type { FontRecord } from '#fonts/own-fonts.ts';
import type { InspectedImage } from '#images/inspect.ts';
import type { ExportOptions, Output } from '#output/formats.ts';
import type { StageTime } from '../trace.ts';

/** What is to be drawn or measured. */
export interface Subject {
  /** Whose turn it takes: those of one name draw one after the other where others wait too. */
  readonly turn: string;
  /** Names a template at one version. */
  readonly template: string;
  /** Names the faces that are its owner's own; '' when there are none. */
  readonly fonts: string;
  readonly modifications: Modifications;
  /** How long it is likely to hold a thread at a stretch, ms. */
  readonly time: number;
  /** By source: the ids of uploads that the owner may use, as far as they are known. */
  readonly uploads: Readonly<Record<string, string>>;
}

export interface DrawingJob extends Subject {
  readonly output: Output;
  readonly options: ExportOptions;
}

export interface Drawing {
  readonly bytes: Uint8Array;
  readonly diagnostics: readonly Diagnostic[];
  /** How long it took, where that was measured. */
  readonly stages?: readonly StageTime[];
}

export interface MeasuredLayout {
  readonly layout: SceneLayout;
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * What a job names, for whoever draws it. Each throws an AppError when it cannot be had. Bytes are given away: they may be
 * gone for whoever handed them over.
 */
export interface Supplies {
  /** JSON. */
  template(): Promise<string>;
  fonts(): Promise<readonly FontRecord[]>;
  /** An image by its source: its bytes, or the id of an upload that the owner may use, whose bytes never change. */
  image(source: string, signal: AbortSignal): Promise<Uint8Array | string>;
  /** The bytes of an upload that `image` has named. */
  upload(id: string, signal: AbortSignal): Promise<Uint8Array>;
}

/** What is known of an image file that was decoded once; px of the upright picture. */
export type InspectedFile = Pick<InspectedImage, 'format' | 'width' | 'height'>;

export interface RendererStatus {
  /** What is kept between renders by kind, bytes. */
  readonly keptBytes: readonly (readonly [kind: string, bytes: number])[];
  /** Jobs that use a processor, and that wait for one. */
  readonly running: number;
  readonly waiting: number;
}

export interface Renderer extends AsyncDisposable {
  /**
   * Draws with what it is supplied with. It ends soon after the signal is aborted, if not before.
   *
   * @throws ValidationError when a modification does not fit; AppError `invalid_request` or `url_not_allowed` naming a
   *   layer whose image cannot be had, `overloaded` when its turn did not come before the signal, `render_failed` when
   *   it came but was not enough
   */
  draw(job: DrawingJob, supplies: Supplies, signal: AbortSignal): Promise<Drawing>;
  /** Lays out a design template. @throws as `draw` */
  measure(subject: Subject, supplies: Supplies, signal: AbortSignal): Promise<MeasuredLayout>;
  /** What an image file is. @throws AppError as `inspectImage` */
  inspect(file: Uint8Array): Promise<InspectedFile>;
  /** Draws what nobody asked for, so that the first job takes no longer than those that follow. */
  warmUp(): Promise<void>;
  status(): Promise<RendererStatus>;
}
