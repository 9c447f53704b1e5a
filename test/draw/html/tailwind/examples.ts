// Static pages in the manner of Tailwind's documentation, by the utility that each shows.
//
// `photo` stands for the address of a photo. Every page is 320 × 160 px.

export const CANVAS = { width: 320, height: 160 };

/** What is around each example. */
export const pageOf = (example: string): string => `<body class="p-4 text-sm text-slate-900">${example}</body>`;

const TILE = 'flex items-center justify-center rounded-lg bg-sky-500 p-2 font-bold text-white';
const tile = (text: string, classes = '') => `<div class="${TILE} ${classes}">${text}</div>`;
/** Tiles with the numbers from 1. */
const tiles = (count: number, classes = '') =>
  Array.from({ length: count }, (_, i) => tile(String(i + 1), classes)).join('');
const rows = (...classes: readonly string[]) =>
  `<div class="flex flex-col gap-2">${classes.map((each) => `<div class="${each}">${each}</div>`).join('')}</div>`;
const swatches = (base: string, ...classes: readonly string[]) =>
  `<div class="flex flex-wrap gap-3">${classes.map((each) => `<div class="${base} ${each}"></div>`).join('')}</div>`;
const photos = (base: string, ...classes: readonly string[]) =>
  `<div class="flex gap-3">${classes.map((each) => `<img class="${base} ${each}" src="photo">`).join('')}</div>`;
const WORDS = 'The quick brown fox jumps over the lazy dog while nine wizards box with care.';
const TABLE = (table: string, cell: string) =>
  `<table class="${table}"><thead><tr><th class="${cell}">State</th><th class="${cell}">City</th></tr></thead><tbody><tr><td class="${cell}">Indiana</td><td class="${cell}">Indianapolis</td></tr><tr><td class="${cell}">Ohio</td><td class="${cell}">Columbus</td></tr></tbody></table>`;

type Examples = Readonly<Record<string, string | readonly string[]>>;

const LAYOUT: Examples = {
  'aspect-ratio': [
    '<div class="flex gap-2"><div class="aspect-square w-16 bg-sky-500"></div><div class="aspect-video w-24 bg-pink-500"></div><div class="aspect-3/2 h-16 bg-amber-500"></div></div>',
    '<img class="aspect-3/2 w-36 object-cover" src="photo">',
  ],
  columns:
    '<div class="columns-3 gap-4"><div class="aspect-square bg-sky-500"></div><div class="aspect-video bg-sky-300"></div></div>',
  'box-decoration-break': `<p class="w-40 text-lg"><span class="box-decoration-clone bg-linear-to-r from-indigo-600 to-pink-500 px-2 text-white">Hello<br>World</span></p>`,
  'box-sizing': [
    '<div class="box-border size-28 border-4 border-indigo-300 bg-indigo-600 p-4"></div>',
    '<div class="box-content size-20 border-4 border-indigo-300 bg-indigo-600 p-4"></div>',
  ],
  display: [
    '<p>When <span class="inline">inline</span>, <span class="inline-block bg-sky-200 px-2">inline-block</span> and <span class="block bg-pink-200">block</span> meet.</p>',
    `<div class="flow-root bg-slate-100"><div class="my-4 bg-sky-300">Well, let me tell you</div></div>`,
    `<p>An <span class="inline-flex items-baseline gap-1"><img class="size-4 self-center rounded-full" src="photo"><span>inline flex</span></span> in a line</p>`,
    `<div class="inline-grid grid-cols-3 gap-2">${tiles(6)}</div>`,
    `<div class="flex gap-3">${tile('01')}${tile('02', 'hidden')}${tile('03')}</div>`,
    `<div class="flex flex-col gap-2 bg-slate-100"><div class="contents">${tile('a')}${tile('b')}</div></div>`,
  ],
  float: [
    `<div class="w-72"><img class="float-right ml-4 size-16" src="photo">${WORDS}</div>`,
    `<div class="w-72"><img class="float-left mr-4 size-16" src="photo">${WORDS}</div>`,
  ],
  clear: `<div><img class="float-left mr-4 size-12" src="photo"><img class="float-right ml-4 h-20 w-12" src="photo"><p class="clear-left">${WORDS}</p></div>`,
  isolation: '<div class="isolate bg-amber-200 p-4"><div class="size-16 bg-sky-400 mix-blend-multiply"></div></div>',
  'object-fit': [
    photos('size-24 bg-slate-200', 'object-cover', 'object-contain'),
    photos('h-24 w-16 bg-slate-200', 'object-fill', 'object-none', 'object-scale-down'),
  ],
  'object-position': photos('size-20 object-cover', 'object-left', 'object-bottom-right', 'object-[25%_75%]'),
  overflow: [
    `<div class="overflow-hidden rounded-lg bg-slate-100 h-16 w-40">${WORDS} ${WORDS}</div>`,
    `<div class="overflow-clip bg-slate-100 size-20"><div class="size-40 rounded-full bg-sky-500"></div></div>`,
  ],
  position: [
    `<div class="relative h-24 w-64 bg-slate-200"><p class="p-2">Relative parent</p>${tile('Absolute child', 'absolute bottom-0 left-0')}</div>`,
    `<div class="static h-24 bg-slate-200"><div class="static">Static</div><div class="inline-block bg-sky-200">Static sibling</div></div>`,
  ],
  inset: [
    `<div class="relative h-28 w-64 bg-slate-200">${tile('01', 'absolute top-0 left-0 size-12')}${tile('02', 'absolute inset-x-20 top-0 h-8')}${tile('03', 'absolute right-0 bottom-0 size-12')}${tile('04', 'absolute inset-y-14 left-4 w-10')}</div>`,
    `<div class="relative h-28 w-64 bg-slate-200"><div class="absolute inset-4 bg-pink-400"></div><div class="absolute -top-2 -right-2 size-8 bg-sky-500"></div><div class="absolute inset-1/4 bg-amber-300"></div></div>`,
    `<div class="relative h-28 w-64 bg-slate-200"><div class="absolute start-2 top-2 size-8 bg-sky-500"></div><div class="absolute end-2 top-1/2 size-8 bg-pink-500"></div></div>`,
  ],
  visibility: `<div class="grid grid-cols-3 gap-4">${tile('01')}${tile('02', 'invisible')}${tile('03', 'visible')}</div>`,
  'z-index': `<div class="relative h-28">${[50, 40, 30, 20].map((z, i) => tile(String(z), `absolute top-4 size-14 z-${z} left-${i * 10} border-2 border-white`)).join('')}</div>`,
};

