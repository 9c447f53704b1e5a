// Tests how errors of a page that navigated away are told from other failures.

import { ProtocolError } from 'puppeteer-core';
import { expect, test } from 'vitest';
import { isDocumentLost } from '#server/chromium/isolated-world.ts';

function check(error: Error, expected: boolean): void {
  test(`${error.constructor.name}: ${error.message}`, () => expect(isDocumentLost(error)).toBe(expected));
}

check(new ProtocolError('Protocol error (Runtime.callFunctionOn): Cannot find context with specified id'), true);
check(new ProtocolError('Protocol error (Runtime.callFunctionOn): Execution context was destroyed.'), true);
check(new ProtocolError('Protocol error (Page.captureScreenshot): Not attached to an active page'), true);
check(new ProtocolError('Protocol error (Page.captureScreenshot): Unable to capture screenshot'), false);
// The same text in an error of the page itself does not come from Chromium.
check(new Error('Execution context was destroyed.'), false);
