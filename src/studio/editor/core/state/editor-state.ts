// The state of one open template in the editor: the document, the selection, what the canvas shows.
//
// Everything is a signal. Every change of the document goes through `edit` or through a drag, so that it can be undone.

import { batch, computed, type ReadonlySignal, signal } from '@preact/signals';
import { ValidationError } from '#core/diagnostics.ts';
import type { Point } from '#core/geometry.ts';
import type { LocatedBox } from '#core/layout/located-boxes.ts';
import { languagesOf } from '#design/choice.ts';
import type { Clock } from '../clock.ts';
import type { absorbed } from '../design/absorb.ts';
import type { Shown, shownDocument } from '../design/shown-document.ts';
import { isOwn, OWN_VIEW, type View } from '../design/view.ts';
import {
  type Edit,
  findLayer,
  layersByName,
  outermost,
  type RawDocument,
  type RawLayer,
  sizesOf,
  type Values,
} from '../document/document.ts';
import { duplicateLayers, setLayer } from '../document/edits.ts';
import { History, type Moment, type TestData } from '../document/history.ts';
import { inPixels } from '../document/parse-document.ts';
import type { Range } from '../document/word-styles.ts';
import type { EditLimits, EditorHost } from '../host.ts';
import type { Compositor, Picture } from '../scene/compositor.ts';
import { isInPlace, type Mode, SELECT, type Task, type Tool } from './mode.ts';
import type { Preferences } from './preferences.ts';

/** An error that prevents the document from being drawn. */
export interface Problem {
  readonly path: string;
  readonly message: string;
}

/** Handles that a panel has on the canvas while it is open, such as those of a gradient. */
export interface PanelHandles {
  /** What joins them, canvas px. */
  readonly lines: readonly (readonly Point[])[];
  /** In canvas px, those of stops with their colour as CSS. */
  readonly handles: readonly { readonly at: Point; readonly color: string | null }[];
  /** @param base the document before the drag @returns what a movement makes of it, and says beside the pointer */
  drag(handle: number, base: RawDocument): (to: Point, keys: Held) => { readonly document: RawDocument; label: string };
}

/** Layers that are dragged in place of those that they were made of. */
export interface DraggedCopies {
  /** With the copies, as it is shown. */
  readonly document: RawDocument;
  readonly names: readonly string[];
  /** The same as it would be stored, and what is shown of that; null = that itself. */
  readonly stored: RawDocument;
  readonly shown: Shown | null;
}

/** Keys that are held while something is dragged. */
type Held = Readonly<Record<'shift' | 'alt' | 'mod', boolean>>;

/** ms after which fonts and files that could not be loaded are tried again; longer than they are remembered. */
const AGAIN = 4_000;

interface EditorOptions {
  readonly document: RawDocument;
  readonly compositor: Compositor;
  readonly preferences: Preferences;
  readonly host: EditorHost;
  readonly clock: Clock;
  /** null = everything may be edited. */
  readonly limits: EditLimits | null;
}

const hasLanguage = (document: RawDocument, lang: string): boolean => languagesOf(document as never).includes(lang);

export class EditorState {
  /** The document that is edited: as it is stored, or as a size or a language of it is shown. */
  readonly document: ReadonlySignal<RawDocument>;
  /** The document that is saved. */
  readonly stored: ReadonlySignal<RawDocument>;
  readonly view: ReadonlySignal<View>;
  /** Whether changes in a size are for that size only. */
  readonly apart = signal(true);
  /** The template's name. */
  readonly name: ReadonlySignal<string>;
  readonly selection: ReadonlySignal<readonly string[]>;
  readonly hovered = signal<string | null>(null);
  /** The page of a document that is in the middle of the window, from 0. */
  readonly pageInSight = signal(0);
  readonly mode: ReadonlySignal<Mode>;
  /** The mode, or what goes on when a drag has ended. */
  readonly task: ReadonlySignal<Task>;
  readonly tool: ReadonlySignal<Tool>;
  /** Whether a layer is edited in place. */
  readonly isEditing: ReadonlySignal<boolean>;
  /** Whether something is being dragged on the canvas. */
  readonly isDragging: ReadonlySignal<boolean>;
  /** The words that styles are for: selected in the text that is edited. Null = styles are for whole layers. */
  readonly chosenWords: ReadonlySignal<{ readonly name: string; readonly range: Range } | null>;
  /** Values that the canvas is shown with; they are not stored in the template. */
  readonly values = signal<Values>({});
  /** What these values are called, such as a sample set's name; null when they were typed one by one. */
  readonly valuesName = signal<string | null>(null);
  /** Whether they differ from what is called so. */
  readonly valuesChanged = signal(false);
  /** The picture of the last document that could be drawn. */
  readonly picture = signal<Picture | null>(null);
  readonly problem = signal<Problem | null>(null);
  /** Of the panel that is open, by view px per canvas px; null = it has none. */
  readonly panelHandles = signal<((zoom: number) => PanelHandles | null) | null>(null);
  readonly isLoading = signal(true);
  readonly canUndo = signal(false);
  readonly canRedo = signal(false);
  readonly preferences: Preferences;
  /** Of the editor in another site's page; null = none. */
  readonly limits: EditLimits | null;
  readonly compositor: Compositor;
  readonly host: EditorHost;
  readonly clock: Clock;
  /** The selected layers that still exist. */
  readonly selectedLayers: ReadonlySignal<readonly RawLayer[]>;
  /** Boxes of the selected layers, hidden ones included. */
  readonly selectedBoxes: ReadonlySignal<readonly LocatedBox[]>;