const FLEX: Examples = {
  'flex-basis': `<div class="flex flex-row">${tile('01', 'basis-64')}${tile('02', 'basis-64')}${tile('03', 'basis-128')}</div>`,
  'flex-basis of a share': `<div class="flex flex-row">${tile('01', 'basis-1/3')}${tile('02', 'basis-2/3 bg-pink-500')}</div>`,
  'flex-direction': [
    `<div class="flex flex-row-reverse gap-2">${tiles(3)}</div>`,
    `<div class="flex flex-col gap-1">${tiles(3, 'py-0.5')}</div>`,
    `<div class="flex flex-col-reverse gap-1">${tiles(3, 'py-0.5')}</div>`,
  ],
  'flex-wrap': [
    `<div class="flex flex-wrap gap-2">${tiles(5, 'w-20')}</div>`,
    `<div class="flex flex-nowrap gap-2">${tiles(5, 'w-20')}</div>`,
    `<div class="flex flex-wrap-reverse gap-2">${tiles(5, 'w-20')}</div>`,
  ],
  flex: [
    `<div class="flex gap-2">${tile('01', 'w-14 flex-none')}${tile('02', 'w-64 flex-1')}${tile('03', 'w-32 flex-1')}</div>`,
    `<div class="flex gap-2">${tile('01', 'w-14 flex-none')}${tile('02', 'w-32 flex-initial')}${tile('03', 'w-16 flex-auto')}</div>`,
  ],
  'flex-grow': `<div class="flex gap-2">${tile('01', 'size-14 flex-none')}${tile('02', 'size-14 grow')}${tile('03', 'size-14 grow-0')}${tile('4', 'size-8 grow-[3]')}</div>`,
  'flex-shrink': `<div class="flex gap-2">${tile('01', 'h-14 w-40 shrink-0')}${tile('02', 'h-14 w-64 shrink')}</div>`,
  order: `<div class="flex justify-between">${tile('01', 'order-3')}${tile('02', 'order-1')}${tile('03', 'order-2')}${tile('4', 'order-first')}${tile('5', '-order-1')}</div>`,
  'grid-template-columns': [
    `<div class="grid grid-cols-4 gap-2">${tiles(7)}</div>`,
    `<div class="grid grid-cols-[80px_1fr_20%] gap-2">${tiles(3)}</div>`,
    `<div class="grid grid-cols-4 gap-2">${tile('1', 'col-span-4')}<div class="col-span-3 col-start-2 grid grid-cols-subgrid">${tile('2', 'col-start-2')}</div></div>`,
  ],
  'grid-column': [
    `<div class="grid grid-cols-3 gap-2">${tiles(3)}${tile('4', 'col-span-2')}${tile('5')}${tile('6')}${tile('7', 'col-span-2')}</div>`,
    `<div class="grid grid-cols-6 gap-2">${tile('1', 'col-span-4 col-start-2')}${tile('2', 'col-start-1 col-end-3')}${tile('3', 'col-span-2 col-end-7')}${tile('4', 'col-start-1 col-end-7')}</div>`,
  ],
  'grid-template-rows': `<div class="grid grid-flow-col grid-rows-3 gap-2">${tiles(8, 'py-1')}</div>`,
  'grid-row': [
    `<div class="grid grid-flow-col grid-rows-3 gap-2">${tile('01', 'row-span-3')}${tile('02', 'col-span-2')}${tile('03', 'col-span-2 row-span-2')}</div>`,
    `<div class="grid grid-flow-col grid-rows-3 gap-2">${tile('01', 'row-span-2 row-start-2')}${tile('02', 'row-span-2 row-end-3')}${tile('03', 'row-start-1 row-end-4')}</div>`,
  ],
  'grid-auto-flow': `<div class="grid grid-flow-row-dense grid-cols-3 gap-2">${tile('01', 'col-span-2')}${tile('02', 'col-span-2')}${tiles(3)}</div>`,
  'grid-auto-columns': `<div class="grid auto-cols-max grid-flow-col gap-2">${tile('One')}${tile('Twenty two')}${tile('3')}</div>`,
  'grid-auto-columns of shares': `<div class="grid auto-cols-fr grid-flow-col gap-2">${tile('One')}${tile('Twenty two')}${tile('3')}</div>`,
  'grid-auto-rows': `<div class="grid grid-flow-row auto-rows-max gap-2">${tiles(3, 'py-0')}</div>`,
  gap: [
    `<div class="grid grid-cols-2 gap-4">${tiles(4)}</div>`,
    `<div class="grid grid-cols-3 gap-x-8 gap-y-2">${tiles(6)}</div>`,
  ],
  'justify-content': [
    `<div class="flex justify-start gap-2">${tiles(3)}</div>`,
    `<div class="flex justify-center gap-2">${tiles(3)}</div>`,
    `<div class="flex justify-end gap-2">${tiles(3)}</div>`,
    `<div class="flex justify-between">${tiles(3)}</div>`,
    `<div class="flex justify-around">${tiles(3)}</div>`,
    `<div class="flex justify-evenly">${tiles(3)}</div>`,
  ],
  'justify-items': [
    `<div class="grid grid-cols-3 justify-items-start gap-2 bg-slate-100">${tiles(6)}</div>`,
    `<div class="grid grid-cols-3 justify-items-end gap-2 bg-slate-100">${tiles(3)}</div>`,
  ],
  'justify-self': `<div class="grid grid-cols-1 gap-1">${tile('1', 'justify-self-start py-0')}${tile('2', 'justify-self-center py-0')}${tile('3', 'justify-self-end py-0')}${tile('4', 'justify-self-stretch py-0')}</div>`,
  'align-content': [
    `<div class="grid h-32 grid-cols-3 content-start gap-2 bg-slate-100">${tiles(5)}</div>`,
    `<div class="grid h-32 grid-cols-3 content-between bg-slate-100">${tiles(5)}</div>`,
    `<div class="flex h-32 flex-wrap content-evenly bg-slate-100">${tiles(4, 'w-20')}</div>`,
  ],
  'align-items': [
    `<div class="flex items-stretch gap-4">${tile('1', 'py-4')}${tile('2', 'py-12')}${tile('3', 'py-8')}</div>`,
    `<div class="flex items-center gap-4">${tile('1', 'py-4')}${tile('2', 'py-12')}${tile('3', 'py-8')}</div>`,
    `<div class="flex items-baseline gap-4">${tile('1', 'pt-2 pb-6')}${tile('2', 'pt-8 pb-12')}${tile('3', 'pt-12 pb-4 text-2xl')}</div>`,
  ],
  'align-self': `<div class="flex h-28 items-stretch gap-2">${tile('1')}${tile('2', 'self-start')}${tile('3', 'self-center')}${tile('4', 'self-end')}</div>`,
  'place-content': [
    `<div class="grid h-32 grid-cols-2 place-content-center gap-2 bg-slate-100">${tiles(4)}</div>`,
    `<div class="grid h-32 grid-cols-[3rem_3rem] place-content-around bg-slate-100">${tiles(4)}</div>`,
  ],
  'place-items': `<div class="grid h-32 grid-cols-3 place-items-center gap-2 bg-slate-100">${tiles(6)}</div>`,
  'place-self': `<div class="grid h-32 grid-cols-3 gap-2 bg-slate-100">${tile('1')}${tile('2', 'place-self-center')}${tile('3', 'place-self-end')}</div>`,
};

