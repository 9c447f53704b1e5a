// <platen-editor src token>: the editor of a Platen server in a page of yours.
//
// It is an iframe of the server's page and a MessagePort to it. The token goes over the port, never into an address, and
// no cookie is needed. What the editor's document may do is decided by the token, which your server signs.

/** The custom properties that reach the editor, each as `--platen-<name>`. */
const THEMED =
  'color-scheme accent accent-hover accent-text accent-soft on-accent back surface raised canvas field line line-strong text text-2 text-3 ring radius-1 radius-2 radius-3'.split(
    ' ',
  );

/** How long the frame's page may take to say that it is the editor, ms after it was loaded. */
const PATIENCE = 15_000;

/** A template document, as the API takes it. */
export type TemplateDocument = Readonly<Record<string, unknown>>;

export interface DownloadOptions {
  /** Default: png. */
  readonly output?: 'png' | 'jpeg' | 'webp' | 'avif' | 'svg' | 'pdf';
  /** Device px per canvas px, 0.1 to 3; default 1. */
  readonly scale?: number;
}

/** What the events have in `detail`. */
export interface PlatenEditorEvents {
  /** The document can be edited. */
  ready: { readonly template: string | null; readonly rights: string; readonly save: string };
  /** The document was changed; at most three times a second. */
  change: { readonly document: TemplateDocument };
  /** The draft was saved, or the user has finished and hands the document back. */
  save: { readonly document: TemplateDocument };
  /** The document was published as a version. */
  publish: { readonly version: number; readonly document: TemplateDocument };
  /**
   * The user wants another picture. `preventDefault()`, then `choose` its address or the id of an image of the account,
   * or null for none; otherwise the editor asks the user for a file or an address.
   */
  'picture-wanted': { readonly layer: string; choose(source: string | null): void };
  /** The token is no longer accepted: set `token` to a new one, and the work goes on. */
  expired: undefined;
  /** The editor could not be opened. */
  error: { readonly message: string };
}

interface Message {
  readonly event?: keyof PlatenEditorEvents;
  readonly detail?: Readonly<Record<string, unknown>>;
  readonly id?: number;
  readonly answer?: number;
  readonly value?: unknown;
  readonly error?: string;
}

interface Waiting {
  resolve(value: unknown): void;
  reject(error: Error): void;
}

// A server has no elements, but may import this module.
const Base = globalThis.HTMLElement ?? (class {} as unknown as typeof HTMLElement);

export class PlatenEditor extends Base {
  static readonly observedAttributes = ['src', 'token', 'lang', 'logo'];
  #port: MessagePort | null = null;
  readonly #waiting = new Map<number, Waiting>();
  /** Calls that were made before the editor was there. */
  #early: (readonly [number, string, unknown])[] = [];
  #last = 0;
  #patience: ReturnType<typeof setTimeout> | undefined;

