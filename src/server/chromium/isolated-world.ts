// Runs functions inside a page in an isolated world: they see its document, while its scripts do not see them.
//
// A page may still return wrong values to them, so results are validated like all external input.

import type { CDPSession, ProtocolError } from 'puppeteer-core';

const LOST =
  /Cannot find context|context was destroyed|Inspected target navigated|No frame for given id|Not attached to an active page/;

/** Whether a call to a page failed because the page navigated to another document meanwhile. */
export function isDocumentLost(error: unknown): error is ProtocolError {
  // By name: importing the class would load the whole library, even where no browser is ever started.
  return error instanceof Error && error.name === 'ProtocolError' && LOST.test(error.message);
}

export class IsolatedWorld {
  readonly #cdp: CDPSession;
  readonly #context: number;

  /**
   * Opens a world in the present document; the next navigation ends it.
   *
   * @param frame its id; the main frame by default
   */
  static async open(cdp: CDPSession, frame?: string): Promise<IsolatedWorld> {
    const frameId = frame ?? (await cdp.send('Page.getFrameTree')).frameTree.frame.id;
    const world = { frameId, worldName: 'platen', grantUniveralAccess: false };
    const { executionContextId } = await cdp.send('Page.createIsolatedWorld', world);
    return new IsolatedWorld(cdp, executionContextId);
  }

  private constructor(cdp: CDPSession, context: number) {
    this.#cdp = cdp;
    this.#context = context;
  }

  /**
   * Calls a function that uses only its arguments and the page. Arguments and result must be JSON values.
   *
   * @throws ProtocolError recognised by `isDocumentLost` when the page navigates; Error when the function throws
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