const SPACING: Examples = {
  padding: [
    `<div class="flex items-start gap-2">${tile('p-4', 'p-4')}${tile('px-8', 'px-8')}${tile('py-6', 'py-6')}</div>`,
    `<div class="flex items-start gap-2">${tile('pt-6', 'pt-6')}${tile('pr-4', 'pr-4')}${tile('pb-8', 'pb-8')}${tile('pl-2', 'pl-2')}</div>`,
    `<div class="flex items-start gap-2"><div class="bg-sky-200 ps-8">ltr</div><div class="bg-sky-200 pe-8">ltr</div></div>`,
  ],
  margin: [
    `<div class="flex bg-slate-200">${tile('m-4', 'm-4')}${tile('mx-8', 'mx-8')}${tile('mt-6', 'mt-6')}</div>`,
    `<div class="bg-slate-200 p-2"><div class="h-12 w-36 bg-sky-500"></div><div class="-mt-6 ml-4 h-12 w-36 bg-sky-300"></div></div>`,
    `<div class="mx-auto w-40 bg-sky-500 p-2">auto</div>`,
  ],
  'space between': [
    `<div class="flex space-x-4">${tiles(3)}</div>`,
    `<div class="flex flex-col space-y-2">${tiles(3, 'py-0.5')}</div>`,
    `<div class="flex flex-row-reverse space-x-4 space-x-reverse">${tiles(3)}</div>`,
  ],
};

