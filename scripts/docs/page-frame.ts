// The parts of a page around its text: head, top bar, side navigation, contents, previous and next.

import { escapeHtml } from './escape-html.ts';
import type { Heading } from './markdown-page.ts';
import { HOME, type Section } from './navigation.ts';

export interface FramedPage {
  readonly name: string;
  readonly title: string;
  readonly lead: string;
  readonly html: string;
  readonly headings: readonly Heading[];
}

export interface Frame {
  readonly sections: readonly Section[];
  /** Title and first sentence of each page. */
  readonly about: ReadonlyMap<string, { readonly title: string; readonly lead: string }>;
  /** URLs of the files that every page loads. */
  readonly assets: Readonly<Record<'style' | 'script' | 'index' | 'icon', string>>;
}

const hrefOf = (name: string) => (name === HOME ? './' : `./${name}`);

export function framePage(page: FramedPage, frame: Frame): string {
  const { assets } = frame;
  const isHome = page.name === HOME;
  const title = isHome ? page.title : `${page.title} · Platen`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<meta name="description" content="${escapeHtml(page.lead)}">
<link rel="icon" href="${assets.icon}">
<link rel="stylesheet" href="${assets.style}">
<script src="${assets.script}" defer></script>
</head>
<body${isHome ? ' class="home"' : ''}>
<a class="skip" href="#content">Skip to content</a>
<header class="bar">
<a class="brand" href="./"><img src="${assets.icon}" alt="" width="24" height="24">Platen <span>Docs</span></a>
<div class="search" data-index="${assets.index}" hidden>
<input type="search" placeholder="Search" aria-label="Search the documentation" autocomplete="off" spellcheck="false" role="combobox" aria-expanded="false" aria-controls="results">
<kbd>/</kbd>
<div id="results" class="results" role="listbox" aria-label="Results" hidden></div>
</div>
<nav class="links" aria-label="This server"><a href="./api">API</a><a href="../studio/">Studio</a></nav>
</header>
<div class="columns">
<nav class="side" aria-label="Pages">
<details class="menu"><summary>All pages</summary>${sideList(page.name, frame)}</details>
<div class="list">${sideList(page.name, frame)}</div>
</nav>
<main id="content">
<article>
${page.html}
${isHome ? cards(frame) : ''}
</article>
${neighbours(page.name, frame)}
</main>
${contents(page.headings)}
</div>
</body>
</html>
`;
}

function sideList(current: string, { sections, about }: Frame): string {
  return sections
    .map(({ title, pages }) => {
      const items = pages.map((name) => {
        const mark = name === current ? ' aria-current="page"' : '';
        return `<li><a href="${hrefOf(name)}"${mark}>${escapeHtml(about.get(name)?.title ?? name)}</a></li>`;
      });
      return `<p>${title}</p>\n<ul>${items.join('')}</ul>`;
    })
    .join('\n');
}

/** Cards of the home page, each with its page's name as an anchor, so that `/docs#webhooks` leads there. */
function cards({ sections, about }: Frame): string {
  return sections
    .map(({ title, pages }) => {
      const list = pages.map((name) => {
        const { title: label, lead } = about.get(name) ?? { title: name, lead: '' };
        return `<a class="card" id="${name}" href="${hrefOf(name)}"><b>${escapeHtml(label)}</b><span>${escapeHtml(lead)}</span></a>`;
      });
      return `<h2>${title}</h2>\n<div class="cards">${list.join('')}</div>`;
    })
    .join('\n');
}

function neighbours(name: string, { sections, about }: Frame): string {
  const order = sections.flatMap(({ pages }) => pages);
  const at = order.indexOf(name);
  const link = (to: string | undefined, kind: 'Previous' | 'Next') =>
    to === undefined
      ? '<span></span>'
      : `<a class="${kind.toLowerCase()}" href="${hrefOf(to)}" rel="${kind === 'Next' ? 'next' : 'prev'}"><span>${kind}</span>${escapeHtml(about.get(to)?.title ?? to)}</a>`;
  return `<nav class="neighbours" aria-label="Neighbours">${link(order[at - 1], 'Previous')}${link(order[at + 1], 'Next')}</nav>`;
}

function contents(headings: readonly Heading[]): string {
  const shown = headings.filter(({ depth }) => depth === 2 || depth === 3);
  if (shown.length < 2) return '<aside class="contents"></aside>';
  const items = shown.map(
    ({ depth, id, text }) => `<li class="depth-${depth}"><a href="#${id}">${escapeHtml(text)}</a></li>`,
  );
  return `<aside class="contents" aria-label="On this page"><p>On this page</p><ul>${items.join('')}</ul></aside>`;
}
