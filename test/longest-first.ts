import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * Files that take longest, by the end of their paths. By size, as vitest orders files that it has not run before, some
 * of them would come last, and one worker would run them while the others are done.
 */
const LONGEST = [
  'golden/golden.test.ts',
  'nodes/many-nodes.test.ts',
  'nodes/migrate-to.test.ts',
  'studio/races.test.ts',
  'nodes/outages.test.ts',
  'heavy/contract-tools.heavy.ts',
  'heavy/canaries.heavy.ts',
  'studio/marketer.heavy.ts',
  'heavy/soak.heavy.ts',
  'heavy/slow-sockets.heavy.ts',
  'editor/editor.heavy.ts',
  'editor/kept-work.heavy.ts',
  'editor/at-work.heavy.ts',
  'studio/pages.heavy.ts',
  'studio/invoice.heavy.ts',
  'studio/dialogs.heavy.ts',
  'studio/module.heavy.ts',
  'heavy/image-memory.heavy.ts',
  'heavy/many-at-once.heavy.ts',
  'heavy/edge.heavy.ts',
  'heavy/fuzz.heavy.ts',
  'test/start.heavy.ts',
  'heavy/docs.heavy.ts',
  'heavy/quick-kills.heavy.ts',
  'heavy/jobs-drain.heavy.ts',
  'heavy/font-memory.heavy.ts',
  'heavy/thread-starts.heavy.ts',
  'heavy/jobs-survive-kills.heavy.ts',
  // Its packages are used by others (heavy/packed.ts), which therefore come last.
  'heavy/release.heavy.ts',
  'heavy/one-account-memory.heavy.ts',
  'heavy/one-account-nodes.heavy.ts',
  'heavy/lane.heavy.ts',
  'heavy/rolling-upgrade.heavy.ts',
  'heavy/nodes-survive-kills.heavy.ts',
  'heavy/text-attacks.heavy.ts',
  'heavy/one-account-share.heavy.ts',
];

/** Starts the longest files first, so that all workers end at about the same time. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification) => {
      const index = LONGEST.findIndex((path) => moduleId.endsWith(path));
      return index < 0 ? LONGEST.length : index;
    };
    return (await super.sort(files)).toSorted((a, b) => place(a) - place(b));
  }

  /** Deals the files out in this order, so that all shards (`--shard=1/2`) take about the same time. */
  override async shard(files: TestSpecification[]): Promise<TestSpecification[]> {
    const { index = 1, count = 1 } = this.ctx.config.shard ?? {};
    return (await this.sort(files)).filter((_, place) => place % count === index - 1);
  }
}