const SIZING: Examples = {
  width: [
    `<div class="flex flex-col gap-1">${['w-64', 'w-48', 'w-40', 'w-32', 'w-24'].map((w) => `<div class="${w} bg-sky-500 text-white">${w}</div>`).join('')}</div>`,
    `<div><div class="flex"><div class="w-1/2 bg-sky-300">1/2</div><div class="w-1/2 bg-pink-300">1/2</div></div><div class="flex"><div class="w-2/5 bg-sky-300">2/5</div><div class="w-3/5 bg-pink-300">3/5</div></div><div class="w-full bg-amber-300">full</div></div>`,
    `<div class="flex flex-col gap-1"><div class="w-fit bg-sky-300">fit</div><div class="w-max bg-sky-300">max</div><div class="w-min bg-sky-300">min content</div><div class="w-3xs bg-sky-300">3xs</div></div>`,
    swatches('bg-sky-500', 'size-4', 'size-8', 'size-12', 'size-16', 'size-[17px]'),
  ],
  'min-width': `<div class="w-20"><div class="min-w-40 bg-sky-300">min-w-40</div><div class="min-w-full bg-pink-300">full</div></div>`,
  'max-width': `<div class="flex flex-col gap-1"><div class="w-full max-w-64 bg-sky-300">64</div><div class="max-w-1/2 bg-sky-300">1/2</div><div class="max-w-3xs bg-sky-300">3xs</div></div>`,
  height: [
    `<div class="flex items-end gap-2">${['h-28', 'h-20', 'h-12', 'h-8'].map((h) => tile(h, h)).join('')}</div>`,
    `<div class="h-32 bg-slate-200"><div class="h-1/2 w-20 bg-sky-500"></div><div class="h-1/4 w-20 bg-pink-500"></div></div>`,
    '<div class="h-screen w-20 bg-sky-500"></div>',
  ],
  'min-height': `<div class="flex h-20 items-start gap-2 bg-slate-200">${tile('1', 'min-h-28')}${tile('2', 'min-h-full')}${tile('3', 'min-h-0')}</div>`,
  'max-height': `<div class="flex h-28 gap-2 bg-slate-200">${tile('1', 'h-full max-h-12')}${tile('2', 'h-full max-h-1/2')}${tile('3', 'h-40 max-h-full')}</div>`,
};

const TYPOGRAPHY: Examples = {
  'font-family': rows('font-sans', 'font-serif', 'font-mono'),
  'font-size': [rows('text-sm', 'text-base', 'text-lg', 'text-xl'), rows('text-2xl', 'text-3xl', 'text-xs/6')],
  'font-smoothing': rows('antialiased', 'subpixel-antialiased'),
  'font-style': rows('italic', 'not-italic'),
  'font-weight': [
    rows('font-light', 'font-normal', 'font-medium', 'font-semibold'),
    rows('font-bold', 'font-extrabold', 'font-black'),
  ],
  'font-stretch': rows('font-stretch-normal'),
  'font-variant-numeric': [
    rows('ordinal', 'slashed-zero', 'tabular-nums', 'diagonal-fractions'),
    '<p class="text-lg slashed-zero tabular-nums">1111 0000</p><p class="text-lg proportional-nums lining-nums">1111 0000</p>',
  ],
  'letter-spacing': rows('tracking-tight', 'tracking-normal', 'tracking-wide', 'tracking-widest'),
  'line-clamp': `<p class="line-clamp-2 w-56">${WORDS} ${WORDS}</p>`,
  'line-height': [
    `<p class="w-64 text-base/6">${WORDS}</p>`,
    `<p class="w-64 leading-loose">${WORDS}</p>`,
    `<p class="w-64 text-sm/5">${WORDS}</p>`,
    `<p class="w-64 leading-none">${WORDS}</p>`,
  ],
  'list-style-image':
    '<ul class="list-image-none list-inside"><li>5 cups chopped porcini</li><li>1/2 cup of oil</li></ul>',
  'list-style-position':
    '<ul class="list-inside list-disc bg-slate-100"><li>5 cups chopped porcini</li><li>1/2 cup of oil</li></ul>',
  'list-style-type': [
    '<ul class="ml-6 list-disc"><li>Now this is a story</li><li>All about how</li></ul>',
    '<ol class="ml-6 list-decimal"><li>Now this is a story</li><li>All about how</li></ol>',
    '<ul class="list-none"><li>Now this is a story</li><li>All about how</li></ul>',
    '<ol class="ml-6 list-[upper-roman]"><li>Now this is a story</li><li>All about how</li></ol>',
  ],
  'text-align': [
    rows('text-left', 'text-center', 'text-right', 'text-start', 'text-end'),
    `<p class="w-64 text-justify">${WORDS} ${WORDS}</p>`,
  ],
  color: rows('text-sky-400', 'text-blue-600/75', 'text-[#50d71e]', 'text-pink-500'),
  'text-decoration-line': rows('underline', 'overline', 'line-through', 'no-underline'),
  'text-decoration-color':
    '<p>I am <span class="underline decoration-sky-500">underlined</span>, <span class="underline decoration-pink-500/50">faintly</span></p>',
  'text-decoration-style': rows(
    'underline decoration-solid',
    'underline decoration-double',
    'underline decoration-dotted',
    'underline decoration-dashed',
  ),
  'wavy decoration': rows('underline decoration-wavy'),
  'text-decoration-thickness': rows('underline decoration-1', 'underline decoration-2', 'underline decoration-4'),
  'text-underline-offset': rows(
    'underline underline-offset-1',
    'underline underline-offset-4',
    'underline underline-offset-8',
  ),
  'text-transform': rows('uppercase', 'lowercase', 'capitalize', 'normal-case'),
  'text-overflow': [
    `<p class="w-56 truncate">${WORDS}</p>`,
    `<p class="w-56 overflow-hidden text-ellipsis">The longest word is pneumonoultramicroscopicsilicovolcanoconiosis.</p>`,
    `<p class="w-56 overflow-hidden whitespace-nowrap text-clip">${WORDS}</p>`,
  ],
  'text-wrap': [
    `<h3 class="w-56 text-lg text-balance">Beloved landmark burns to the ground</h3>`,
    `<h3 class="w-40 text-lg text-nowrap">Beloved landmark burns to the ground</h3>`,
    `<h3 class="w-56 text-pretty">Beloved landmark burns to the ground on a Monday</h3>`,
  ],
  'text-indent': [`<p class="w-64 indent-8">${WORDS}</p>`, `<p class="ml-8 w-56 -indent-8">${WORDS}</p>`],
  'vertical-align':
    '<p>X<span class="inline-block align-middle text-xs">mid</span><span class="align-super text-xs">super</span><span class="align-sub text-xs">sub</span><img class="inline size-6 align-bottom" src="photo"></p>',
  'white-space': [
    '<p class="w-40 whitespace-pre bg-slate-100">Hey everyone!\n\nIt is   almost\n    2022</p>',
    '<p class="w-40 whitespace-pre-line bg-slate-100">Hey everyone!\nIt is   almost\n    2022</p>',
    '<p class="w-40 whitespace-nowrap bg-slate-100">Hey everyone! It is almost 2022</p>',
  ],
  'word-break': [
    '<p class="w-40 break-all bg-slate-100">The longest word is pneumonoultramicroscopicsilicovolcanoconiosis.</p>',
    '<p class="w-40 break-normal bg-slate-100">The longest word is pneumonoultramicroscopicsilicovolcanoconiosis.</p>',
  ],
  'overflow-wrap':
    '<p class="w-40 wrap-break-word bg-slate-100">The longest word is pneumonoultramicroscopicsilicovolcanoconiosis.</p>',
  'overflow-wrap anywhere':
    '<div class="flex w-48 gap-2"><p class="min-w-0 wrap-anywhere bg-slate-100">jay.riemenschneider.the.third@example.com</p></div>',
  content: [
    `<p>Higher <span class="text-blue-600 after:content-['_↗']">resolution</span></p>`,
    `<p class="before:mr-1 before:font-bold before:text-pink-500 before:content-['Note:']">mind the gap</p>`,
    `<p class="relative pl-6 before:absolute before:left-0 before:top-1 before:size-3 before:rounded-full before:bg-sky-500">A dot</p>`,
  ],
};

