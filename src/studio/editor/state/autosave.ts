// Saves the draft while one works: at most two seconds behind, never over what somebody else saved.
//
// What is not saved yet is also kept in this browser, so that a tab that dies loses nothing.

import { effect, signal } from '@preact/signals';
import { ApiError, accountPath, call, get, post } from '../../shell/api.ts';
import type { By, Draft } from '../../shell/contract.ts';
import type { RawDocument } from '../document/document.ts';
import type { EditorState } from './editor-state.ts';

export type SaveState =
  | { readonly kind: 'saved'; readonly at: string | null }
  | { readonly kind: 'unsaved' }
  | { readonly kind: 'saving' }
  | { readonly kind: 'failed'; readonly message: string }
  /** Somebody else, or another tab, saved after this tab loaded. Nothing is saved any more until one chooses. */
  | { readonly kind: 'changed'; readonly by: By; readonly at: string | null };

/** ms after the last edit, and after the first that is not saved. */
const PAUSE = 600;
const LONGEST = 1_500;
const RETRY = 3_000;

interface Kept {
  readonly revision: number;
  readonly document: RawDocument;
}

export class Autosave {
  readonly state = signal<SaveState>({ kind: 'saved', at: null });
  /** The newest version that was published. */
  readonly version = signal(0);
  readonly hasDraft = signal(false);
  readonly #path: string;
  readonly #editor: EditorState;
  readonly #key: string;
  readonly #mayEdit: boolean;
  #revision: number;
  #saved: RawDocument;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #since = 0;
  #saving: Promise<void> | null = null;
  readonly #stop: () => void;

  /** @param mayEdit false: nothing is ever saved, and what one tries out stays in the tab */
  constructor(
    accountId: string,
    templateId: string,
    editor: EditorState,
    draft: Draft,
    saved: RawDocument,
    mayEdit: boolean,
  ) {
    this.#path = accountPath(accountId, 'templates', templateId);
    this.#key = unsavedKey(templateId);
    this.#editor = editor;
    this.#revision = draft.revision;
    this.#saved = saved;
    this.version.value = draft.baseVersion;
    this.hasDraft.value = draft.savedAt !== null;
    this.state.value = { kind: 'saved', at: draft.savedAt };
    this.#mayEdit = mayEdit;
    this.#stop = mayEdit ? effect(() => this.#note(editor.document.value)) : () => {};
  }

  dispose(): void {
    this.#stop();
    clearTimeout(this.#timer);
    void this.flush();
  }

  /** Saves now what is not saved. */
  async flush(): Promise<void> {
    clearTimeout(this.#timer);
    await this.#saving;
    const isNew = this.#mayEdit && this.#editor.document.peek() !== this.#saved;
    if (isNew && this.state.peek().kind !== 'changed') await this.#save();
  }

  /** Makes a version of the draft. @param over the version of somebody else that one goes on over */
  async publish(note: string, over?: number): Promise<number> {
    await this.flush();
    const state = this.state.peek();
    if (state.kind !== 'saved') throw new Error('The draft could not be saved, so it was not published.');
    // The draft must be there, also when nothing changed since the last version.
    if (!this.hasDraft.peek()) await this.#save();
    const answer = await call<{ version: number; revision: number; createdAt: string }>(
      'POST',
      `${this.#path}/publish`,
      {
        body: { ...(note === '' ? {} : { note }), ...(over === undefined ? {} : { over }) },
        headers: { 'if-match': `"${this.#revision}"` },
      },
    );
    this.#revision = answer.revision;
    this.version.value = answer.version;
    this.hasDraft.value = false;
    this.state.value = { kind: 'saved', at: answer.createdAt };
    return answer.version;
  }

  /** Takes what the other saved; what was done here goes. */
  async loadTheirs(): Promise<void> {
    const draft = await get<Draft>(`${this.#path}/draft`);
    this.#revision = draft.revision;
    this.#saved = draft.document as unknown as RawDocument;
    this.version.value = draft.baseVersion;
    this.hasDraft.value = draft.savedAt !== null;
    this.state.value = { kind: 'saved', at: draft.savedAt };
    this.#forget();
    this.#editor.replace(this.#saved);
  }

  /** Keeps what was done here as a template of its own; its id. */
  async saveAsCopy(): Promise<string> {
    const document = this.#editor.document.peek();
    const accountTemplates = this.#path.slice(0, this.#path.lastIndexOf('/'));
    const copy = await post<{ id: string }>(accountTemplates, {
      document: { ...document, name: `${document.name} (copy)`.slice(0, 200) },
    });
    this.#forget();
    return copy.id;
  }

  #note(document: RawDocument): void {
    if (document === this.#saved) {
      if (this.state.peek().kind === 'unsaved') this.state.value = { kind: 'saved', at: null };
      return;
    }
    if (this.state.peek().kind === 'changed') {
      this.#keep();
      return;
    }
    const now = performance.now();
    if (this.state.peek().kind !== 'unsaved') {
      this.#since = now;
      this.state.value = { kind: 'unsaved' };
    }
    clearTimeout(this.#timer);
    this.#timer = setTimeout(
      () => {
        this.#keep();
        void this.#save();
      },
      Math.max(0, Math.min(PAUSE, this.#since + LONGEST - now)),
    );
  }

  #save(): Promise<void> {
    this.#saving ??= this.#put().finally(() => {
      this.#saving = null;
      // What was done meanwhile.
      if (this.state.peek().kind === 'saved') this.#note(this.#editor.document.peek());
    });
    return this.#saving;
  }

  async #put(): Promise<void> {
    const document = this.#editor.document.peek();
    this.state.value = { kind: 'saving' };
    try {
      const answer = await call<{ revision: number; savedAt: string }>('PUT', `${this.#path}/draft`, {
        body: { document, ...(this.version.peek() > 0 ? { baseVersion: this.version.peek() } : {}) },
        headers: { 'if-match': `"${this.#revision}"` },
      });
      this.#revision = answer.revision;
      this.#saved = document;
      this.hasDraft.value = true;
      this.state.value = { kind: 'saved', at: answer.savedAt };
      this.#forget();
    } catch (error) {
      this.#keep();
      if (error instanceof ApiError && error.status === 412) {
        const { savedBy = null, savedAt = null } = error.detail as { savedBy?: By; savedAt?: string };
        this.state.value = { kind: 'changed', by: savedBy, at: savedAt };
        return;
      }
      this.state.value = { kind: 'failed', message: error instanceof Error ? error.message : String(error) };
      clearTimeout(this.#timer);
      this.#timer = setTimeout(() => void this.#save(), RETRY);
    }
  }

  #keep(): void {
    try {
      const kept: Kept = { revision: this.#revision, document: this.#editor.document.peek() };
      localStorage.setItem(this.#key, JSON.stringify(kept));
    } catch {
      // Too large for this browser's storage: the server has it in two seconds.
    }
  }

  #forget(): void {
    localStorage.removeItem(this.#key);
  }
}

const unsavedKey = (templateId: string) => `platen-unsaved ${templateId}`;

/** What a tab that died had not saved, if nobody has saved since. */
export function unsavedDocument(templateId: string, revision: number): RawDocument | null {
  try {
    const kept: Kept | null = JSON.parse(localStorage.getItem(unsavedKey(templateId)) ?? 'null');
    return kept?.revision === revision ? kept.document : null;
  } catch {
    return null;
  }
}
