// Starts the editor in a page of another site: waits for its token, opens the document, and tells the page what happens.

import './memory-storage.ts';
import '../editor/no-eval.ts';
import '@preact/signals';
import { render } from 'preact';
import '../shell/tokens.css';
import '../shell/base.css';
import '../shell/layout.css';
import { ErrorPanel } from '../parts/states.tsx';
import { applyLook } from './look.ts';
import { pageAround } from './page-around.ts';
import { say } from './words.ts';

const around = await pageAround();
applyLook(around.opening.look);
try {
  const { openEmbedded } = await import('./open.tsx');
  await openEmbedded(around, document.body);
} catch (error) {
  const message = error instanceof Error ? error.message : String(error);
  around.tell('error', { message });
  document.documentElement.lang = 'en';
  render(
    <main class="lone">
      <h1>{say('expired')}</h1>
      <ErrorPanel error={error instanceof Error ? error : new Error(message)} />
    </main>,
    document.body,
  );
}
