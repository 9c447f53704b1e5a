// Tests that nothing a page tries reaches a canary: no connection, no datagram and no DNS query.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { hasChromium } from '../server/chromium/chromium.ts';
import type { BareReport, GuardedReport } from './canary-lab.ts';
import { HOSTILE_PAGES, WITHOUT_ATTEMPT, WITHOUT_ATTEMPT_IN_SHELL } from './hostile-pages.ts';
import { canUnshare, printedInNamespace } from './network-namespace.ts';

const corpus: { page_cases: readonly { id: string }[] } = JSON.parse(
  readFileSync(join(import.meta.dirname, '../corpora/ssrf.json'), 'utf8'),
);
/** Covered by tests of the proxy itself, as a page cannot produce these cases. */
const ELSEWHERE = ['P47'];

test('every case of the corpus has a page', () => {
  const numbers = new Set(Object.keys(HOSTILE_PAGES).map((id) => id.slice(0, 3)));
  expect(corpus.page_cases.map(({ id }) => id).filter((id) => !numbers.has(id) && !ELSEWHERE.includes(id))).toEqual([]);
});

describe.skipIf(!hasChromium || !canUnshare)('in network namespaces full of canaries', () => {
  let guarded: GuardedReport;
  let bare: BareReport;
  beforeAll(async () => {
    // Each in a namespace of its own, at the same time: pages are mostly waited for.
    const show = (browser: string) => printedInNamespace('canary-lab.ts', 500_000, browser);
    [guarded, bare] = (await Promise.all([show('guarded'), show('bare')])) as [GuardedReport, BareReport];
  }, 520_000);

  test('the canaries hear a browser without the guard', () => {
    const kinds = Object.values(bare.hits).flatMap(Object.keys);
    expect(kinds.filter((kind) => kind.startsWith('tcp')).length).toBeGreaterThan(5);
    expect(
      kinds.some((kind) => kind.startsWith('dns ')),
      'DNS',
    ).toBe(true);
    expect(
      kinds.some((kind) => /^udp .* 3478$/.test(kind)),
      'STUN',
    ).toBe(true);
  });
  test('each page makes an attempt that is heard there, but for those that are named', () => {
    const unheard = Object.keys(HOSTILE_PAGES).filter((id) => Object.keys(bare.hits[id] ?? {}).length === 0);
    const named = { ...WITHOUT_ATTEMPT, ...(bare.isShell ? WITHOUT_ATTEMPT_IN_SHELL : {}) };
    expect(unheard.filter((id) => !(id in named))).toEqual([]);
  });
  test('the pages do try', () => {
    expect(guarded.reduce((sum, { refusals }) => sum + refusals, 0)).toBeGreaterThan(250);
  });
  for (const id of Object.keys(HOSTILE_PAGES)) {
    test(id, () => {
      const found = guarded.find((each) => each.id === id);
      expect(found?.hits).toEqual({});
      expect(found?.ms).toBeLessThan(35_000);
      // The page itself is captured, unless it navigates to a denied address.
      const goesAway = ['P23', 'P24', 'P39'].includes(id);
      expect(found?.outcome).toMatch(goesAway ? /^URL not allowed\.$/ : /^captured$/);
    });
  }
});
