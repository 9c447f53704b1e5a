// Finds the known name that a misspelt one most likely means.

import { quoted } from './diagnostics.ts';

/** The most pairs of letters that are compared; after that, no further candidates are tried. */
const MOST_PAIRS = 50_000;

/**
 * The candidate with the fewest edits from `name`, ignoring case, or null when even that is not a likely typing error:
 * more than a third of the letters, and more than one, would have to change. Edits are those of optimal string
 * alignment: insert, delete, replace, swap neighbours.
 */
export function nearestName(name: string, candidates: Iterable<string>): string | null {
  const wanted = name.toLowerCase().slice(0, 100);
  let best: string | null = null;
  let bestDistance = Math.max(1, Math.floor(wanted.length / 3)) + 1;
  let pairs = 0;
  for (const candidate of candidates) {
    const other = candidate.toLowerCase();
    if (Math.abs(other.length - wanted.length) >= bestDistance) continue;
    pairs += wanted.length * other.length;
    if (pairs > MOST_PAIRS) break;
    const distance = editDistance(wanted, other);
    if (distance < bestDistance) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return best;
}

function editDistance(a: string, b: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1;
      let cost = Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (last[j - 1] ?? 0) + same);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        cost = Math.min(cost, (beforeLast[j - 2] ?? 0) + 1);
      }
      row.push(cost);
    }
    beforeLast = last;
    last = row;
  }
  return last[b.length] ?? 0;
}

/** A name that there is not, in quotes, with the nearest of those that there are. */
export function didYouMean(name: string, known: Iterable<string>): string {
  const near = nearestName(name, known);
  return quoted(name) + (near === null ? '' : `; did you mean ${JSON.stringify(near)}?`);
}