  readonly #document;
  readonly #stored;
  readonly #view = signal<View>(OWN_VIEW);
  /** Loaded with the first size or language that is shown. */
  #views: { readonly shownDocument: typeof shownDocument; readonly absorbed: typeof absorbed } | null = null;
  /** What `document` was made of; null = it is the stored one. */
  #shown: Shown | null = null;
  readonly #selection = signal<readonly string[]>([]);
  readonly #mode = signal<Mode>(SELECT);
  readonly #history = new History<Moment>();
  #isScheduled = false;

  constructor({ document, compositor, preferences, host, clock, limits }: EditorOptions) {
    this.host = host;
    this.clock = clock;
    this.limits = limits;
    this.mode = this.#mode;
    this.task = computed(() => (this.mode.value.kind === 'drag' ? this.mode.value.task : this.mode.value));
    this.tool = computed(() => (this.task.value.kind === 'tool' ? this.task.value.tool : 'select'));
    this.isEditing = computed(() => isInPlace(this.task.value));
    this.isDragging = computed(() => this.mode.value.kind === 'drag');
    this.#stored = signal(inPixels(document));
    this.stored = this.#stored;
    this.#document = signal(this.#stored.peek());
    this.document = this.#document;
    this.view = this.#view;
    this.name = computed(() => this.document.value.name);
    this.selection = this.#selection;
    this.compositor = compositor;
    this.preferences = preferences;
    this.selectedLayers = computed(() => {
      const index = layersByName(this.document.value);
      return this.selection.value.flatMap((name) => index.get(name)?.layer ?? []);
    });
    this.chosenWords = computed(() => {
      const task = this.task.value;
      const range = task.kind === 'text' ? task.range : null;
      return task.kind === 'text' && range && range[0] < range[1] ? { name: task.layer, range } : null;
    });
    this.selectedBoxes = computed(() => this.boxesOf(this.selection.value));
  }

  /** What is shown, in the template's own language. */
  original(): RawDocument {
    const { size, lang } = this.#view.peek();
    if (lang === null) return this.document.peek();
    const stored = this.#stored.peek();
    const shown = size !== null && this.#views?.shownDocument(stored, { size, lang: null }, this.compositor.designs);
    return shown && 'document' in shown ? shown.document : stored;
  }

  /** Edits a text in place. @param range selected at first; null = all of it */
  editText(name: string, range: Range | null = null, isNew = false): void {
    this.select([name]);
    const task = this.task.peek();
    const now = task.kind === 'text' && task.layer === name ? task.range : null;
    this.enter({ kind: 'text', layer: name, range: now, wanted: range, isNew });
  }

  /** Begins a task, in place of the one before; a drag that goes on ends where it is. */
  enter(task: Task): void {
    if (this.mode.peek().kind === 'drag') this.endDrag();
    this.#mode.value = task;
  }

  /** Ends the task: the canvas selects again. */
  leave(): void {
    this.enter(SELECT);
  }

  choose(tool: Tool): void {
    this.enter(tool === 'select' ? SELECT : { kind: 'tool', tool });
  }

