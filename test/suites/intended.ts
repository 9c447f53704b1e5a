// Lists the fixtures of the public suites in which we differ on purpose, by reason.

export interface Intended {
  readonly reason: string;
  /** True for the texts that hb-shape shapes as expected; of all others it shapes none as expected. */
  readonly isOursAlone?: true;
  /** Several of one group are one entry: `SHLANA-1/24 25`. */
  readonly fixtures: readonly string[];
}

/** Why a fixture of taffy or yoga cannot be written as layers, by the causes that css-to-template.ts gives. */
export const NOT_EXPRESSIBLE: readonly { readonly reason: string; readonly causes: RegExp }[] = [
  {
    reason:
      'Frames are rows, columns, grids and stacks. Blocks with floats and collapsing margins are for html templates.',
    causes: /^(display: (block|flow-root)|float|text beside elements)$/,
  },
  {
    reason:
      'An absolute layer always refers to its own frame, which is what `position: relative` on every box would say.',
    causes: /^an absolute box in a static one$/,
  },
  { reason: 'A picture has no scroll bars; `clip` cuts both axes.', causes: /^overflow(: scroll| of one axis)$/ },
  { reason: 'The root is on the canvas, at its `x` and `y`.', causes: /^a (margin of|box around) the root$/ },
  {
    reason: 'Words that Chromium has alone, or that are drafts.',
    causes: /^(flex-wrap: (wrap-reverse )?balance|(width|height|flex-basis): stretch|flex-basis: content)$/,
  },
  {
    reason:
      'Alignment has the words `safe center` and `safe end` where content can be lost, and is otherwise physical.',
    causes: /^(alignment|justify-content|align-content)\b.*: /,
  },
  {
    reason: 'A template has at most 100 tracks a side, and names areas rather than lines.',
    causes:
      /^(more tracks than a template may name|track: repeat|a line by name|an area of an absolute box up to the edge)$/,
  },
  {
    reason: 'Sizes are of the border box, and at most 100,000 px.',
    causes: /^(box-sizing: content-box|padding: %|(max-)?(width|height): \d)/,
  },
  {
    reason: 'Only texts are vertical, and nothing is laid out apart from its content.',
    causes: /^(writing-mode of boxes|contain)$/,
  },
];

/** By suite. */
export const INTENDED: Readonly<Record<string, readonly Intended[]>> = {
  taffy: [
    {
      reason: 'A box with an aspect ratio and a least width is as high as its rows; CSS keeps the ratio.',
      fixtures: ['grid/grid_aspect_ratio_fill_child_min_height'],
    },
    {
      reason:
        'A percentage of the height of a frame that grew is of the height that it grew to; CSS takes it for `auto` where the frame around has no height of its own.',
      fixtures: ['flex/flex_percent_propagates_through_nested_flex_container'],
    },
    {
      reason:
        'A percentage of a height that the content makes is the content’s own; CSS lays the frame out again with that height.',
      fixtures: ['flex/wrap_column_definite_main_size_percent_basis'],
    },
  ],
  yoga: [],
  'text-rendering-tests': [
    {
      reason: 'Apple Advanced Typography (morx, kerx): HarfBuzz’s build for WebAssembly has none of it.',
      isOursAlone: true,
      fixtures: [
        'MORX-1/1',
        'MORX-10/1',
        'MORX-11/1',
        'MORX-12/1 2 3',
        'MORX-13/1',
        'MORX-14/1',
        'MORX-16/1',
        'MORX-17/1',
        'MORX-18/1 2 3',
        'MORX-19/1 2',
        'MORX-2/1 2 3 4 5 6 7 8 9 10 11 12 13 14 15',
        'MORX-20/1 2 3 4 6',
        'MORX-21/1',
        'MORX-22/1',
        'MORX-23/1',
        'MORX-25/1 3 4 6',
        'MORX-26/2',
        'MORX-27/1 2 3',
        'MORX-28/1 2 3 4 5',
        'MORX-29/1 2 3 4',
        'MORX-30/1 2 3 4',
        'MORX-31/1 2 3 4 5 6 7 8',
        'MORX-32/1 2 3 4',
        'MORX-33/1 2',
        'MORX-35/1 2',
        'MORX-37/1 4',
        'MORX-38/1 3',
        'MORX-39/2 3',
        'MORX-4/3 5 7 8 9 10 11 12 13 14 15',
        'MORX-40/2 4',
        'MORX-41/1 2',
        'MORX-6/1',
        'MORX-7/1',
        'MORX-8/1 2',
        'MORX-9/1',
      ],
    },
    {
      reason: 'Tai Tham: HarfBuzz shows a dotted circle where the universal shaping engine finds a broken cluster.',
      fixtures: [
        'SHLANA-1/24 25 26 27 34 35 43 44',
        'SHLANA-10/2 3 4 5 6 7 8 10 11 12 13 16 21 23 24 25 27 28 29 30 36 38 39 40 42 43 45 46 47',
        'SHLANA-2/2 3 4 7 12 14 16 30 33 34 35 36',
        'SHLANA-3/1 2 3',
        'SHLANA-4/1',
        'SHLANA-5/5 8 11 13',
        'SHLANA-6/2',
        'SHLANA-7/1 3 4 5 6 7 9 11 12 13 14 15 17 18',
        'SHLANA-8/1 2 4 5 6',
        'SHLANA-9/4 6',
      ],
    },
    {
      reason: 'A font that maps Mac OS Turkish alone: HarfBuzz reads Unicode, symbol and Mac OS Roman maps.',
      fixtures: ['CMAP-3/1 4 5 7 8 9 10 11 14 15 16 18 19 20'],
    },
    {
      reason: 'A font with glyf and CFF outlines that says it has CFF: HarfBuzz draws glyf.',
      fixtures: ['SFNT-1/1 2'],
    },
  ],
};