const BACKGROUNDS: Examples = {
  'background-attachment': '<div class="h-24 bg-slate-200 bg-scroll bg-[url(photo)] bg-cover"></div>',
  'background-clip': [
    `<div class="flex gap-3">${['bg-clip-border', 'bg-clip-padding', 'bg-clip-content'].map((each) => `<div class="size-20 border-4 border-dashed border-sky-300 bg-indigo-500 p-3 ${each}"></div>`).join('')}</div>`,
    '<p class="bg-linear-to-r from-pink-500 to-violet-500 bg-clip-text text-5xl font-extrabold text-transparent">Hello world</p>',
  ],
  'background-color': [
    swatches('size-12', 'bg-red-500', 'bg-emerald-400', 'bg-blue-950', 'bg-zinc-300', 'bg-black', 'bg-[#50d71e]'),
    swatches('size-12', 'bg-sky-500/100', 'bg-sky-500/75', 'bg-sky-500/50', 'bg-sky-500/25'),
  ],
  'background-image': [
    '<div class="h-16 bg-linear-to-r from-cyan-500 to-blue-500"></div><div class="h-16 bg-linear-to-t from-sky-500 to-indigo-500"></div>',
    '<div class="h-16 bg-linear-65 from-purple-500 to-pink-500"></div><div class="h-16 bg-linear-to-bl from-violet-500 to-fuchsia-500"></div>',
    '<div class="flex gap-3"><div class="size-24 rounded-full bg-radial from-pink-400 from-40% to-fuchsia-700"></div><div class="size-24 rounded-full bg-radial-[at_25%_25%] from-white to-zinc-900 to-75%"></div></div>',
    '<div class="flex gap-3"><div class="size-24 rounded-full bg-conic from-blue-600 to-sky-400 to-50%"></div><div class="size-24 rounded-full bg-conic-180 from-indigo-600 via-indigo-50 to-indigo-600"></div></div>',
    '<div class="h-12 bg-linear-to-r from-indigo-500 from-10% via-sky-500 via-30% to-emerald-500 to-90%"></div><div class="mt-2 h-12 bg-linear-to-r/srgb from-indigo-500 to-teal-400"></div>',
    '<div class="h-12 bg-linear-to-r/oklch from-indigo-500 to-teal-400"></div><div class="mt-2 h-12 bg-linear-to-r/longer from-indigo-500 to-teal-400"></div>',
    '<div class="h-28 w-64 bg-[url(photo)]"></div>',
  ],
  'background-origin': `<div class="flex gap-3">${['bg-origin-border', 'bg-origin-padding', 'bg-origin-content'].map((each) => `<div class="size-20 border-4 border-sky-300/50 bg-[url(photo)] bg-cover bg-no-repeat p-3 ${each}"></div>`).join('')}</div>`,
  'background-position': `<div class="flex gap-3">${['bg-top-left', 'bg-center', 'bg-bottom-right'].map((each) => `<div class="size-20 bg-[url(photo)] bg-size-[40px] bg-no-repeat bg-slate-200 ${each}"></div>`).join('')}</div>`,
  'background-repeat': `<div class="flex gap-3">${['bg-repeat', 'bg-repeat-x', 'bg-repeat-space'].map((each) => `<div class="size-20 bg-[url(photo)] bg-size-[30px_30px] bg-slate-200 ${each}"></div>`).join('')}</div>`,
  'background-size': `<div class="flex gap-3">${['bg-auto', 'bg-cover', 'bg-contain', 'bg-size-[auto_40px]'].map((each) => `<div class="size-16 bg-[url(photo)] bg-no-repeat bg-slate-200 ${each}"></div>`).join('')}</div>`,
};

