// What was typed or chosen in a field and is not a value yet. It stays there to be completed, but only for the layers that
// it was meant for.

import { createContext } from 'preact';
import { useContext, useState } from 'preact/hooks';

/** Names the layers that the fields show, so that a field notices that others were selected. */
export const ShownLayers = createContext('');

/** What was typed, or null where the field shows its value; and what sets it. */
export function useTyped<T = string>(): readonly [typed: T | null, setTyped: (typed: T | null) => void] {
  const layers = useContext(ShownLayers);
  const [given, setGiven] = useState<{ readonly typed: T; readonly layers: string } | null>(null);
  return [
    given?.layers === layers ? given.typed : null,
    (typed) => setGiven(typed === null ? null : { typed, layers }),
  ];
}
