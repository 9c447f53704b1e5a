// Ranks the passages of the documentation for a query: whole words before their beginnings, headings before text, rare
// words before common ones. Also finds synonyms, and the nearest known word for a misspelt one.

/** Words that mean the same to somebody who searches. */
const SYNONYMS = [
  ['auth', 'authorization', 'bearer', 'key', 'token'],
  ['binary', 'bytes', 'file'],
  ['bucket', 's3'],
  ['bulk', 'batch'],
  ['callback', 'webhook'],
  ['container', 'docker'],
  ['custom', 'own'],
  ['cors', 'cross-origin', 'access-control-allow-origin'],
  ['delete', 'remove'],
  ['dpi', 'density', 'resolution', 'retina', 'scale'],
  ['env', 'environment', 'variables', 'configuration'],
  ['hmac', 'sig', 'signature', 'signing'],
  ['inline', 'request'],
  ['login', 'password', 'sign-in'],
  ['many', 'multi', 'multiple', 'several'],
  ['metrics', 'monitoring', 'prometheus'],
  ['permission', 'rights', 'scope'],
  ['photo', 'picture', 'image'],
  ['plan', 'quota', 'billing', 'price'],
  ['postgres', 'postgresql'],
  ['puppeteer', 'playwright', 'chromium', 'browser'],
  ['queue', 'async', 'job'],
  ['sso', 'oidc', 'saml', 'sign-on'],
  ['throttling', 'rate', 'limit'],
  ['typeface', 'font'],
  ['upgrade', 'update'],
];

const wordsOf = (text) => text.toLowerCase().match(/[\p{L}\p{N}][\p{L}\p{N}_-]*/gu) ?? [];

/** How often each word of a text occurs; the parts of joined words count too. */
function counted(text) {
  const counts = new Map();
  const add = (word) => counts.set(word, (counts.get(word) ?? 0) + 1);
  for (const word of wordsOf(text)) {
    add(word);
    if (/[_-]/.test(word)) for (const part of word.split(/[_-]+/)) if (part !== '') add(part);
  }
  return counts;
}

/** @param passages as {title, anchor, heading, text} */
export function searchIndex(passages) {
  const entries = passages.map((passage) => ({
    passage,
    heading: counted(passage.heading),
    title: counted(passage.title),
    text: counted(passage.text),
  }));
  /** Word → number of passages that contain it. */
  const vocabulary = new Map();
  for (const { heading, title, text } of entries) {
    for (const word of new Set([...heading.keys(), ...title.keys(), ...text.keys()])) {
      vocabulary.set(word, (vocabulary.get(word) ?? 0) + 1);
    }
  }
  return { entries, vocabulary };
}

/** The best passages first, at most `limit`. */
export function search({ entries, vocabulary }, query, limit = 8) {
  const words = wordsOf(query).flatMap((word) => parted(word, vocabulary));
  const asked = [...new Set(words)].slice(0, 8).map((word) => alternatives(word, vocabulary));
  if (asked.length === 0) return [];
  return entries
    .map((entry) => ({ passage: entry.passage, points: score(entry, asked, entries.length) }))
    .filter(({ points }) => points > 0)
    .sort((a, b) => b.points - a.points)
    .slice(0, limit)
    .map(({ passage }) => passage);
}

/** Two known words that were written as one, as in "multi-page" and "nextjs"; else the word. */
function parted(word, vocabulary) {
  const isKnown = (part) => vocabulary.has(part) || SYNONYMS.some((group) => group.includes(part));
  if (isKnown(word) || [...vocabulary.keys()].some((known) => known.startsWith(word))) return [word];
  for (let at = 3; at <= word.length - 2; at += 1) {
    const parts = [word.slice(0, at), word.slice(at).replace(/^[_-]/, '')];
    if (parts.every(isKnown)) return parts;
  }
  return [word];
}

/** Known words for a word of the query, each with its weight (0 to 1) and the number of passages that contain it. */
function alternatives(word, vocabulary) {
  const found = new Map();
  const add = (known, weight) => found.set(known, Math.max(found.get(known) ?? 0, weight));
  const beginnings = (start, weight) => {
    for (const known of vocabulary.keys()) {
      if (known === start) add(known, weight);
      // "pages" finds "page" too.
      else if (known.startsWith(start) || start === `${known}s`) add(known, weight * 0.7);
    }
  };
  beginnings(word, 1);
  const singular = word.replace(/s$/, '');
  for (const group of SYNONYMS) {
    if (!group.includes(word) && !group.includes(singular)) continue;
    for (const other of group) if (other !== word) beginnings(other, 0.6);
  }
  if (found.size === 0) {
    const most = word.length < 4 ? 0 : word.length < 7 ? 1 : 2;
    for (const known of vocabulary.keys()) {
      // Of a word that is still being typed, the beginning.
      const near = [known, known.slice(0, word.length)].some((text) => editDistance(word, text, most) <= most);
      if (near) add(known, 0.5);
    }
  }
  return [...found].map(([known, weight]) => ({ known, weight, passages: vocabulary.get(known) ?? 1 }));
}

function score({ heading, title, text, passage }, asked, all) {
  let sum = 0;
  let matched = 0;
  for (const words of asked) {
    let best = 0;
    for (const { known, weight, passages } of words) {
      const inHeading = heading.has(known) ? 8 / Math.sqrt(heading.size) : 0;
      const inTitle = title.has(known) ? 3 / Math.sqrt(title.size) : 0;
      const inText = text.has(known) ? 1 + Math.log(text.get(known)) : 0;
      const rare = Math.log(1 + all / passages);
      best = Math.max(best, weight * rare * (inHeading + inTitle + inText));
    }
    if (best > 0) matched += 1;
    sum += best;
  }
  const share = matched / asked.length;
  // Whoever searches the documentation writes to the public API more often than to the studio's.
  const rank = passage.anchor === '' ? 1.1 : /^studio[A-Z]/.test(passage.anchor) ? 0.5 : 1;
  return sum * share * share * rank;
}

/** Insertions, deletions, replacements and swaps of neighbours; `most` + 1 when there are more. */
function editDistance(a, b, most) {
  if (Math.abs(a.length - b.length) > most) return most + 1;
  let before = [];
  let last = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= b.length; j += 1) {
      row[j] = Math.min(last[j] + 1, row[j - 1] + 1, last[j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        row[j] = Math.min(row[j], before[j - 2] + 1);
    }
    before = last;
    last = row;
  }
  return last[b.length];
}