  connectedCallback(): void {
    const frame = document.createElement('iframe');
    frame.title = this.getAttribute('title') ?? 'Template editor';
    frame.allow = 'clipboard-read; clipboard-write';
    frame.style.cssText = 'display:block;width:100%;height:100%;border:0';
    if (!this.style.display) this.style.display = 'block';
    const source = this.getAttribute('src');
    if (source !== null) frame.src = source;
    // A page that may not be shown here is replaced by the browser's own, which counts as loaded and says nothing.
    frame.onload = () => {
      clearTimeout(this.#patience);
      if (this.getAttribute('src') !== null && !this.#port)
        this.#patience = setTimeout(() => this.#sayUnanswered(), PATIENCE);
    };
    addEventListener('message', this.#onMessage);
    this.replaceChildren(frame);
  }

  disconnectedCallback(): void {
    removeEventListener('message', this.#onMessage);
    clearTimeout(this.#patience);
    this.#port?.close();
    this.#port = null;
    for (const { reject } of this.#waiting.values()) reject(new Error('The editor was removed from the page.'));
    this.#waiting.clear();
    this.#early = [];
  }

  attributeChangedCallback(name: string, before: string | null, after: string | null): void {
    // Before the editor is there, all attributes are read when it asks for them.
    if (before === after || !this.firstElementChild) return;
    if (name === 'src') {
      this.disconnectedCallback();
      this.connectedCallback();
    } else if (!this.#port) return;
    else if (name === 'token') void this.#call('setToken', after);
    else void this.refreshLook();
  }

  /** Your server's token; a new one takes the place of one that has expired. */
  set token(token: string) {
    this.setAttribute('token', token);
  }

  get token(): string | null {
    return this.getAttribute('token');
  }

  /** Replaces the document, as far as the token allows that. Can be undone; in an empty canvas it cannot. */
  async load(document: TemplateDocument): Promise<void> {
    await this.#call('load', document);
  }

  /** Shows the document with these values by layer; they are not stored in it. */
  async setData(values: Readonly<Record<string, unknown>>): Promise<void> {
    await this.#call('setData', values);
  }

  getDocument(): Promise<TemplateDocument> {
    return this.#call('getDocument') as Promise<TemplateDocument>;
  }

  /** The document as a file, drawn by the server with the values of `setData`. */
  download(options: DownloadOptions = {}): Promise<Blob> {
    return this.#call('download', options) as Promise<Blob>;
  }

  /** Takes over custom properties that were changed since the editor was opened. */
  async refreshLook(): Promise<void> {
    await this.#call('setLook', await this.#look());
  }

  readonly #onMessage = async ({ source, origin, data }: MessageEvent): Promise<void> => {
    const frame = this.firstElementChild as HTMLIFrameElement | null;
    if (!frame || source !== frame.contentWindow || data?.platen !== 'hello' || origin !== new URL(frame.src).origin)
      return;
    clearTimeout(this.#patience);
    const look = await this.#look();
    const { port1, port2 } = new MessageChannel();
    this.#port?.close();
    this.#port = port1;
    port1.onmessage = ({ data }) => this.#receive(data);
    frame.contentWindow?.postMessage({ platen: 'open', token: this.token, ...look }, origin, [port2]);
    for (const [id, call, argument] of this.#early.splice(0)) port1.postMessage({ call, id, argument });
  };

  #sayUnanswered(): void {
    const message =
      `The page ${this.getAttribute('src')} did not open as an editor. See that its account allows the origin ` +
      `${location.origin} (in the studio, or by "platen account origins --allow ${location.origin}"), and that the ` +
      'address is that of the server, with the account: /studio/embed/acc_….';
    this.dispatchEvent(new CustomEvent('error', { detail: { message } }));
  }

  #receive({ event, detail, id, answer, value, error }: Message): void {
    if (answer !== undefined) {
      const waiting = this.#waiting.get(answer);
      this.#waiting.delete(answer);
      if (error === undefined) waiting?.resolve(value);
      else waiting?.reject(new Error(error));
      return;
    }
    if (event === undefined) return;
    const choose = (source: string | null) => this.#port?.postMessage({ answer: id, value: source });
    const given = id === undefined ? detail : { ...detail, choose };
    const isUnhandled = this.dispatchEvent(new CustomEvent(event, { detail: given, cancelable: id !== undefined }));
    if (id !== undefined && isUnhandled) this.#port?.postMessage({ answer: id });
  }

  #call(call: string, argument?: unknown): Promise<unknown> {
    return new Promise((resolve, reject) => {
      this.#last += 1;
      this.#waiting.set(this.#last, { resolve, reject });
      if (this.#port) this.#port.postMessage({ call, id: this.#last, argument });
      else this.#early.push([this.#last, call, argument]);
    });
  }

  async #look(): Promise<object> {
    const styles = getComputedStyle(this);
    const theme = Object.fromEntries(
      THEMED.map((name) => [name, styles.getPropertyValue(`--platen-${name}`).trim()]).filter(([, value]) => value),
    );
    const address = this.getAttribute('logo');
    const logo =
      address &&
      (await fetch(address).then(
        (response) => (response.ok ? response.blob() : null),
        () => null,
      ));
    return { theme, lang: this.lang || document.documentElement.lang, logo };
  }
}

if (globalThis.customElements && !customElements.get('platen-editor')) {
  customElements.define('platen-editor', PlatenEditor);
}

declare global {
  interface HTMLElementTagNameMap {
    'platen-editor': PlatenEditor;
  }
}