const BORDERS: Examples = {
  'border-radius': [
    swatches(
      'size-14 bg-sky-500',
      'rounded-xs',
      'rounded-sm',
      'rounded-lg',
      'rounded-2xl',
      'rounded-full',
      'rounded-none',
    ),
    swatches(
      'size-14 bg-sky-500',
      'rounded-t-lg',
      'rounded-r-2xl',
      'rounded-bl-3xl',
      'rounded-tl-[40px]',
      'rounded-s-xl',
      'rounded-ee-full',
    ),
  ],
  'border-width': [
    swatches('size-12 border-indigo-600', 'border', 'border-2', 'border-4', 'border-8'),
    swatches(
      'size-12 border-indigo-600 bg-slate-100',
      'border-t-4',
      'border-r-4',
      'border-b-4',
      'border-l-4',
      'border-x-4',
      'border-y-4',
      'border-s-8',
      'border-e-8',
    ),
  ],
  'border-color': swatches(
    'size-14 border-4',
    'border-indigo-500',
    'border-purple-500/50',
    'border-t-sky-500',
    'border-x-pink-500',
    'border-transparent',
  ),
  'border-style': swatches(
    'size-16 border-4 border-indigo-500',
    'border-solid',
    'border-dashed',
    'border-dotted',
    'border-double',
    'border-none',
  ),
  divide: [
    `<div class="grid grid-cols-3 divide-x-4 divide-sky-300 text-center"><div>01</div><div>02</div><div>03</div></div>`,
    '<div class="flex w-40 flex-col divide-y divide-dashed divide-slate-500"><div class="py-2">01</div><div class="py-2">02</div><div class="py-2">03</div></div>',
  ],
  'outline-width': swatches('size-12 bg-slate-100 outline-blue-500', 'outline', 'outline-2', 'outline-4'),
  'outline-color': swatches(
    'size-12 bg-slate-100 outline-2',
    'outline-blue-500',
    'outline-cyan-500',
    'outline-pink-500/75',
  ),
  'outline-style': swatches(
    'size-12 bg-slate-100 outline-4 outline-sky-500',
    'outline-dashed',
    'outline-dotted',
    'outline-double',
    'outline-none',
  ),
  'outline-offset': swatches(
    'size-12 m-2 bg-slate-100 outline-2 outline-sky-500',
    'outline-offset-0',
    'outline-offset-2',
    'outline-offset-4',
    '-outline-offset-4',
  ),
};

const EFFECTS: Examples = {
  'box-shadow': [
    swatches('m-2 size-16 rounded-lg bg-white', 'shadow-xs', 'shadow-sm', 'shadow-md', 'shadow-lg'),
    swatches('m-2 size-16 rounded-lg bg-white', 'shadow-xl', 'shadow-2xl', 'shadow-none'),
    swatches('m-2 size-16 rounded-lg bg-cyan-500', 'shadow-lg shadow-cyan-500/50', 'shadow-xl shadow-blue-500/20'),
    swatches(
      'm-2 size-14 rounded-lg bg-white',
      'ring',
      'ring-2',
      'ring-4 ring-pink-500/50',
      'ring-2 ring-blue-500 ring-offset-4',
    ),
    swatches(
      'm-2 size-14 rounded-lg bg-slate-100',
      'inset-shadow-2xs',
      'inset-shadow-xs',
      'inset-shadow-sm',
      'inset-shadow-sm inset-shadow-indigo-500',
    ),
    swatches('m-2 size-14 rounded-lg bg-sky-200', 'inset-ring', 'inset-ring-2', 'inset-ring-4 inset-ring-blue-500'),
  ],
  'text-shadow': rows('text-2xl text-shadow-2xs', 'text-2xl text-shadow-lg', 'text-shadow-lg text-shadow-sky-300'),
  opacity: swatches('size-14 rounded-full bg-violet-500', 'opacity-100', 'opacity-60', 'opacity-20'),
  'mix-blend-mode':
    '<div class="flex justify-center -space-x-10 bg-white"><div class="size-28 rounded-full bg-blue-500 mix-blend-multiply"></div><div class="size-28 rounded-full bg-pink-500 mix-blend-multiply"></div></div>',
  'background-blend-mode': '<div class="size-28 bg-blue-500 bg-[url(photo)] bg-cover bg-blend-multiply"></div>',
  'mask-clip':
    '<div class="size-28 border-4 border-sky-400 bg-slate-500 p-3 mask-clip-padding mask-[linear-gradient(black,transparent)]"></div>',
  'mask-composite':
    '<div class="size-28 mask-exclude bg-sky-500 mask-[linear-gradient(to_right,black,transparent),linear-gradient(black,transparent)]"></div>',
  'mask-image': [
    '<div class="flex gap-3"><div class="size-24 bg-[url(photo)] bg-cover mask-t-from-50%"></div><div class="size-24 bg-[url(photo)] bg-cover mask-r-from-30%"></div></div>',
    '<div class="flex gap-3"><div class="size-24 bg-[url(photo)] bg-cover mask-b-from-20% mask-b-to-80%"></div><div class="size-24 bg-[url(photo)] bg-cover mask-x-from-70% mask-x-to-90%"></div></div>',
    '<div class="flex gap-3"><div class="size-24 bg-sky-500 mask-radial-from-50%"></div><div class="size-24 bg-sky-500 mask-radial-[50%_50%] mask-radial-from-80%"></div></div>',
    '<div class="flex gap-3"><div class="size-24 bg-sky-500 mask-conic-from-75% mask-conic-to-75%"></div><div class="size-24 bg-sky-500 -mask-linear-50 mask-linear-from-60% mask-linear-to-80%"></div></div>',
    '<div class="size-24 bg-sky-500 mask-b-from-50% mask-radial-[50%_90%] mask-radial-from-80%"></div>',
  ],
  'mask-mode': '<div class="size-24 bg-sky-500 mask-luminance mask-[linear-gradient(white,black)]"></div>',
  'mask-origin':
    '<div class="size-24 border-4 border-pink-300 bg-sky-500 p-4 mask-origin-content mask-no-repeat mask-[linear-gradient(black,black)]"></div>',
  'mask-position':
    '<div class="size-24 bg-sky-500 mask-[url(photo)] mask-size-[40px] mask-no-repeat mask-center"></div>',
  'mask-repeat':
    '<div class="size-24 bg-sky-500 mask-[radial-gradient(black_50%,transparent_50%)] mask-size-[24px_24px] mask-repeat-x"></div>',
  'mask-size': '<div class="size-24 bg-sky-500 mask-[radial-gradient(black_50%,transparent_50%)] mask-contain"></div>',
  'mask-type': '<div class="size-24 bg-sky-500 mask-alpha mask-[linear-gradient(black,transparent)]"></div>',
};

