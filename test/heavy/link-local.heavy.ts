// Tests that PLATEN_ALLOW_LINK_LOCAL is a flag of its own: allowed private networks do not open what it guards.

import { beforeAll, describe, expect, test } from 'vitest';
import { hasChromium } from '../server/chromium/chromium.ts';
import type { LinkLocalReport } from './link-local-lab.ts';
import { canUnshare, printedInNamespace } from './network-namespace.ts';

const isUnreachable = (name: string) => name.endsWith('[fe80::1]');

describe.skipIf(!hasChromium || !canUnshare)(
  'metadata and link-local addresses, in networks that are let through',
  () => {
    let report: LinkLocalReport;
    beforeAll(async () => {
      report = (await printedInNamespace('link-local-lab.ts', 120_000)) as LinkLocalReport;
    }, 130_000);

    test('are denied without the flag, to pages, images and webhooks, and to what those redirect to and embed', () => {
      const answers = Object.entries(report.withoutFlag);
      expect(answers).toHaveLength(24);
      for (const [name, answer] of answers) {
        // The page is captured without the image that is denied.
        const expected = name.startsWith('image of a page')
          ? [200, null, false]
          : [400, expect.stringMatching(/URL not allowed\.|its host (cannot be found|is )/), false];
        expect(answer, name).toEqual(expected);
      }
    });
    test('are reached with it', () => {
      for (const [name, [status, error, isHeard]] of Object.entries(report.withFlag)) {
        if (isUnreachable(name)) continue;
        expect([status, error, isHeard], name).toEqual([name.startsWith('webhook') ? 202 : 200, null, true]);
      }
    });
    test('an address that needs an interface is dialled with it, in vain', () => {
      const errors = Object.entries(report.withFlag).flatMap(([name, [, error]]) =>
        isUnreachable(name) ? [error] : [],
      );
      expect(errors).toHaveLength(6);
      for (const error of errors) expect(error ?? '').not.toMatch('not allowed');
    });
  },
);
