// The order of the documentation: sections and their pages. Pages that do not exist are skipped; pages that are not
// listed come last, so that none is lost.

export interface Section {
  readonly title: string;
  /** File names in docs, without `.md`. */
  readonly pages: readonly string[];
}

export const HOME = 'index';

const SECTIONS: readonly Section[] = [
  {
    title: 'Start',
    pages: ['quickstart', 'first-design', 'first-invoice', 'install', 'studio-overview', 'studio-editor'],
  },
  { title: 'Design', pages: ['templates', 'layers', 'modifications', 'one-design', 'fonts', 'documents', 'html'] },
  {
    title: 'Integrate',
    pages: [
      'api',
      'signed-urls',
      'webhooks',
      'screenshots',
      'clients',
      'embedding',
      'editor-module',
      'automation',
      'recipes',
      'edge',
      'command-line',
      'mistakes',
    ],
  },
  {
    title: 'Operate',
    pages: [
      'configuration',
      'operating',
      'studio',
      'several-servers',
      'object-storage',
      'moving-and-keeping',
      'erasing-data',
      'observability',
    ],
  },
  { title: 'Decide', pages: ['benchmarks', 'moving', 'limits'] },
];

/** @param present names of the existing pages */
export function navigation(present: ReadonlySet<string>): readonly Section[] {
  const named = new Set([HOME, ...SECTIONS.flatMap(({ pages }) => pages)]);
  const others = [...present].filter((name) => !named.has(name)).sort();
  return [...SECTIONS, { title: 'More', pages: others }]
    .map(({ title, pages }) => ({ title, pages: pages.filter((name) => present.has(name)) }))
    .filter(({ pages }) => pages.length > 0);
}
