// Saves the draft during work: at most two seconds late, and never over what somebody else saved.
//
// Unsaved changes are also kept in this browser, in case the tab crashes. A save that was never answered, as when the
// server is killed, may have been stored: this is checked before anything else is sent.

import { effect, type ReadonlySignal, signal } from '@preact/signals';
import type { By, Draft } from '../../../shell/contract.ts';
import { texts } from '../../../texts/editor.ts';
import { type Clock, type Kept, keep, readKept } from '../clock.ts';
import type { RawDocument } from '../document/document.ts';
import type { DraftStore } from '../host.ts';

export type SaveState =
  | { readonly kind: 'saved'; readonly at: string | null }
  | { readonly kind: 'unsaved' }
  | { readonly kind: 'saving' }
  /** Tried again after a while. It stays so until a save succeeds, even while typing. */
  | { readonly kind: 'failed'; readonly message: string }
  /** Somebody else, or another tab, saved after this tab loaded. Nothing more is saved until the user chooses. */
  | { readonly kind: 'changed'; readonly by: By; readonly at: string | null };

/** ms after the last edit, and after the first unsaved one. */
const PAUSE = 600;
const LONGEST = 1_500;
const RETRY = 3_000;

interface Unsaved {
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

export interface AutosaveOptions {
  /** null: nothing is ever saved, and changes stay in the tab. */
  readonly drafts: DraftStore | null;
  readonly edited: Edited;
  readonly draft: Draft;
  /** The draft's document, as the editor holds it. */
  readonly saved: RawDocument;
  /** What the editor makes of a document that it opens. */
  readonly filled?: (document: RawDocument) => RawDocument;
  readonly clock: Clock;
  readonly kept: Kept;
}

export class Autosave {
  readonly state = signal<SaveState>({ kind: 'saved', at: null });
  /** The newest published version. */
  readonly version = signal(0);
  readonly hasDraft = signal(false);
  readonly #drafts: DraftStore | null;
  readonly #edited: Edited;
  readonly #clock: Clock;
  readonly #kept: Kept;
  readonly #key: string;
  readonly #filled: (document: RawDocument) => RawDocument;
  #revision: number;
  #saved: RawDocument;
  /** The document that was sent and not answered: it is unknown whether the server has it. */
  #sent: RawDocument | null = null;
  /** Ends the wait for the next save, and for the next try. */
  #pending: (() => void) | null = null;
  #retry = () => {};
  /** When the first edit was made that `#pending` will save. */
  #since = 0;
  #saving: Promise<void> | null = null;
  readonly #stop: () => void;
  #isOver = false;

  constructor({ drafts, edited, draft, saved, clock, kept, filled = (document) => document }: AutosaveOptions) {
    this.#drafts = drafts;
    this.#edited = edited;
    this.#clock = clock;
    this.#kept = kept;
    this.#key = unsavedKey(drafts?.key ?? '');
    this.#filled = filled;
    this.#revision = draft.revision;
    this.#saved = saved;
    this.version.value = draft.baseVersion;
    this.hasDraft.value = draft.savedAt !== null;
    this.state.value = { kind: 'saved', at: draft.savedAt };
    this.#stop = drafts ? effect(() => this.#note(edited.document.value)) : () => {};
  }

  get #store(): DraftStore {
    if (!this.#drafts) throw new Error('This document is not saved.');
    return this.#drafts;
  }

  dispose(): void {
    this.#stop();
    this.#isOver = true;
    this.#retry();
    void this.flush();
  }

  /** Saves unsaved changes now: also when the page is hidden, which is the last event of a tab that is closed. */
  async flush(): Promise<void> {
    this.#unschedule();
    const isNew = () => this.#drafts !== null && this.#edited.document.peek() !== this.#saved;
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
    this.#edited.replace(this.#saved);
  }

  /** Saves the changes made here as a new template; returns its id. */
  async saveAsCopy(): Promise<string> {
    const document = this.#edited.document.peek();
    const id = await this.#store.copy({ ...document, name: `${document.name} (copy)`.slice(0, 200) });
    this.#forget();
    return id;
  }

  #note(document: RawDocument): void {
    const { kind } = this.state.peek();
    if (document === this.#saved) {
      this.#unschedule();
      if (kind === 'unsaved') this.state.value = { kind: 'saved', at: null };
      return;
    }
    if (kind === 'changed') {
      this.#keep();
      return;
    }
    const now = this.#clock.now();
    if (this.#pending === null) this.#since = now;
    if (kind !== 'failed') this.state.value = { kind: 'unsaved' };
    this.#unschedule();
    this.#pending = this.#clock.after(Math.max(0, Math.min(PAUSE, this.#since + LONGEST - now)), () => {
      this.#pending = null;
      // Each save keeps what it sends, but the running one sent an older document.
      if (this.#saving) this.#keep();
      else void this.#save();
    });
  }

  #unschedule(): void {
    this.#pending?.();
    this.#pending = null;
  }

  #save(): Promise<void> {
    this.#saving ??= this.#put().finally(() => {
      this.#saving = null;
      // Edits made during the save.
      if (this.state.peek().kind === 'saved') this.#note(this.#edited.document.peek());
    });
    return this.#saving;
  }

  async #put(): Promise<void> {
    this.#retry();
    // A second save of the same document would follow what is published in the meantime.
    this.#unschedule();
    if (this.state.peek().kind !== 'failed') this.state.value = { kind: 'saving' };
    try {
      if (this.#sent !== null) await this.#learn(this.#sent);
      this.state.value = await this.#send(this.#edited.document.peek());
    } catch (error) {
      this.#keep();
      this.state.value = { kind: 'failed', message: error instanceof Error ? error.message : String(error) };
    }
    if (this.state.peek().kind === 'failed' && !this.#isOver) {
      this.#retry = this.#clock.after(RETRY, () => void this.#save());
    }
  }

  /** @throws Error if no answer came: whether it was stored is checked before the next save */
  async #send(document: RawDocument): Promise<SaveState> {
    this.#sent = document;
    this.#keep();
    const answer = await this.#store.save(document, this.version.peek(), this.#revision);
    if (answer.kind === 'saved') {
      this.#took(document, answer.revision);
      if (this.#edited.document.peek() === document) this.#forget();
      else this.#keep();
      return { kind: 'saved', at: answer.savedAt };
    }
    this.#sent = null;
    this.#keep();
    return answer.kind === 'changed' ? answer : { kind: 'failed', message: answer.message };
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

  /** Too large a document is not kept; the server will have it within two seconds. */
  #keep(): void {
    const unsaved: Unsaved = { revision: this.#revision, document: this.#edited.document.peek(), sent: this.#sent };
    keep(this.#kept, this.#key, unsaved);
  }

  #forget(): void {
    this.#kept.removeItem(this.#key);
  }
}

const unsavedKey = (templateId: string) => `platen-unsaved ${templateId}`;

/** The unsaved document of a tab that crashed, if nobody has saved since. */
export function unsavedDocument(kept: Kept, templateId: string, draft: Draft): RawDocument | null {
  const unsaved = readKept<Unsaved>(kept, unsavedKey(templateId));
  if (unsaved === null) return null;
  const { sent, revision, document } = unsaved;
  const isNewest = revision === draft.revision || (sent && isStored(sent, revision, draft));
  return isNewest ? document : null;
}

/** Whether the draft is the document that was sent on top of `revision`. */
function isStored(sent: RawDocument, revision: number, draft: Draft): boolean {
  return draft.revision === revision + 1 && JSON.stringify(draft.document) === JSON.stringify(sent);
}
