// Functions run inside a page, in a world of their own: they see its document, and its scripts do not see them.
//
// A page may still hold wrong values for them, so that what comes back is judged like all that comes from outside.

import type { CDPSession, ProtocolError } from 'puppeteer-core';

const LOST =
  /Cannot find context|context was destroyed|Inspected target navigated|No frame for given id|Not attached to an active page/;

/** Whether a call to a page failed because the page went to another document meanwhile. */
export function isDocumentLost(error: unknown): error is ProtocolError {
  // By its name: the class would bring the whole library along, also where no browser is ever started.
  return error instanceof Error && error.name === 'ProtocolError' && LOST.test(error.message);
}

export class IsolatedWorld {
  readonly #cdp: CDPSession;
  readonly #context: number;

  /** In the document that the page shows now; the next navigation ends it. */
  static async open(cdp: CDPSession): Promise<IsolatedWorld> {
    const { frameTree } = await cdp.send('Page.getFrameTree');
    const world = { frameId: frameTree.frame.id, worldName: 'platen', grantUniveralAccess: false };
    const { executionContextId } = await cdp.send('Page.createIsolatedWorld', world);
    return new IsolatedWorld(cdp, executionContextId);
  }

  private constructor(cdp: CDPSession, context: number) {
    this.#cdp = cdp;
    this.#context = context;
  }

  /**
   * Calls a function that uses nothing but its arguments and the page; both ways only what JSON can say passes.
   *
   * @throws ProtocolError that `isDocumentLost` knows when the page goes elsewhere; Error when the function throws
   */
  async call<A extends readonly unknown[]>(body: (...args: A) => unknown, ...args: A): Promise<unknown> {
    const { result, exceptionDetails } = await this.#cdp.send('Runtime.callFunctionOn', {
      functionDeclaration: body.toString(),
      executionContextId: this.#context,
      arguments: args.map((value) => ({ value })),
      returnByValue: true,
      awaitPromise: true,
    });
    if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
    return result.value;
  }
}