const FILTERS: Examples = {
  blur: photos('size-16', 'blur-none', 'blur-sm', 'blur-md', 'blur-xl'),
  brightness: photos('size-16', 'brightness-50', 'brightness-100', 'brightness-125', 'brightness-200'),
  contrast: photos('size-16', 'contrast-50', 'contrast-100', 'contrast-125', 'contrast-200'),
  'drop-shadow': swatches(
    'size-14 rounded-full bg-sky-300',
    'drop-shadow-md',
    'drop-shadow-lg',
    'drop-shadow-xl',
    'drop-shadow-xl drop-shadow-cyan-500/50',
  ),
  grayscale: photos('size-16', 'grayscale-0', 'grayscale-25', 'grayscale-50', 'grayscale'),
  'hue-rotate': photos('size-16', 'hue-rotate-15', 'hue-rotate-90', 'hue-rotate-180', '-hue-rotate-60'),
  invert: photos('size-16', 'invert-0', 'invert-20', 'invert'),
  saturate: photos('size-16', 'saturate-50', 'saturate-100', 'saturate-150', 'saturate-200'),
  sepia: photos('size-16', 'sepia-0', 'sepia-50', 'sepia'),
  'two filters': photos('size-16', 'blur-xs grayscale', 'brightness-150 sepia'),
  ...Object.fromEntries(
    [
      'blur-sm',
      'brightness-50',
      'contrast-200',
      'grayscale',
      'hue-rotate-90',
      'invert',
      'opacity-60',
      'saturate-200',
      'sepia',
    ].map((name) => [
      `backdrop-${name}`,
      `<div class="relative size-28"><img class="size-28" src="photo"><div class="absolute inset-x-4 inset-y-6 rounded-lg bg-white/30 backdrop-${name}"></div></div>`,
    ]),
  ),
};

const TABLES: Examples = {
  'border-collapse': [
    TABLE('border-collapse border border-gray-400', 'border border-gray-300 px-2 py-1'),
    TABLE('border-separate border border-gray-400', 'border border-gray-300 px-2 py-1'),
  ],
  'border-spacing': TABLE('border-separate border-spacing-2 border border-gray-400', 'border border-gray-300 px-2'),
  'table-layout': [
    TABLE('table-auto w-64', 'border border-gray-300 text-left'),
    TABLE('table-fixed w-64', 'border border-gray-300 text-left'),
  ],
  'caption-side': [
    '<table class="border"><caption class="caption-top">Professional wrestlers</caption><tbody><tr><td class="border px-2">Steel</td><td class="border px-2">Hawk</td></tr></tbody></table>',
    '<table class="border"><caption class="caption-bottom">Professional wrestlers</caption><tbody><tr><td class="border px-2">Steel</td><td class="border px-2">Hawk</td></tr></tbody></table>',
  ],
};

