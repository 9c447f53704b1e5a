// Joins the studio's modules into few chunks, by what loads them: a browser fetches six files at a time from a server without
// HTTP/2, and what is compressed together is smaller.

import type { Rolldown } from 'vite';

/** The modules that begin each part of the studio. */
const PARTS: Readonly<Record<string, RegExp>> = {
  shell: /src\/studio\/(?:shell\/(?:main|frame)\.tsx|(?:embed|module)\/main\.tsx?)/,
  'sign-in': /src\/studio\/pages\/sign-in\//,
  pages: /src\/studio\/pages\/(?!sign-in\/)/,
  editor: /src\/studio\/editor\/(?:editor|layers-editor)\.tsx/,
  embed: /src\/studio\/(?:embed|module)\/open\.tsx/,
  designs:
    /src\/studio\/editor\/(?:core\/(?:design\/(?:plain-document|without-brand|shown-document|absorb)|state\/make-component)|design\/(?:texts-dialog|other-sizes|component-section|views-bar|pages-bar))\./,
  library: /src\/studio\/editor\/(?:library\/library-panel|inspector\/font-list)\.tsx/,
  dialogs:
    /src\/studio\/(?:parts\/(?:publish|download|picture)-dialog|editor\/(?:canvas\/crop-editor|panels\/(?:palette|exact-pixels)|inspector\/(?:fill-panel|points-field|runs-field)|html\/html-editor))\.tsx/,
  values: /src\/core\/resolve\/calculate\.ts/,
  documents: /src\/core\/(?:layout\/layout|resolve\/resolve|pages\/compose-pages|chart\/draw-chart)\.ts/,
  tables: /src\/studio\/editor\/(?:data\/data-panel|inspector\/table-panel)\.tsx/,
  code: /src\/studio\/editor\/(?:json\/json-editor|html\/code-editor)\.ts/,
};

/** For Rolldown's `output.codeSplitting`: what no part has, such as the encoder of barcodes, keeps a chunk of its own. */
export function fewChunks(): Rolldown.CodeSplittingOptions {
  let chunkOf: ReadonlyMap<string, string> | null = null;
  return {
    includeDependenciesRecursively: false,
    groups: [
      {
        debugName: 'few chunks',
        name(id, modules) {
          chunkOf ??= assigned(id, (one) => modules.getModuleInfo(one));
          return chunkOf.get(id) ?? null;
        },
      },
    ],
  };
}

type ModuleInfo = Pick<
  Rolldown.ModuleInfo,
  'importedIds' | 'dynamicallyImportedIds' | 'importers' | 'dynamicImporters'
>;

/**
 * The chunk of each module: of the first part that has it; what pages have in common with the editor, or with its tables, is a chunk too;
 * what signing in has in common with others is in the shell. Exported for its test.
 *
 * @param any module, from which all others are found
 */
export function assigned(any: string, infoOf: (id: string) => ModuleInfo | null): ReadonlyMap<string, string> {
  const reach = (from: readonly string[], next: (info: ModuleInfo) => readonly string[]) => {
    const reached = new Set<string>();
    const left = [...from];
    for (let id = left.pop(); id !== undefined; id = left.pop()) {
      const info = reached.has(id) ? null : infoOf(id);
      reached.add(id);
      if (info) left.push(...next(info));
    }
    return reached;
  };
  const all = reach([any], (info) => [
    ...info.importedIds,
    ...info.dynamicallyImportedIds,
    ...info.importers,
    ...info.dynamicImporters,
  ]);
  const parts = Object.entries(PARTS).map(([name, begin]) => {
    const own = [...all].filter((id) => begin.test(id));
    return [name, reach(own, ({ importedIds }) => importedIds)] as const;
  });
  const chunks = new Map<string, string>();
  for (const id of all) {
    // A page executes its own entry alone.
    if (/\.html$|\/main\.tsx?$/.test(id)) continue;
    const names = parts.filter(([, has]) => has.has(id)).map(([name]) => name);
    const [first] = names;
    if (first === undefined) continue;
    const isShared = names.length > 1;
    if (first === 'sign-in' && isShared) chunks.set(id, 'shell');
    else chunks.set(id, first === 'pages' && isShared ? (names.includes('editor') ? 'fields' : 'sheets') : first);
  }
  return chunks;
}
