// A signal that follows another at intervals while something is busy: for views that need not update at once.

import { type ReadonlySignal, signal } from '@preact/signals';

/**
 * The source's values; while `isBusy`, one every `pause` ms and the last one when it ends.
 *
 * @returns the signal, and a function that stops it
 */
export function throttledSignal<T>(
  source: ReadonlySignal<T>,
  isBusy: ReadonlySignal<boolean>,
  pause: number,
): { readonly value: ReadonlySignal<T>; readonly stop: () => void } {
  const value = signal(source.peek());
  let timer: ReturnType<typeof setTimeout> | undefined;
  const take = () => {
    clearTimeout(timer);
    timer = undefined;
    value.value = source.peek();
  };
  const stops = [
    source.subscribe(() => {
      if (!isBusy.peek()) take();
      else timer ??= setTimeout(take, pause);
    }),
    isBusy.subscribe((busy) => {
      if (!busy) take();
    }),
  ];
  return {
    value,
    stop: () => {
      clearTimeout(timer);
      for (const stop of stops) stop();
    },
  };
}