const TRANSFORMS: Examples = {
  rotate: swatches('m-3 size-14 rounded-lg bg-sky-500', 'rotate-45', 'rotate-90', '-rotate-12', 'rotate-[17deg]'),
  scale: swatches('m-4 size-14 rounded-lg bg-sky-500', 'scale-75', 'scale-100', 'scale-x-125', '-scale-y-50'),
  skew: swatches('m-4 size-12 bg-sky-500', 'skew-x-6', 'skew-y-12', '-skew-x-12', 'skew-3'),
  transform: swatches(
    'm-4 size-12 bg-sky-500',
    'transform-[rotate(30deg)_scale(1.2)]',
    'rotate-12 translate-x-2 scale-90',
  ),
  'transform-origin': swatches(
    'm-4 size-12 rotate-45 bg-sky-500',
    'origin-center',
    'origin-top-left',
    'origin-bottom',
    'origin-[20%_75%]',
  ),
  translate: swatches(
    'm-4 size-10 bg-sky-500',
    'translate-x-4',
    '-translate-y-1/4',
    'translate-1/2',
    'translate-[3px]',
  ),
  'backface-visibility': '<div class="size-20 rotate-y-180 bg-sky-500 backface-hidden"></div>',
  perspective: '<div class="size-28 perspective-normal"><div class="size-28 rotate-y-45 bg-sky-500"></div></div>',
  'rotate in three dimensions': '<div class="size-28 rotate-x-45 bg-sky-500"></div>',
  'transform-style': '<div class="size-28 transform-3d"><div class="size-28 -rotate-z-12 bg-sky-500"></div></div>',
};

const OTHERS: Examples = {
  fill: '<svg class="size-16 fill-blue-500" viewBox="0 0 20 20"><circle cx="10" cy="10" r="9"/></svg>',
  stroke: '<svg class="size-16 stroke-cyan-500" fill="none" viewBox="0 0 24 24"><path d="M4 12h16M12 4v16"/></svg>',
  'stroke-width':
    '<svg class="size-16 stroke-2 text-pink-500" fill="none" stroke="currentColor" viewBox="0 0 24 24"><path d="M4 12h16M12 4v16"/></svg>',
  'responsive design': [
    '<div class="bg-sky-200 p-2 sm:bg-pink-200 max-md:text-lg md:p-10 min-[300px]:font-bold">Small first</div>',
    '<div class="@container"><div class="flex flex-col gap-2 @2xs:flex-row"><div class="size-10 bg-sky-500"></div><div class="size-10 bg-pink-500"></div></div></div>',
  ],
  'dark mode':
    '<div class="bg-white p-4 text-gray-900 ring shadow-xl ring-gray-900/5 dark:bg-gray-800 dark:text-white">Writes upside-down</div>',
  states: [
    '<div class="hover:bg-pink-500 focus:p-8 bg-sky-200 p-2 active:bg-black">Idle</div>',
    '<ul>' +
      ['Ann', 'Ben', 'Cem', 'Dan']
        .map(
          (name) =>
            `<li class="px-2 first:pt-2 last:pb-4 odd:bg-sky-100 even:bg-pink-100 nth-3:font-bold">${name}</li>`,
        )
        .join('') +
      '</ul>',
    '<div class="group bg-slate-100 p-2" data-state="open"><p class="group-data-[state=open]:text-pink-500 not-first:pt-2 has-[b]:underline">In a <b>group</b></p></div>',
    '<div class="*:rounded-full *:bg-sky-200 *:px-2 flex gap-2"><p>Sales</p><p>Marketing</p><p>SEO</p></div>',
    '<div class="[&>p]:mt-2 [&_b]:text-pink-500 [--gap:8px] p-(--gap)"><p>Arbitrary <b>variants</b></p><p class="[clip-path:circle(40%)] bg-sky-300">and properties</p></div>',
  ],
  preflight: [
    '<h1>A heading</h1><p>A paragraph and <a href="https://example.com">a link</a>, <strong>strong</strong>, <code>code</code> and <small>small</small></p><hr><blockquote>Quoted</blockquote>',
    '<button class="rounded-full bg-sky-500 px-5 py-2 text-sm font-semibold text-white">Save changes</button>',
  ],
  card: [
    '<div class="mx-auto flex max-w-sm items-center gap-x-4 rounded-xl bg-white p-6 shadow-lg outline outline-black/5"><img class="size-12 shrink-0 rounded-full object-cover" src="photo"><div><div class="text-xl font-medium text-black">ChitChat</div><p class="text-gray-500">You have a new message!</p></div></div>',
    '<div class="flex gap-4 rounded-xl bg-slate-100 p-4"><img class="h-24 w-20 rounded-lg object-cover" src="photo"><div class="space-y-2"><p class="font-medium leading-tight">“The only framework I have seen scale on large teams.”</p><p class="text-sky-500">Sarah Dayan</p></div></div>',
    '<div class="-space-x-3 flex">' +
      ['ring-sky-300', 'ring-pink-300', 'ring-amber-300']
        .map((each) => `<img class="inline-block size-12 rounded-full ring-2 ${each} object-cover" src="photo">`)
        .join('') +
      '</div>',
  ],
};

/** By group of the documentation, then by utility. */
const GROUPS: Readonly<Record<string, Examples>> = {
  layout: LAYOUT,
  'flex and grid': FLEX,
  spacing: SPACING,
  sizing: SIZING,
  typography: TYPOGRAPHY,
  backgrounds: BACKGROUNDS,
  borders: BORDERS,
  effects: EFFECTS,
  filters: FILTERS,
  tables: TABLES,
  transforms: TRANSFORMS,
  others: OTHERS,
};

export interface Example {
  readonly group: string;
  /** Such as `layout/aspect-ratio 2`. */
  readonly name: string;
  readonly html: string;
}

export const EXAMPLES: readonly Example[] = Object.entries(GROUPS).flatMap(([group, examples]) =>
  Object.entries(examples).flatMap(([name, pages]) =>
    [pages].flat().map((html, i) => ({ group, name: `${group}/${name}${i === 0 ? '' : ` ${i + 1}`}`, html })),
  ),
);
