// An editor without a page: documents are laid out with real fonts, and time passes when a test says so.

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { inspectFont } from '#draw/fonts/user-fonts.ts';
import { type Clock, type Kept, MemoryStorage } from '#studio/editor/core/clock.ts';
import { Designs } from '#studio/editor/core/design/designs.ts';
import type { RawDocument, RawLayer } from '#studio/editor/core/document/document.ts';
import type { DraftStore, EditLimits, EditorHost, SaveAnswer } from '#studio/editor/core/host.ts';
import type { Focus } from '#studio/editor/core/keys.ts';
import { type EditorParts, openEditor } from '#studio/editor/core/open-editor.ts';
import { Compositor } from '#studio/editor/core/scene/compositor.ts';
import { SceneFonts } from '#studio/editor/core/scene/fonts.ts';
import { SceneImages } from '#studio/editor/core/scene/images.ts';

const require = createRequire(import.meta.url);

/** Time that stands still until it is passed. */
export class TestClock implements Clock {
  #now = 1_000;
  #timers: { readonly at: number; readonly run: () => void }[] = [];
  #frames: (() => void)[] = [];

  readonly now = (): number => this.#now;

  after(ms: number, run: () => void): () => void {
    const timer = { at: this.#now + ms, run };
    this.#timers.push(timer);
    return () => {
      this.#timers = this.#timers.filter((one) => one !== timer);
    };
  }

  frame(run: () => void): void {
    this.#frames.push(run);
  }

  /** Runs what waits for the next frame, and what that waits for in turn. */
  paint(): void {
    for (let run = this.#frames.shift(); run; run = this.#frames.shift()) run();
  }

  /** Passes time: what is due runs in order, and promises are settled in between. */
  async pass(ms: number): Promise<void> {
    const end = this.#now + ms;
    await settled();
    for (;;) {
      const [next] = this.#timers.toSorted((a, b) => a.at - b.at);
      if (!next || next.at > end) break;
      this.#timers = this.#timers.filter((one) => one !== next);
      this.#now = next.at;
      next.run();
      await settled();
    }
    this.#now = end;
    this.paint();
  }
}

/** Waits until all promises that need no time are settled. */
export const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** A server's draft of one template. */
export class TestDrafts implements DraftStore {
  readonly key = 'tpl_test';
  document: RawDocument;
  revision = 0;
  version = 1;
  savedAt: string | null = null;
  /** The documents that were sent, in order. */
  readonly sent: RawDocument[] = [];
  /** How it answers a save: not at all, after it was stored or without that; by refusing it; or when it is let go. */
  answers: 'saves' | 'loses the request' | 'loses the answer' | 'refuses' | 'waits' = 'saves';
  readonly published: RawDocument[] = [];
  readonly copies: RawDocument[] = [];
  #waiting: (() => void)[] = [];

  constructor(document: RawDocument) {
    this.document = document;
  }

  async read() {
    if (this.answers === 'loses the request') throw new Error('The server cannot be reached.');
    const { document, revision, version: baseVersion, savedAt } = this;
    return { document, revision, baseVersion, savedAt, savedBy: null } as never;
  }

  async save(document: RawDocument, _baseVersion: number, on: number): Promise<SaveAnswer> {
    this.sent.push(document);
    if (this.answers === 'waits') await new Promise<void>((resolve) => this.#waiting.push(resolve));
    if (this.answers === 'loses the request') throw new Error('The server cannot be reached.');
    if (this.answers === 'refuses') return { kind: 'refused', message: 'The document is too large.' };
    if (on !== this.revision) return { kind: 'changed', by: { id: 'per_2', name: 'Bea' } as never, at: this.savedAt };
    this.store(document);
    if (this.answers === 'loses the answer') throw new Error('The server was killed.');
    return { kind: 'saved', revision: this.revision, savedAt: this.savedAt ?? '' };
  }

  /** Saves a document, as somebody else may. */
  store(document: RawDocument): void {
    this.document = JSON.parse(JSON.stringify(document)) as RawDocument;
    this.revision += 1;
    this.savedAt = `2026-01-01T00:00:0${this.revision % 10}Z`;
  }

  /** Answers the saves that wait. */
  async letGo(): Promise<void> {
    this.answers = 'saves';
    for (const resume of this.#waiting.splice(0)) resume();
    await settled();
  }

  async publish(_note: string, _over: number | undefined, on: number) {
    if (on !== this.revision) throw new Error('Somebody else saved.');
    this.published.push(this.document);
    this.revision += 1;
    this.version += 1;
    return { version: this.version, revision: this.revision, createdAt: '2026-01-02T00:00:00Z' };
  }

  async copy(document: RawDocument): Promise<string> {
    this.copies.push(document);
    return 'tpl_copy';
  }
}

const FACES = ['400Regular/Inter_400Regular.ttf', '700Bold/Inter_700Bold.ttf'].map((file) => ({
  id: file,
  bytes: Uint8Array.from(readFileSync(require.resolve(`@expo-google-fonts/inter/${file}`))),
}));

async function openFonts(): Promise<SceneFonts> {
  const infos = await Promise.all(FACES.map(({ bytes, id }) => inspectFont(bytes, id)));
  const fonts = await SceneFonts.open(
    {
      listing: async () => ({
        families: [
          {
            family: 'Inter',
            scripts: ['Latn'],
            faces: infos.map((info, i) => ({ ...info, id: FACES[i]?.id ?? '', isEmoji: false })),
          },
        ],
        ...{ generic: { 'sans-serif': 'Inter' }, installable: [] },
      }),
      coverage: async () =>
        Object.fromEntries(infos.map(({ coverage }, i) => [FACES[i]?.id ?? '', coverage.toString()])),
      face: async (id) => FACES.find((face) => face.id === id)?.bytes ?? new Uint8Array(),
    },
    { now: () => 0 },
  );
  const needs = [400, 700].map((weight) => ({
    query: { families: ['Inter'], weight, style: 'normal', variations: {}, lang: null } as const,
    ...{ text: 'Words', layer: 'title' },
  }));
  await fonts.load(needs);
  return fonts;
}

/** Loaded once, so that a document whose texts are in Inter is laid out at once. */
const FONTS = await openFonts();

export interface TestEditorOptions {
  readonly limits?: EditLimits;
  readonly drafts?: TestDrafts | null;
  readonly kept?: Kept;
  readonly clock?: TestClock;
  /** Beside what the host is otherwise. */
  readonly host?: Partial<EditorHost>;
}

type Held = Partial<Record<'shift' | 'alt' | 'mod', boolean>>;

/** Points are px of the canvas, which lies at the corner of the view, at 100 %. */
export class TestEditor {
  readonly parts: EditorParts;
  readonly clock: TestClock;
  readonly kept: Kept;
  readonly drafts: TestDrafts | null;
  /** The messages that were shown. */
  readonly said: string[] = [];
  clipboard: string | null = null;
  /** Whether the browser lets the page write to the clipboard. */
  hasClipboard = true;
  /** Regions that took the focus, and lists that were asked for. */
  readonly asked: string[] = [];

  constructor(template: RawDocument, { limits, drafts, kept, clock, host: own = {} }: TestEditorOptions = {}) {
    this.clock = clock ?? new TestClock();
    this.kept = kept ?? new MemoryStorage();
    this.drafts = drafts === undefined ? new TestDrafts(template) : drafts;
    const host: EditorHost = {
      key: 'tpl_test',
      fonts: null as never,
      readImage: async (source) => {
        throw new Error(`There is no picture ${source}.`);
      },
      materials: { brand: async () => undefined, template: async () => undefined },
      pictures: { list: null, upload: null, isUpload: () => false, onChanged: () => () => {} },
      drafts: this.drafts,
      brands: null,
      templates: null,
      draw: async () => new Blob([]),
      tell: (text) => void this.said.push(text),
      tellError: (error) => void this.said.push(String(error)),
      kept: this.kept,
      ...own,
    };
    const images = new SceneImages(
      host.readImage,
      { open: () => Promise.reject(new Error('No.')), release: () => {} },
      this.clock,
    );
    const draft = {
      document: template,
      revision: this.drafts?.revision ?? 0,
      baseVersion: 1,
      savedAt: null,
      savedBy: null,
    };
    this.parts = openEditor({
      opened: { draft: draft as never, saved: template, document: template, values: {} },
      compositor: new Compositor(FONTS, images, new Designs(host.materials)),
      host,
      clock: this.clock,
      page: {
        writeClipboard: async (text) => {
          if (this.hasClipboard) this.clipboard = text;
          return this.hasClipboard;
        },
        readClipboard: async () => {
          if (this.clipboard === null) throw new Error('It is not allowed.');
          return this.clipboard;
        },
        insertText: async (editor, text, at) => {
          const { paste } = await import('#studio/editor/core/state/actions.ts');
          const { layersFromText } = await import('#studio/editor/core/state/clipboard.ts');
          const { layers, ...said } = layersFromText(text);
          paste(editor, layers, at, said);
        },
        splitSvg: async () => {},
        previewPdf: async () => {},
        open: (address) => void this.asked.push(`open ${address}`),
        keysShown: (keys) => keys,
        focusRegion: (step) => void this.asked.push(`region ${step}`),
      },
      limits: limits ?? null,
      publish: () => void this.asked.push('publish'),
      download: () => void this.asked.push('download'),
    });
    const { viewport, editor } = this.parts;
    viewport.resize({ width: 1_000, height: 800 }, { width: template.width, height: template.height });
    viewport.zoom.value = 1;
    viewport.offset.value = { x: 0, y: 0 };
    editor.composeNow();
  }

  /** Waits until the code for its layers is loaded and it is shown. */
  async drawn(): Promise<this> {
    for (let tries = 0; this.editor.picture.value === null && tries < 2_000; tries++) {
      await new Promise((resolve) => setTimeout(resolve, 2));
      this.clock.paint();
    }
    return this;
  }

  get editor() {
    return this.parts.editor;
  }

  get document(): RawDocument {
    return this.editor.document.peek();
  }

  get selection(): readonly string[] {
    return this.editor.selection.peek();
  }

  get mode(): string {
    return this.editor.mode.peek().kind;
  }

  layer(name: string): RawLayer {
    const layer = this.editor.layer(name);
    if (!layer) throw new Error(`There is no layer ${name}.`);
    return layer;
  }

  select(...names: readonly string[]): this {
    this.editor.select(names);
    return this;
  }

  pointerDown(
    x: number,
    y: number,
    held: Held & { button?: number; finger?: number; on?: { ruler: 'x' | 'y' } | { guide: number } } = {},
  ): this {
    const { button = 0, on = null } = held;
    this.parts.pointer.down({ shift: false, alt: false, mod: false, ...held, at: { x, y }, button, on });
    return this.#painted();
  }

  pointerMove(x: number, y: number, held: Held & { isPressed?: boolean } = {}): this {
    const { isPressed = true, ...keys } = held;
    this.parts.pointer.move({ shift: false, alt: false, mod: false, ...keys, at: { x, y } }, isPressed);
    return this.#painted();
  }

  pointerUp(): this {
    this.parts.pointer.up();
    return this.#painted();
  }

  pointerCancel(): this {
    this.parts.pointer.cancel();
    return this.#painted();
  }

  click(x: number, y: number, held: Held = {}): this {
    return this.pointerDown(x, y, held).pointerUp();
  }

  doubleClick(x: number, y: number): this {
    this.click(x, y).click(x, y);
    this.parts.pointer.doubleClick({ x, y });
    return this.#painted();
  }

  drag(from: readonly [number, number], to: readonly [number, number], held: Held = {}): this {
    const [x, y] = from;
    return this.pointerDown(x, y, held)
      .pointerMove((x + to[0]) / 2, (y + to[1]) / 2, held)
      .pointerMove(...to, held)
      .pointerUp();
  }

  /** Presses keys such as `Mod+Shift+Z` or `ArrowLeft`. @param focus what has the focus. @returns whether each was the editor's */
  press(keys: string, focus: Focus = 'canvas', hasWords = false): boolean {
    const parts = keys.split(/\+(?=.)/);
    const key = parts.at(-1) ?? '';
    const code = /^[A-Z]$/.test(key) ? `Key${key}` : /^\d$/.test(key) ? `Digit${key}` : key === ' ' ? 'Space' : key;
    const shift = parts.includes('Shift');
    const letter = /^[A-Z]$/.test(key) && !shift ? key.toLowerCase() : key;
    const held = { mod: parts.includes('Mod'), shift, alt: parts.includes('Alt') };
    const isOurs = this.parts.keys.down({ key: letter, code, ...held }, focus, hasWords);
    this.#painted();
    return isOurs;
  }

  keys(...presses: readonly string[]): this {
    for (const one of presses) this.press(one);
    return this;
  }

  /** Passes time, ms. */
  async pass(ms: number): Promise<this> {
    await this.clock.pass(ms);
    return this;
  }

  #painted(): this {
    this.clock.paint();
    return this;
  }
}
