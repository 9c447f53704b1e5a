// The picture of a template with the values that are being typed: requested when they have settled, and only the last
// answer is shown.

import { useEffect, useState } from 'preact/hooks';
import type { Choice } from '#design/choice.ts';
import type { TemplateDetail } from '../../shell/contract.ts';
import { type DrawnFile, drawTemplate } from '../../shell/drawn-file.ts';
import type { Values } from './values.ts';

/** ms without a change after which the picture is requested. */
const SETTLED = 250;
/** The most device px of the longer side. */
const LONGER_SIDE = 1_200;
/** Minimum scale of a render. */
const MIN_SCALE = 0.1;

export interface LivePreview extends Omit<DrawnFile, 'blob'> {
  /** null before the first answer. */
  readonly blob: Blob | null;
  /** Of the last request, if it failed. */
  readonly error: Error | null;
  /** Whether the picture is of earlier values. */
  readonly isStale: boolean;
}

/** What is shown: the size's sides, px, and what a request says of it. */
export interface ShownView {
  readonly width: number;
  readonly height: number;
  readonly choice: Choice;
}

export function useLivePreview(
  accountId: string,
  { id, version }: TemplateDetail,
  { width, height, choice }: ShownView,
  values: Values,
): LivePreview {
  const [shown, setShown] = useState<LivePreview>({ blob: null, warnings: [], pages: 1, error: null, isStale: true });
  const request = JSON.stringify({ ...choice, modifications: values });
  // biome-ignore lint/correctness/useExhaustiveDependencies: another version is another picture.
  useEffect(() => {
    const abort = new AbortController();
    setShown((before) => ({ ...before, isStale: true }));
    const timer = setTimeout(() => {
      const scale = Math.max(MIN_SCALE, Math.min(1, LONGER_SIDE / Math.max(width, height)));
      const file = { output: 'webp', scale, ...(JSON.parse(request) as object) } as const;
      drawTemplate(accountId, id, file, abort.signal).then(
        (drawn) => {
          if (!abort.signal.aborted) setShown({ ...drawn, error: null, isStale: false });
        },
        (err: unknown) => {
          if (abort.signal.aborted) return;
          const error = err instanceof Error ? err : new Error(String(err));
          setShown((before) => ({ ...before, error, isStale: true }));
        },
      );
    }, SETTLED);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [accountId, id, version, width, height, request]);
  return shown;
}
