// Saves the draft during work: at most two seconds late, and never over what somebody else saved.
//
// Unsaved changes are also kept in this browser, in case the tab crashes. A save that was never answered, as when the
// server is killed, may have been stored: this is checked before anything else is sent.

import { effect, type ReadonlySignal, signal } from '@preact/signals';
import { ApiError } from '../../shell/api.ts';
import type { By, Draft } from '../../shell/contract.ts';
import { texts } from '../../texts/editor.ts';
import type { RawDocument } from '../document/document.ts';
import type { DraftStore } from '../host.ts';

export type SaveState =
  | { readonly kind: 'saved'; readonly at: string | null }
  | { readonly kind: 'unsaved' }
  | { readonly kind: 'saving' }
  | { readonly kind: 'failed'; readonly message: string }
  /** Somebody else, or another tab, saved after this tab loaded. Nothing more is saved until the user chooses. */
  | { readonly kind: 'changed'; readonly by: By; readonly at: string | null };

/** ms after the last edit, and after the first unsaved one. */
const PAUSE = 600;
const LONGEST = 1_500;
const RETRY = 3_000;

interface Kept {
  readonly revision: number;
  readonly document: RawDocument;
  /** The last document sent, if its answer has not come yet. */
  readonly sent: RawDocument | null;
}

/** The document being edited. */
export interface Edited {
  readonly document: ReadonlySignal<RawDocument>;
  /** Replaces it by another document. */
  replace(document: RawDocument): void;
}

