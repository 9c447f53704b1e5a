// The state of one open template in the editor: the document, the selection, what the canvas shows.
//
// Everything is a signal. Every change of the document goes through `edit` or through a drag, so that it can be undone.

import { batch, computed, type ReadonlySignal, signal } from '@preact/signals';
import { ValidationError } from '#core/diagnostics.ts';
import type { LocatedBox } from '#core/layout/located-boxes.ts';
import type { Shown } from '../design/shown-document.ts';
import { isOwn, OWN_VIEW, sizesOf, type View } from '../design/view.ts';
import type { Edit, Values } from '../document/document.ts';
import { findLayer, layersByName, outermost, type RawDocument, type RawLayer } from '../document/document.ts';
import { History, type Moment, type TestData } from '../document/history.ts';
import { inPixels } from '../document/in-pixels.ts';
import type { CellPlace } from '../document/table-edits.ts';
import type { Range } from '../document/word-styles.ts';
import type { EditorHost } from '../host.ts';
import type { Compositor, Picture } from '../scene/compositor.ts';
import type { EditLimits } from './edit-limits.ts';
import type { Preferences } from './preferences.ts';

export type Tool =
  | 'select'
  | 'hand'
  | 'text'
  | 'frame'
  | 'rect'
  | 'ellipse'
  | 'line'
  | 'image'
  | 'table'
  | 'chart'
  | 'qr'
  | 'barcode';
/** The tools that create a layer. */
export type DrawingTool = Exclude<Tool, 'select' | 'hand'>;

/** An error that prevents the document from being drawn. */
export interface Problem {
  readonly path: string;
  readonly message: string;
}

/** ms after which fonts and files that could not be loaded are tried again; longer than they are remembered. */
const AGAIN = 4_000;

