// Measures a page of html through our own renderer, as a server draws it when it is warm: from the template and new words
// to the display list, and on to the PNG.

import { composePages } from '#core/compose.ts';
import { resolveHtml } from '#core/resolve/resolve-html.ts';
import { parseHtmlTemplate } from '#core/template/html-template.ts';
import { openFontLibrary } from '#draw/fonts/font-library.ts';
import { parseDataUri } from '#draw/images/data-uri.ts';
import { exportAs } from '#draw/output/export.ts';
import { DEFAULT_EXPORT } from '#draw/output/formats.ts';
import { loadResources } from '#draw/renderer/load-resources.ts';
import { openPageScene } from '#draw/renderer/page-scene.ts';
import { latinPhrase } from './families/words.ts';
import { median, randomFrom } from './statistics.ts';

export interface HtmlCost {
  readonly elements: number;
  /** Medians of one render: of processor time from the template to the display list, and of that with the PNG. */
  readonly cpuMs: number;
  readonly withPngMs: number;
}

const picture = (color: string) =>
  `data:image/svg+xml;base64,${btoa(`<svg xmlns="http://www.w3.org/2000/svg" width="48" height="48"><circle cx="24" cy="24" r="20" fill="${color}"/></svg>`)}`;

const CSS = `
*{box-sizing:border-box}
body{font:16px/1.4 Inter;color:#111827;background:#eef2ff;padding:32px}
.card{background:#fff;border-radius:16px;box-shadow:0 8px 24px rgba(17,24,39,.16);padding:28px}
header{display:flex;align-items:center;gap:16px;border-bottom:1px solid #e5e7eb;padding-bottom:16px}
header img{width:48px;height:48px;border-radius:50%}
h1{font-size:26px;margin:0}
.muted{color:#64748b;font-size:14px;margin:0}
.badge{display:inline-block;border-radius:12px;padding:2px 10px;background:#dcfce7;color:#166534;font-size:12px;font-weight:600}
.badge.late{background:#fee2e2;color:#991b1b}
ul{padding-left:20px}
table{width:100%;border-collapse:collapse}
th{text-align:left;font-size:13px;color:#64748b}
th,td{padding:6px 8px;border-bottom:1px solid #e5e7eb}
td:last-child,th:last-child{text-align:right}
tbody tr:nth-child(even){background:#f8fafc}
footer{display:grid;grid-template-columns:1fr auto;margin-top:16px}`;

/** 50 elements in the body: a card with a header, badges, a list, a table and pictures. */
function pageOf(words: (count: number) => string): string {
  const row = (i: number) =>
    `<tr><td>${words(3)}</td><td><span class="badge${i % 2 ? ' late' : ''}">${words(1)}</span></td><td>${words(1)}</td></tr>`;
  return `<div class="card"><header><img src="${picture('#4f46e5')}" alt=""><div><h1>${words(3)}</h1>
<p class="muted">${words(6)}</p></div><span class="badge">${words(1)}</span></header>
<p>${words(20)} <b>${words(2)}</b> ${words(8)} <a href="https://example.org">${words(2)}</a>.</p>
<ul><li>${words(6)}</li><li>${words(7)}</li><li>${words(5)} <em>${words(1)}</em></li></ul>
<table><thead><tr><th>${words(1)}</th><th>${words(1)}</th><th>${words(1)}</th></tr></thead>
<tbody>${[0, 1, 2, 3].map(row).join('')}</tbody></table>
<footer><p class="muted">${words(5)}</p><img src="${picture('#0ea5e9')}" alt=""></footer></div>
<p class="muted">${words(9)}<br><i>${words(2)}</i> <b>${words(1)}</b> <u>${words(1)}</u></p>`;
}

export async function measureHtml(rounds: number): Promise<HtmlCost> {
  const library = await openFontLibrary({ folders: [] });
  const read = async (source: string) => parseDataUri(source).bytes;
  const random = randomFrom(1);
  const known = { name: 'Page', width: 800, height: 800, engine: 'html', renderer: 'platen', css: CSS };
  const times: { readonly list: number; readonly whole: number }[] = [];
  for (let i = -60; i < rounds * 4; i += 1) {
    const template = parseHtmlTemplate({ ...known, html: pageOf((count) => latinPhrase(random, count)) });
    const page = resolveHtml(template, {});
    const start = process.cpuUsage();
    const made = await openPageScene(page, 'png', DEFAULT_EXPORT, read);
    if (!made) throw new Error('It is no page of this renderer.');
    const { scene, faces } = made;
    const own = faces.length > 0 ? library.with(faces) : library;
    const { resources } = await loadResources(scene.needs, own, { read }, new AbortController().signal, 'header');
    const lists = [...composePages(scene, resources, {}).lists];
    const list = since(start);
    await exportAs('png', lists, resources, DEFAULT_EXPORT);
    if (i >= 0) times.push({ list, whole: since(start) });
  }
  const elements = [...pageOf(() => '').matchAll(/<[a-z]/g)].length;
  return {
    elements,
    cpuMs: rounded(median(times.map(({ list }) => list))),
    withPngMs: rounded(median(times.map(({ whole }) => whole))),
  };
}

function since(start: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
}

const rounded = (ms: number) => Math.round(ms * 100) / 100;