export class Autosave {
  readonly state = signal<SaveState>({ kind: 'saved', at: null });
  /** The newest published version. */
  readonly version = signal(0);
  readonly hasDraft = signal(false);
  readonly #drafts: DraftStore | null;
  readonly #editor: Edited;
  readonly #key: string;
  #revision: number;
  readonly #filled: (document: RawDocument) => RawDocument;
  #saved: RawDocument;
  /** The document that was sent and not answered: it is unknown whether the server has it. */
  #sent: RawDocument | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #retry: ReturnType<typeof setTimeout> | undefined;
  /** When the first edit was made that `#timer` will save. */
  #since = 0;
  #saving: Promise<void> | null = null;
  readonly #stop: () => void;
  readonly #onHide = () => {
    // The last event of a tab that is closed.
    if (document.visibilityState === 'hidden') void this.flush();
  };
  #isOver = false;

  /**
   * @param drafts null: nothing is ever saved, and changes stay in the tab
   * @param filled what the editor makes of a document that it opens
   */
  constructor(
    drafts: DraftStore | null,
    editor: Edited,
    draft: Draft,
    saved: RawDocument,
    filled = (document: RawDocument) => document,
  ) {
    this.#filled = filled;
    this.#drafts = drafts;
    this.#key = unsavedKey(drafts?.key ?? '');
    this.#editor = editor;
    this.#revision = draft.revision;
    this.#saved = saved;
    this.version.value = draft.baseVersion;
    this.hasDraft.value = draft.savedAt !== null;
    this.state.value = { kind: 'saved', at: draft.savedAt };
    this.#stop = drafts ? effect(() => this.#note(editor.document.value)) : () => {};
    document.addEventListener('visibilitychange', this.#onHide);
  }

  get #store(): DraftStore {
    if (!this.#drafts) throw new Error('This document is not saved.');
    return this.#drafts;
  }

  dispose(): void {
    this.#stop();
    document.removeEventListener('visibilitychange', this.#onHide);
    this.#isOver = true;
    clearTimeout(this.#retry);
    void this.flush();
  }

  /** Saves unsaved changes now. */
  async flush(): Promise<void> {
    this.#unschedule();
    const isNew = () => this.#drafts !== null && this.#editor.document.peek() !== this.#saved;
    // The page may be gone before the running save, of an older document, has ended.
    if (this.#saving && isNew()) this.#keep();
    await this.#saving;
    if (isNew() && this.state.peek().kind !== 'changed') await this.#save();
  }

  /** Publishes the draft as a version. @param over the version of somebody else that the draft knowingly replaces */
  async publish(note: string, over?: number): Promise<number> {
    await this.flush();
    const state = this.state.peek();
    if (state.kind !== 'saved') throw new Error(texts.value.panels.notPublished);
    // The draft must exist, even if nothing changed since the last version.
    if (!this.hasDraft.peek()) await this.#save();
    const answer = await this.#store.publish(note, over, this.#revision);
    this.#revision = answer.revision;
    this.version.value = answer.version;
    this.hasDraft.value = false;
    this.state.value = { kind: 'saved', at: answer.createdAt };
    return answer.version;
  }

  /** Takes what the other person saved and discards the changes made here. */
  async loadTheirs(): Promise<void> {
    const draft = await this.#store.read();
    this.#revision = draft.revision;
    this.#saved = this.#filled(draft.document as unknown as RawDocument);
    this.#sent = null;
    this.version.value = draft.baseVersion;
    this.hasDraft.value = draft.savedAt !== null;
    this.state.value = { kind: 'saved', at: draft.savedAt };
    this.#forget();
    this.#editor.replace(this.#saved);
  }

  /** Saves the changes made here as a new template; returns its id. */
  async saveAsCopy(): Promise<string> {
    const document = this.#editor.document.peek();
    const id = await this.#store.copy({ ...document, name: `${document.name} (copy)`.slice(0, 200) });
    this.#forget();
    return id;
  }

  #note(document: RawDocument): void {
    if (document === this.#saved) {
      this.#unschedule();
      if (this.state.peek().kind === 'unsaved') this.state.value = { kind: 'saved', at: null };
      return;
    }
    if (this.state.peek().kind === 'changed') {
      this.#keep();
      return;
    }
    const now = performance.now();
    if (this.#timer === undefined) this.#since = now;
    // After a failed save the state stays `failed` until a save succeeds, even while typing.
    if (this.state.peek().kind !== 'failed') this.state.value = { kind: 'unsaved' };
    this.#unschedule();
    this.#timer = setTimeout(
      () => {
        this.#timer = undefined;
        // Each save keeps what it sends, but the running one sent an older document.
        if (this.#saving) this.#keep();
        else void this.#save();
      },
      Math.max(0, Math.min(PAUSE, this.#since + LONGEST - now)),
    );
  }

  #unschedule(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #save(): Promise<void> {
    this.#saving ??= this.#put().finally(() => {
      this.#saving = null;
      // Edits made during the save.
      if (this.state.peek().kind === 'saved') this.#note(this.#editor.document.peek());
    });
    return this.#saving;
  }

  async #put(): Promise<void> {
    clearTimeout(this.#retry);
    // A second save of the same document would follow what is published in the meantime.
    this.#unschedule();
    if (this.state.peek().kind !== 'failed') this.state.value = { kind: 'saving' };
    try {
      if (this.#sent !== null) await this.#learn(this.#sent);
      const answer = await this.#send(this.#editor.document.peek());
      this.state.value = { kind: 'saved', at: answer };
    } catch (error) {
      this.#keep();
      if (error instanceof ApiError && error.status === 412) {
        const { savedBy = null, savedAt = null } = error.detail as { savedBy?: By; savedAt?: string };
        this.state.value = { kind: 'changed', by: savedBy, at: savedAt };
        return;
      }
      this.state.value = { kind: 'failed', message: error instanceof Error ? error.message : String(error) };
      if (!this.#isOver) this.#retry = setTimeout(() => void this.#save(), RETRY);
    }
  }

  /** @returns when it was stored */
  async #send(document: RawDocument): Promise<string> {
    this.#sent = document;
    this.#keep();
    try {
      const answer = await this.#store.save(document, this.version.peek(), this.#revision);
      this.#took(document, answer.revision);
      if (this.#editor.document.peek() === document) this.#forget();
      else this.#keep();
      return answer.savedAt;
    } catch (error) {
      // A 4xx answer is certain not to have stored it; no answer, or one from a proxy, is not.
      if (error instanceof ApiError && error.status >= 400 && error.status < 500) this.#sent = null;
      throw error;
    }
  }

  /**
   * Checks whether the server has the document that was sent and never answered. If it has anything else, the next save
   * reports it.
   */
  async #learn(sent: RawDocument): Promise<void> {
    const draft = await this.#store.read();
    if (isStored(sent, this.#revision, draft)) this.#took(sent, draft.revision);
  }

  #took(document: RawDocument, revision: number): void {
    this.#revision = revision;
    this.#saved = document;
    this.#sent = null;
    this.hasDraft.value = true;
  }

  #keep(): void {
    try {
      const kept: Kept = { revision: this.#revision, document: this.#editor.document.peek(), sent: this.#sent };
      localStorage.setItem(this.#key, JSON.stringify(kept));
    } catch {
      // Too large for this browser's storage. The server will have it within two seconds.
    }
  }

  #forget(): void {
    localStorage.removeItem(this.#key);
  }
}

const unsavedKey = (templateId: string) => `platen-unsaved ${templateId}`;

/** The unsaved document of a tab that crashed, if nobody has saved since. */
export function unsavedDocument(templateId: string, draft: Draft): RawDocument | null {
  try {
    const kept: Kept | null = JSON.parse(localStorage.getItem(unsavedKey(templateId)) ?? 'null');
    if (kept === null) return null;
    const isNewest = kept.revision === draft.revision || (kept.sent && isStored(kept.sent, kept.revision, draft));
    return isNewest ? kept.document : null;
  } catch {
    return null;
  }
}

/** Whether the draft is the document that was sent on top of `revision`. */
function isStored(sent: RawDocument, revision: number, draft: Draft): boolean {
  return draft.revision === revision + 1 && JSON.stringify(draft.document) === JSON.stringify(sent);
}
