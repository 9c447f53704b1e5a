// Counts what the server reports about itself, in the Prometheus text format (exposition format 0.0.4).
//
// Counters and histograms are updated by events, gauges are read at each scrape. Label values come from fixed lists,
// never from a request, so the number of series is bounded.

type Labels = Readonly<Record<string, string | number>>;
/** Values by label set. */
type Samples = readonly (readonly [Labels, number])[];

interface Metric {
  readonly name: string;
  readonly help: string;
  readonly kind: 'counter' | 'gauge' | 'histogram';
  /** Samples by suffix of the metric's name. */
  readonly read: () => Series | Promise<Series>;
}

/** `''`, or `_bucket`, `_sum`, `_count` of a histogram. */
type Series = readonly (readonly [suffix: string, Samples])[];

/** A counter, by labels. */
export class MetricCounter {
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

interface Tally {
  readonly labels: Labels;
  /** By bucket, not cumulative; the last bucket is above all bounds. */
  readonly counts: number[];
  sum: number;
}

/** Counts values per bucket, by labels. */
export class Histogram {
  readonly #bounds: readonly number[];
  readonly #tallies = new Map<string, Tally>();

  /**
   * @param bounds upper bounds, inclusive, ascending
   */
  constructor(bounds: readonly number[]) {
    this.#bounds = bounds;
  }

  observe(labels: Labels, value: number): void {
    const key = JSON.stringify(labels);
    let tally = this.#tallies.get(key);
    if (!tally) {
      tally = { labels, counts: Array(this.#bounds.length + 1).fill(0), sum: 0 };
      this.#tallies.set(key, tally);
    }
    const found = this.#bounds.findIndex((bound) => value <= bound);
    const bucket = found < 0 ? this.#bounds.length : found;
    tally.counts[bucket] = (tally.counts[bucket] ?? 0) + 1;
    tally.sum += value;
  }

  get series(): Series {
    const buckets: (readonly [Labels, number])[] = [];
    const sums: (readonly [Labels, number])[] = [];
    const totals: (readonly [Labels, number])[] = [];
    for (const { labels, counts, sum } of this.#tallies.values()) {
      let below = 0;
      for (const [index, count] of counts.entries()) {
        below += count;
        buckets.push([{ ...labels, le: this.#bounds[index] ?? '+Inf' }, below]);
      }
      sums.push([labels, sum]);
      totals.push([labels, below]);
    }
    return [
      ['_bucket', buckets],
      ['_sum', sums],
      ['_count', totals],
    ];
  }
}

export class Metrics {
  readonly #metrics: Metric[] = [];

  counter(name: string, help: string): MetricCounter {
    const counter = new MetricCounter();
    this.#metrics.push({ name, help, kind: 'counter', read: () => [['', counter.samples]] });
    return counter;
  }

  /**
   * @param bounds of the buckets, ascending; a last one above them all is added
   */
  histogram(name: string, help: string, bounds: readonly number[]): Histogram {
    const histogram = new Histogram(bounds);
    this.#metrics.push({ name, help, kind: 'histogram', read: () => histogram.series });
    return histogram;
  }

  /**
   * @param read returns one value, or several by label; called at each scrape
   */
  gauge(name: string, help: string, read: () => number | Samples | Promise<Samples>): void {
    this.#metrics.push({
      name,
      help,
      kind: 'gauge',
      read: async () => {
        const value = await read();
        return [['', typeof value === 'number' ? [[{}, value]] : value]];
      },
    });
  }

  async text(): Promise<string> {
    const parts = await Promise.all(
      this.#metrics.map(async ({ name, help, kind, read }) => {
        const lines = (await read()).flatMap(([suffix, samples]) =>
          samples.map(([labels, value]) => `${name}${suffix}${labelText(labels)} ${value}`),
        );
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
