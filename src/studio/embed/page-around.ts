// The page around the editor: what it sends and is sent, over a MessagePort that the page's <platen-editor> opens.
//
// Whoever may frame the editor is decided by the browser, from `frame-ancestors`. Only the window around is heard, and
// its origin, as the browser tells it, goes to the server with each request, where it must be that of the token.

/** What opens the editor. */
interface Opening {
  readonly token: string;
  /** The origin of the page, as the browser tells it. */
  readonly origin: string;
  readonly look: Look;
}

/** How the page wants the editor to look; all of it comes from outside and is checked where it is used. */
export interface Look {
  /** Custom properties by name, without `--platen-`. */
  readonly theme?: unknown;
  readonly lang?: unknown;
  readonly logo?: unknown;
}

/** Methods that the page calls, by name. */
type Methods = Readonly<Record<string, (argument: unknown) => unknown>>;

export interface PageAround {
  readonly opening: Opening;
  /** Answers calls from now on; those that came before are answered too. */
  answer(methods: Methods): void;
  /** Tells the page of something. */
  tell(event: string, detail?: unknown): void;
  /** Tells the page of something, and waits for what it says to that. */
  ask(event: string, detail: unknown): Promise<unknown>;
}

interface Message {
  readonly call?: unknown;
  readonly id?: unknown;
  readonly argument?: unknown;
  readonly answer?: unknown;
  readonly value?: unknown;
}

/** Waits for the page around to open the editor. */
export function pageAround(): Promise<PageAround> {
  return new Promise((resolve) => {
    const onMessage = ({ source, origin, data, ports: [port] }: MessageEvent) => {
      const given = data as { platen?: unknown; token?: unknown } & Look;
      if (source !== parent || parent === window || given?.platen !== 'open' || !port) return;
      removeEventListener('message', onMessage);
      const { theme, lang, logo } = given;
      resolve(connect(port, { token: String(given.token ?? ''), origin, look: { theme, lang, logo } }));
    };
    addEventListener('message', onMessage);
    // It says nothing but that the editor is here, so any page may hear it.
    if (parent !== window) parent.postMessage({ platen: 'hello' }, '*');
  });
}

function connect(port: MessagePort, opening: Opening): PageAround {
  const waiting = new Map<number, (value: unknown) => void>();
  const early: Message[] = [];
  let methods: Methods | null = null;
  let last = 0;
  const run = async ({ call, id, argument }: Message) => {
    const method = Object.hasOwn(methods ?? {}, String(call)) ? methods?.[String(call)] : undefined;
    try {
      if (!method) throw new Error(`The editor has no method ${JSON.stringify(String(call))}.`);
      port.postMessage({ answer: id, value: await method(argument) });
    } catch (error) {
      port.postMessage({ answer: id, error: error instanceof Error ? error.message : String(error) });
    }
  };
  port.onmessage = ({ data }: MessageEvent<Message | null>) => {
    if (data?.call !== undefined) {
      if (methods) void run(data);
      else early.push(data);
    } else if (typeof data?.answer === 'number') {
      waiting.get(data.answer)?.(data.value);
      waiting.delete(data.answer);
    }
  };
  return {
    opening,
    answer(given) {
      methods = given;
      for (const message of early.splice(0)) void run(message);
    },
    tell: (event, detail) => port.postMessage({ event, detail }),
    ask: (event, detail) =>
      new Promise((resolve) => {
        last += 1;
        waiting.set(last, resolve);
        port.postMessage({ event, detail, id: last });
      }),
  };
}