  /** Goes on with another task below a drag, such as with other words selected. */
  #become(task: Task): void {
    const mode = this.#mode.peek();
    this.#mode.value = mode.kind === 'drag' ? { ...mode, task } : task;
  }

  /** Notes what is selected in the field of the edited text. */
  selectWords(range: Range): void {
    const task = this.task.peek();
    if (task.kind !== 'text' || (task.range?.[0] === range[0] && task.range[1] === range[1])) return;
    this.#become({ ...task, range });
  }

  /** What the field of the edited text is to select, once. */
  takeWantedWords(): Range | null {
    const task = this.task.value;
    if (task.kind !== 'text' || !task.wanted) return null;
    this.#become({ ...task, wanted: null });
    return task.wanted;
  }

  /** Ends what is edited in place if its layer is selected no longer. */
  #settle(): void {
    const task = this.task.peek();
    if (isInPlace(task) && !this.#selection.peek().includes(task.layer)) this.#become(SELECT);
  }

  /**
   * Changes the document in one step.
   *
   * @param kind edits of one kind that follow closely are undone together
   * @param also what is changed of the stored document in the same step
   * @param own a layer that is shown with its own content from then on, and with its test data again when that is undone
   */
  edit(
    edit: Edit,
    {
      kind = null,
      select,
      own,
      also = (stored) => stored,
    }: { kind?: string | null; select?: readonly string[]; own?: string; also?: Edit } = {},
  ): void {
    const before = this.document.peek();
    const after = edit(before);
    if (after !== before) this.#change(also(this.#absorbed(this.#stored.peek(), this.#shown, after)), kind, own);
    if (select) this.select(select);
  }

  /** Changes the stored document, whatever is shown of it: its sizes, its texts, names of layers. */
  editStored(edit: Edit, kind: string | null = null): void {
    this.#change(edit(this.#stored.peek()), kind);
  }

  #change(stored: RawDocument, kind: string | null, own?: string): void {
    const before = this.#stored.peek();
    if (stored === before || this.#isRefused(before, stored)) return;
    const testData = this.#testData();
    const isOwn = own !== undefined && this.setValue(own, undefined);
    const moment = isOwn
      ? { ...this.#moment(), testData: { ...testData, instead: this.values.peek() } }
      : this.#moment();
    if (!this.isDragging.peek()) this.#history.record(moment, kind, this.clock.now());
    this.#show(stored);
  }

  #isRefused(before: RawDocument, after: RawDocument): boolean {
    const reason = this.limits?.refusal(before, after) ?? null;
    if (reason !== null) this.host.tell(reason, { tone: 'bad' });
    return reason !== null;
  }

  /** An edit of what is shown, as it is stored. */
  #absorbed(stored: RawDocument, shown: Shown | null, after: RawDocument): RawDocument {
    if (!shown || !this.#views) return after;
    // Who may not design a size changes the words that it has for itself, and all others everywhere.
    const apart = this.limits?.mayDesign === false ? 'own-words' : this.apart.peek();
    const task = this.task.peek();
    const view = this.#view.peek();
    const isFirst = task.kind === 'text' && task.isNew;
    return this.#views.absorbed(stored, shown, after, isFirst ? { ...view, lang: null } : view, apart);
  }

  /** Shows a size, or a language; what it takes is loaded first. */
  async showView(view: View): Promise<void> {
    if (!isOwn(view) && !this.#views) {
      const [{ shownDocument }, { absorbed }] = await Promise.all([
        import('../design/shown-document.ts'),
        import('../design/absorb.ts'),
      ]);
      this.#views = { shownDocument, absorbed };
    }
    for (let shown: unknown; !isOwn(view) && (!shown || shown instanceof Promise); ) {
      shown = this.#views?.shownDocument(this.#stored.peek(), view, this.compositor.designs);
      await shown;
    }
    this.cancelDrag();
    if (this.isEditing.peek()) this.leave();
    this.#history.close();
    batch(() => {
      this.#view.value = view;
      this.#show(this.#stored.peek());
    });
  }

  /** What a view shows of the stored document; without its size, or what it takes, that is the document itself. */
  #viewed(stored: RawDocument): RawDocument {
    this.#shown = null;
    const before = this.#view.peek();
    // A language that was added, and is not any more.
    const isGone =
      before.lang !== null && hasLanguage(this.#stored.peek(), before.lang) && !hasLanguage(stored, before.lang);
    const { size, lang } = isGone ? { ...before, lang: null } : before;
    const isThere = size !== null && Object.hasOwn(sizesOf(stored), size);
    const view: View = { size: isThere ? size : null, lang };
    if (isGone || isThere !== (size !== null)) this.#view.value = view;
    if (isOwn(view) || !this.#views) return stored;
    try {
      const shown = this.#views.shownDocument(stored, view, this.compositor.designs);
      if (!(shown instanceof Promise)) {
        this.#shown = shown;
        return shown.document;
      }
      void shown.then(() => this.showView(view));
    } catch (error) {
      this.#fail(error);
    }
    this.#view.value = OWN_VIEW;
    return stored;
  }

  /** Begins a drag: all changes by `drag` until `endDrag` are one step. */
  startDrag(): RawDocument {
    if (this.isDragging.peek()) this.endDrag();
    this.#history.close();
    this.#mode.value = { kind: 'drag', task: this.task.peek(), before: this.#moment(), shown: this.#shown };
    return this.document.peek();
  }

  /** Copies of layers before the drag: of what is stored, so that each language and size says of them what it says of those. */
  dragCopies(names: readonly string[]): DraggedCopies {
    const mode = this.#mode.peek();
    const made = duplicateLayers(mode.kind === 'drag' ? mode.before.document : this.#stored.peek(), names);
    const shown = this.#shown && this.#views?.shownDocument(made.document, this.#view.peek(), this.compositor.designs);
    if (!shown || shown instanceof Promise) return { ...made, stored: made.document, shown: null };
    return { document: shown.document, names: made.names, stored: made.document, shown };
  }

  /** @param copies what `dragCopies` made, if they are dragged */
  drag(document: RawDocument, select?: readonly string[], copies: DraggedCopies | null = null): void {
    const mode = this.#mode.peek();
    if (mode.kind !== 'drag') return;
    if (document !== this.document.peek()) {
      const from = copies ?? { stored: mode.before.document, shown: mode.shown };
      const stored = this.#absorbed(from.stored, from.shown, document);
      if (!this.#isRefused(this.#stored.peek(), stored)) this.#show(stored);
    }
    if (select) this.select(select);
  }

  endDrag(): void {
    const before = this.#leaveDrag();
    if (before && before.document !== this.#stored.peek()) this.#history.record(before, null, this.clock.now());
    this.#history.close();
    this.#noteHistory();
  }

  cancelDrag(): void {
    const before = this.#leaveDrag();
    if (before) this.#restore(before);
  }

  /** @returns what it was before the drag; null = there was none */
  #leaveDrag(): Moment | null {
    const mode = this.#mode.peek();
    if (mode.kind !== 'drag') return null;
    this.#mode.value = mode.task;
    return mode.before;
  }

  undo(): void {
    const before = this.#history.undo((target) => this.#momentFor(target));
    if (before) this.#restore(before);
  }

  redo(): void {
    const after = this.#history.redo((target) => this.#momentFor(target));
    if (after) this.#restore(after);
  }

  select(names: readonly string[]): void {
    const current = this.#selection.peek();
    if (names.length === current.length && names.every((name, i) => name === current[i])) return;
    this.#selection.value = names;
    this.#settle();
  }

  toggle(name: string): void {
    const current = this.#selection.peek();
    this.select(current.includes(name) ? current.filter((one) => one !== name) : [...current, name]);
  }

  /** Shows the canvas with test data; `{}` shows the template's own content. */
  showValues(values: Values, name: string | null, isChanged = false): void {
    const isNone = Object.keys(values).length === 0;
    batch(() => {
      this.values.value = values;
      this.valuesName.value = isNone ? null : name;
      this.valuesChanged.value = isChanged && !isNone;
    });
    this.schedule();
  }

  /** Changes the test data of one layer; undefined shows its own content. @returns whether there was a change */
  setValue(name: string, value: unknown): boolean {
    const { [name]: before, ...others } = this.values.peek();
    if (before === value) return false;
    const values = value === undefined ? others : { ...others, [name]: value };
    this.showValues(values, this.valuesName.peek(), true);
    return true;
  }

  /** Renames a layer in the document, the selection and the given values. */
  rename(from: string, to: string, edit: Edit): void {
    const before = this.#stored.peek();
    // The edit takes names that the document no longer has out of the selection.
    const selected = this.#selection.peek();
    this.editStored(edit);
    if (this.#stored.peek() === before) return;
    const name = to.trim().slice(0, 100);
    this.#selection.value = selected.map((one) => (one === from ? name : one));
    const { [from]: value, ...others } = this.values.peek();
    if (value !== undefined) this.values.value = { ...others, [name]: value };
  }

  /** The selected layers that the pointer may change, without children of selected frames. */
  movable(): readonly string[] {
    if (this.limits?.mayDesign === false) return [];
    return outermost(this.document.peek(), this.selection.peek()).filter((name) => !this.isLocked(name));
  }

  /** Whether the layer, or a frame around it, is locked. */
  isLocked(name: string): boolean {
    if (this.limits) return this.limits.isLocked(this.document.peek(), name);
    const index = layersByName(this.document.peek());
    let placed = index.get(name);
    while (placed && placed.layer.locked !== true) placed = index.get(placed.parent?.name ?? '');
    return placed !== undefined;
  }

  layer(name: string): RawLayer | null {
    return findLayer(this.document.peek(), name);
  }

  /** Loads another document, such as one saved elsewhere; undo does not lead back. */
  replace(document: RawDocument): void {
    this.#history.clear();
    // A drag that is still going on would bring its own document back.
    this.#leaveDrag();
    this.#show(document);
    this.select([]);
  }

  /** Composes in the next frame; several changes before it are composed once. */
  schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    this.clock.frame(() => {
      this.#isScheduled = false;
      this.composeNow();
    });
  }

  composeNow(): void {
    const document = this.document.peek();
    try {
      const composed = this.compositor.compose(document, this.values.peek());
      if (composed instanceof Promise) {
        this.isLoading.value = true;
        composed.then(
          () => this.schedule(),
          (error: unknown) => {
            this.#fail(error);
            this.clock.after(AGAIN, () => this.schedule());
          },
        );
        return;
      }
      this.picture.value = composed;
      this.problem.value = null;
    } catch (error) {
      this.#fail(error);
    }
    this.isLoading.value = false;
  }

  /** Gives a layer the picture that was chosen for it. */
  showPicture(name: string, src: string): void {
    this.edit(setLayer(name, { src }));
    this.retryPictures([src]);
  }

  /** Requests pictures that could not be loaded once more, in the background. */
  retryPictures(sources = this.compositor.images.due): void {
    for (const source of sources) {
      void this.compositor.images.retry(source).then((isLoaded) => {
        if (isLoaded) this.schedule();
      });
    }
  }

  /** Shows which pictures and fonts there still are, after uploads were changed elsewhere. */
  async recheckUploads(): Promise<void> {
    const { images, fonts } = this.compositor;
    await Promise.allSettled([images.recheck((source) => this.host.pictures.isUpload(source)), fonts.refresh()]);
    this.schedule();
  }

  #fail(error: unknown): void {
    const path = error instanceof ValidationError ? error.path : '';
    this.problem.value = { path, message: error instanceof Error ? error.message : String(error) };
    this.isLoading.value = false;
  }

  /** The boxes of layers, hidden ones included. */
  boxesOf(names: readonly string[]): readonly LocatedBox[] {
    const picture = this.picture.value;
    if (!picture) return [];
    const hidden = names.filter((name) => !picture.byName.has(name));
    const located = hidden.length > 0 ? this.compositor.locateHidden(picture.document, this.values.value, hidden) : [];
    const byName = new Map(located.map((box) => [box.name, box]));
    return names.flatMap((name) => picture.byName.get(name) ?? byName.get(name) ?? []);
  }

  #moment(): Moment {
    return { document: this.#stored.peek(), selection: this.selection.peek() };
  }

  #testData(): TestData {
    const [values, name] = [this.values.peek(), this.valuesName.peek()];
    return { values, name, isChanged: this.valuesChanged.peek() };
  }

  /** What it is now, for the way back from a moment. */
  #momentFor({ testData }: Moment): Moment {
    const moment = this.#moment();
    return testData ? { ...moment, testData: { ...this.#testData(), instead: testData.values } } : moment;
  }

  #restore({ document, selection, testData }: Moment): void {
    this.#show(document);
    // What was chosen since then stays.
    if (testData?.instead === this.values.peek()) this.showValues(testData.values, testData.name, testData.isChanged);
    this.select(selection.filter((name) => layersByName(document).has(name)));
  }

  #show(shown: RawDocument): void {
    const stored = inPixels(shown);
    const document = this.#viewed(stored);
    batch(() => {
      this.#stored.value = stored;
      this.#document.value = document;
    });
    this.#noteHistory();
    const index = layersByName(document);
    const selected = this.#selection.peek();
    const left = selected.filter((name) => index.has(name));
    if (left.length < selected.length) this.#selection.value = left;
    this.#settle();
    this.schedule();
  }

  #noteHistory(): void {
    this.canUndo.value = this.#history.canUndo;
    this.canRedo.value = this.#history.canRedo;
  }
}
