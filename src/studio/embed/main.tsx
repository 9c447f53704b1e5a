// Starts the editor in a page of another site: waits for its token, opens the document, and tells the page what happens.

import '../editor/no-eval.ts';
import '@preact/signals';
import { render } from 'preact';
import '../shell/tokens.css';
import '../shell/base.css';
import '../shell/layout.css';
import { ErrorPanel } from '../parts/states.tsx';
import { texts } from '../texts/editor.ts';
import { applyLook } from './look.ts';
import { pageAround } from './page-around.ts';

const around = await pageAround();
// Without its texts the editor is in English.
await applyLook(around.opening.look, document.documentElement).catch(() => {});
await import('./open.tsx').then(({ openEmbedded }) => openEmbedded(around, document.body)).catch(showFailure);

function showFailure(error: unknown): void {
  const message = error instanceof Error ? error.message : String(error);
  around.tell('error', { message });
  render(
    <main class="lone">
      <h1>{texts.value.embed.expired}</h1>
      <ErrorPanel error={error instanceof Error ? error : new Error(message)} />
    </main>,
    document.body,
  );
}