/** What views of sizes and languages take, which is loaded with the first of them. */
type ViewTools = typeof import('../design/shown-document.ts') & typeof import('../design/absorb.ts');

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
  readonly tool = signal<Tool>('select');
  /** The layer whose text is edited in place. */
  readonly editingText = signal<string | null>(null);
  /** What was typed for that text before its field was there. */
  typedEarly = '';
  /** Selected in the text that is edited, UTF-16 offsets; null = no text is edited, or its field has not opened yet. */
  readonly textRange = signal<Range | null>(null);
  /** What the field of the edited text is to select next; null = leave it as it is. */
  readonly wantedRange = signal<Range | null>(null);
  /** The words that styles are for: selected in the text that is edited. Null = styles are for whole layers. */
  readonly chosenWords: ReadonlySignal<{ readonly name: string; readonly range: Range } | null>;
  /** The picture whose crop is edited in place. */
  readonly editingCrop = signal<string | null>(null);
  /** The cell of a table that is edited in place. */
  readonly editingCell = signal<{ readonly name: string; readonly place: CellPlace } | null>(null);
  /** The layer for which a dialog chooses a picture. */
  readonly choosingPicture = signal<string | null>(null);
  /** Values that the canvas is shown with; they are not stored in the template. */
  readonly values = signal<Values>({});
  /** What these values are called, such as a sample set's name; null when they were typed one by one. */
  readonly valuesName = signal<string | null>(null);
  /** Whether they differ from what is called so. */
  readonly valuesChanged = signal(false);
  /** The picture of the last document that could be drawn. */
  readonly picture = signal<Picture | null>(null);
  readonly problem = signal<Problem | null>(null);
  readonly isLoading = signal(true);
  /** Whether something is being dragged on the canvas. */
  readonly isDragging = signal(false);
  readonly canUndo = signal(false);
  readonly canRedo = signal(false);
  readonly preferences: Preferences;
  /** Of the editor in another site's page; null = none. */
  readonly limits: EditLimits | null;
  readonly compositor: Compositor;
  readonly host: EditorHost;
  /** The selected layers that still exist. */
  readonly selectedLayers: ReadonlySignal<readonly RawLayer[]>;
  /** Boxes of the selected layers, hidden ones included. */
  readonly selectedBoxes: ReadonlySignal<readonly LocatedBox[]>;

  readonly #document;
  readonly #stored;
  readonly #view = signal<View>(OWN_VIEW);
  #tools: ViewTools | null = null;
  /** What `document` was made of; null = it is the stored one. */
  #shown: Shown | null = null;
  /** The same when the drag began. */
  #draggedShown: Shown | null = null;
  readonly #selection = signal<readonly string[]>([]);
  readonly #history = new History<Moment>();
  #dragged: Moment | null = null;
  #frame = 0;

  /** @param limits null = everything may be edited */
  constructor(
    document: RawDocument,
    compositor: Compositor,
    preferences: Preferences,
    host: EditorHost,
    limits: EditLimits | null = null,
  ) {
    this.host = host;
    this.limits = limits;
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
      const name = this.editingText.value;
      const range = name === null ? null : this.textRange.value;
      return name !== null && range && range[0] < range[1] ? { name, range } : null;
    });
    this.selectedBoxes = computed(() => this.boxesOf(this.selection.value));
  }

  /** Edits a text in place. @param range selected at first; null = all of it */
  editText(name: string, range: Range | null = null): void {
    this.select([name]);
    this.wantedRange.value = range;
    this.editingText.value = name;
  }

  /**
   * Changes the document in one step.
   *
   * @param kind edits of one kind that follow closely are undone together
   * @param own a layer that is shown with its own content from then on, and with its test data again when that is undone
   */
  edit(
    edit: Edit,
    { kind = null, select, own }: { kind?: string | null; select?: readonly string[]; own?: string } = {},
  ): void {
    const before = this.document.peek();
    const after = edit(before);
    if (after !== before) this.#change(this.#absorbed(this.#stored.peek(), this.#shown, after), kind, own);
    if (select) this.select(select);
  }

  /** Changes the stored document, whatever is shown of it: its sizes, its texts, names of layers. */
  editStored(edit: Edit, kind: string | null = null): void {
    this.#change(edit(this.#stored.peek()), kind);
  }

  #change(stored: RawDocument, kind: string | null, own?: string): void {
    const before = this.#stored.peek();
    if (stored === before || this.limits?.refuse(before, stored)) return;
    const testData = this.#testData();
    const isOwn = own !== undefined && this.setValue(own, undefined);
    const moment = isOwn
      ? { ...this.#moment(), testData: { ...testData, instead: this.values.peek() } }
      : this.#moment();
    if (!this.#dragged) this.#history.record(moment, kind, performance.now());
    this.#show(stored);
  }

  /** An edit of what is shown, as it is stored. */
  #absorbed(stored: RawDocument, shown: Shown | null, after: RawDocument): RawDocument {
    if (!shown || !this.#tools) return after;
    // Who may not design a size changes the words that it has for itself, and all others everywhere.
    const apart = this.limits?.mayDesign === false ? 'own-words' : this.apart.peek();
    return this.#tools.absorbed(stored, shown, after, this.#view.peek(), apart);
  }

  /** Shows a size, or a language; both are loaded first. */
  async showView(view: View): Promise<void> {
    if (!isOwn(view)) {
      const parts = await Promise.all([import('../design/shown-document.ts'), import('../design/absorb.ts')]);
      this.#tools ??= { ...parts[0], ...parts[1] };
      const { designs } = this.compositor;
      for (let shown: unknown; !shown || shown instanceof Promise; ) {
        shown = this.#tools.shownDocument(this.#stored.peek(), view, designs);
        await shown;
      }
    }
    this.cancelDrag();
    this.editingText.value = null;
    this.editingCrop.value = null;
    this.editingCell.value = null;
    this.#history.close();
    batch(() => {
      this.#view.value = view;
      this.#show(this.#stored.peek());
    });
  }

  /** What a view shows of the stored document; without its size, or what it takes, that is the document itself. */
  #viewed(stored: RawDocument): RawDocument {
    this.#shown = null;
    const { size, lang } = this.#view.peek();
    const isThere = size !== null && Object.hasOwn(sizesOf(stored), size);
    const view: View = { size: isThere ? size : null, lang };
    if (isThere !== (size !== null)) this.#view.value = view;
    if (isOwn(view) || !this.#tools) return stored;
    try {
      const shown = this.#tools.shownDocument(stored, view, this.compositor.designs);
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
    this.#history.close();
    this.#dragged = this.#moment();
    this.#draggedShown = this.#shown;
    this.isDragging.value = true;
    return this.document.peek();
  }

  drag(document: RawDocument, select?: readonly string[]): void {
    if (!this.#dragged) return;
    if (document !== this.document.peek()) {
      const stored = this.#absorbed(this.#dragged.document, this.#draggedShown, document);
      if (!this.limits?.refuse(this.#stored.peek(), stored)) this.#show(stored);
    }
    if (select) this.select(select);
  }

  endDrag(): void {
    const before = this.#dragged;
    this.#dragged = null;
    this.isDragging.value = false;
    if (before && before.document !== this.#stored.peek()) this.#history.record(before, null, performance.now());
    this.#history.close();
    this.#noteHistory();
  }

  cancelDrag(): void {
    const before = this.#dragged;
    this.#dragged = null;
    this.isDragging.value = false;
    if (before) this.#restore(before);
  }

  undo(): void {
    this.#leave();
    const before = this.#history.undo((target) => this.#momentFor(target));
    if (before) this.#restore(before);
  }

  redo(): void {
    this.#leave();
    const after = this.#history.redo((target) => this.#momentFor(target));
    if (after) this.#restore(after);
  }

  select(names: readonly string[]): void {
    const current = this.#selection.peek();
    if (names.length === current.length && names.every((name, i) => name === current[i])) return;
    this.#selection.value = names;
    this.#leave();
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
    this.#dragged = null;
    this.isDragging.value = false;
    this.#show(document);
    this.select([]);
  }

  /** Composes in the next frame; several changes before it are composed once. */
  schedule(): void {
    this.#frame ||= requestAnimationFrame(() => {
      this.#frame = 0;
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
            setTimeout(() => this.schedule(), AGAIN);
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
    this.schedule();
  }

  #noteHistory(): void {
    this.canUndo.value = this.#history.canUndo;
    this.canRedo.value = this.#history.canRedo;
  }

  #leave(): void {
    const text = this.editingText.peek();
    if (text !== null && !this.#selection.peek().includes(text)) this.editingText.value = null;
    const cell = this.editingCell.peek();
    if (cell !== null && !this.#selection.peek().includes(cell.name)) this.editingCell.value = null;
    const crop = this.editingCrop.peek();
    if (crop !== null && !this.#selection.peek().includes(crop)) this.editingCrop.value = null;
  }
}
