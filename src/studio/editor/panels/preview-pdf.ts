// Shows the template as the PDF that is drawn of it.

import type { EditorState } from '../core/state/editor-state.ts';

/** Shows the file in a new tab, or in this one if the browser opens none. */
export async function previewPdf(editor: EditorState): Promise<void> {
  // Opened immediately, because browsers allow a new window only during a click and not after an answer arrives.
  const opened = window.open('', '_blank');
  const modifications = editor.values.peek();
  const document = editor.document.peek();
  try {
    const address = URL.createObjectURL(await editor.host.draw(document, { modifications, output: 'pdf' }));
    if (!opened) return location.assign(address);
    opened.location.href = address;
    revokeOnceClosed(address, opened);
  } catch (error) {
    opened?.close();
    editor.host.tellError(error);
  }
}

/** ms between two looks at whether a tab was closed, which causes no event. */
const LOOK = 2_000;

/** Not before: the tab may load the file again, or save it. */
function revokeOnceClosed(address: string, tab: Window): void {
  const timer = setInterval(() => {
    if (!tab.closed) return;
    clearInterval(timer);
    URL.revokeObjectURL(address);
  }, LOOK);
}
