// What the server counts about itself, in the text format of Prometheus (exposition format 0.0.4).
//
// Counters are told what happens, gauges are asked when somebody looks. Labels come from our own lists, never from a
// request, so the number of series is bounded.

type Labels = Readonly<Record<string, string | number>>;
/** Values by their labels. */
type Samples = readonly (readonly [Labels, number])[];

interface Metric {
  readonly name: string;
  readonly help: string;
  readonly kind: 'counter' | 'gauge';
  readonly read: () => Samples | Promise<Samples>;
}

/** Adds up, by labels. */
export class Counter {
  readonly #values = new Map<string, { readonly labels: Labels; value: number }>();

  add(labels: Labels, amount = 1): void {
    const key = JSON.stringify(labels);
    const entry = this.#values.get(key) ?? { labels, value: 0 };
    entry.value += amount;
    this.#values.set(key, entry);
  }

  get samples(): Samples {
    return [...this.#values.values()].map(({ labels, value }) => [labels, value]);
  }
}

export class Metrics {
  readonly #metrics: Metric[] = [];

  counter(name: string, help: string): Counter {
    const counter = new Counter();
    this.#metrics.push({ name, help, kind: 'counter', read: () => counter.samples });
    return counter;
  }

  /** @param read one value, or several by their labels; asked whenever the metrics are */
  gauge(name: string, help: string, read: () => number | Samples | Promise<Samples>): void {
    this.#metrics.push({
      name,
      help,
      kind: 'gauge',
      read: async () => {
        const value = await read();
        return typeof value === 'number' ? [[{}, value]] : value;
      },
    });
  }

  async text(): Promise<string> {
    const parts = await Promise.all(
      this.#metrics.map(async ({ name, help, kind, read }) => {
        const lines = (await read()).map(([labels, value]) => `${name}${labelText(labels)} ${value}`);
        return [`# HELP ${name} ${help}`, `# TYPE ${name} ${kind}`, ...lines].join('\n');
      }),
    );
    return `${parts.join('\n')}\n`;
  }
}

function labelText(labels: Labels): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escapeLabel(String(value))}"`);
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`;
}

const escapeLabel = (value: string) => value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');
