// The draft of an html template: its document, saved while one types, published when one says so.

import { signal } from '@preact/signals';
import { toast } from '../../parts/toast.tsx';
import { ApiError, accountPath, call } from '../../shell/api.ts';
import type { RawDocument } from '../document/document.ts';
import type { Opened } from '../editor.tsx';

const PAUSE = 800;

export class HtmlDraft {
  readonly document = signal<RawDocument>({ name: '', width: 1, height: 1 });
  readonly status = signal('Saved');
  readonly #path: string;
  #revision: number;
  #saved: RawDocument;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #saving: Promise<void> = Promise.resolve();

  constructor(accountId: string, templateId: string, { draft, document, saved }: Opened) {
    this.#path = accountPath(accountId, 'templates', templateId);
    this.#revision = draft.revision;
    this.#saved = saved;
    this.document.value = document;
  }

  set(part: Readonly<Record<string, unknown>>): void {
    this.document.value = { ...this.document.peek(), ...part };
    if (this.status.peek().startsWith('Somebody')) return;
    this.status.value = 'Saving…';
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.save(), PAUSE);
  }

  /** One after the other: each names the revision that the one before made. */
  save(): Promise<void> {
    clearTimeout(this.#timer);
    this.#saving = this.#saving.then(() => this.#put());
    return this.#saving;
  }

  async publish(): Promise<void> {
    // The draft must be there, also where nothing changed since the last version.
    this.#saved = this.document.peek() === this.#saved ? { ...this.#saved } : this.#saved;
    await this.save();
    if (this.status.peek() !== 'Saved') throw new Error(this.status.peek());
    const answer = await call<{ version: number; revision: number }>('POST', `${this.#path}/publish`, {
      body: {},
      headers: { 'if-match': `"${this.#revision}"` },
    });
    this.#revision = answer.revision;
    toast(`Version ${answer.version} is live.`);
  }

  dispose(): void {
    void this.save();
  }

  async #put(): Promise<void> {
    const document = this.document.peek();
    if (document === this.#saved) return;
    try {
      const answer = await call<{ revision: number }>('PUT', `${this.#path}/draft`, {
        body: { document },
        headers: { 'if-match': `"${this.#revision}"` },
      });
      this.#revision = answer.revision;
      this.#saved = document;
      this.status.value = 'Saved';
    } catch (error) {
      const isChanged = error instanceof ApiError && error.status === 412;
      this.status.value = isChanged
        ? 'Somebody else saved this template: reload the page'
        : `Not saved: ${error instanceof Error ? error.message : error}`;
    }
  }
}
