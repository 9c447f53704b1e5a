// The picture of a template with the values that are being typed: requested when they have settled, and only the last
// answer is shown.

import { useEffect, useState } from 'preact/hooks';
import type { TemplateDetail } from '../../shell/contract.ts';
import { drawTemplate } from '../../shell/drawn-file.ts';
import type { Values } from './values.ts';

/** ms without a change after which the picture is requested. */
const SETTLED = 250;
/** The most device px of the longer side. */
const LONGER_SIDE = 1_200;
/** Minimum scale of a render. */
const MIN_SCALE = 0.1;

export interface LivePreview {
  /** null before the first answer. */
  readonly blob: Blob | null;
  readonly warnings: readonly string[];
  /** Of the last request, if it failed. */
  readonly error: Error | null;
  /** Whether the picture is of earlier values. */
  readonly isStale: boolean;
}

export function useLivePreview(accountId: string, template: TemplateDetail, values: Values): LivePreview {
  const { id, version, width, height } = template;
  const [shown, setShown] = useState<LivePreview>({ blob: null, warnings: [], error: null, isStale: true });
  const modifications = JSON.stringify(values);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another version is another picture.
  useEffect(() => {
    const abort = new AbortController();
    setShown((before) => ({ ...before, isStale: true }));
    const timer = setTimeout(() => {
      const scale = Math.max(MIN_SCALE, Math.min(1, LONGER_SIDE / Math.max(width, height)));
      const request = { output: 'webp', scale, modifications: JSON.parse(modifications) as Values } as const;
      drawTemplate(accountId, id, request, abort.signal).then(
        ({ blob, warnings }) => {
          if (!abort.signal.aborted) setShown({ blob, warnings, error: null, isStale: false });
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
  }, [accountId, id, version, width, height, modifications]);
  return shown;
}
