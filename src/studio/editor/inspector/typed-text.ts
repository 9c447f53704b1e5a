// Text that was typed into a field and is not a value yet. It stays there to be corrected, but only for the layers that
// it was typed for.

import { createContext } from 'preact';
import { useContext, useState } from 'preact/hooks';

/** Names the layers that the fields show, so that a field notices that others were selected. */
export const ShownLayers = createContext('');

/** The typed text, or null where the field shows its value; and what sets it. */
export function useTyped(): readonly [typed: string | null, setTyped: (text: string | null) => void] {
  const layers = useContext(ShownLayers);
  const [given, setGiven] = useState<{ readonly text: string; readonly layers: string } | null>(null);
  return [given?.layers === layers ? given.text : null, (text) => setGiven(text === null ? null : { text, layers })];
}
