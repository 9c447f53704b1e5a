// `GET /`: the start page, which says what the server does and leads to the studio, the documentation and the API.
//
// It is one file with an inline style sheet, and a font and three pictures from the studio's build, so it works before
// anything else does. People who are signed in go on to the studio.

import { createHash } from 'node:crypto';
import type { Handler } from './middleware/request-context.ts';
import { setSiteHeaders } from './static-site.ts';
import { sessionCookie } from './studio/session-cookie.ts';
import type { StudioContext } from './studio/studio-context.ts';

const WORDS =
  'Platen renders stored templates to PNG, JPEG, WebP and PDF. The API lives under /v1; read about it at /docs.';

/** The colours are the studio's, from src/studio/shell/tokens.css. */
const STYLE = `
${[400, 600].map((weight) => `@font-face { font-family: Inter; font-weight: ${weight}; font-display: swap; src: url(studio/start/inter-${weight}.woff2) }`).join('\n')}
:root { color-scheme: light dark; --back: light-dark(#fff, #191919); --panel: light-dark(#f6f6f6, #121212);
  --line: light-dark(#e5e5e5, #2a2a2a); --strong: light-dark(#d1d1d1, #3d3d3d); --text: light-dark(#161616, #ededed);
  --soft: light-dark(#555, #adadad); --accent: #d1401b; --mono: ui-monospace, "SF Mono", Menlo, Consolas, monospace }
* { box-sizing: border-box }
body { margin: 0; background: var(--back); color: var(--text);
  font: 400 16px/26px Inter, system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; -webkit-font-smoothing: antialiased }
.wide { max-width: 1120px; margin: 0 auto; padding: 0 32px }
h1, h2, h3, p, pre, figure, ul { margin: 0; padding: 0 }
a { color: inherit; text-underline-offset: 3px; text-decoration-color: var(--strong) }
a:hover { text-decoration-color: currentColor }
:focus-visible { outline: 2px solid light-dark(#2757b8, #8fb4ff); outline-offset: 3px; border-radius: 4px }
header .wide { display: flex; align-items: center; gap: 12px 28px; min-height: 72px; flex-wrap: wrap }
.mark { display: flex; align-items: center; gap: 10px; margin-right: auto; font-weight: 600; text-decoration: none }
.mark svg { display: block; width: 28px; height: 28px }
header a:not(.mark) { color: var(--soft); font-size: 14px; font-weight: 500; text-decoration: none }
header a:not(.mark):hover { color: var(--text) }
.first { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 1.1fr); align-items: center; gap: 64px;
  padding-top: 64px; padding-bottom: 88px }
h1 { font-size: clamp(34px, 4.4vw, 52px); font-weight: 600; line-height: 1.08; letter-spacing: -.03em; text-wrap: balance }
.first p { max-width: 46ch; margin: 20px 0 32px; color: var(--soft); font-size: 18px; line-height: 28px; text-wrap: pretty }
.buttons { display: flex; flex-wrap: wrap; gap: 12px }
.button { padding: 10px 20px; border: 1px solid var(--strong); border-radius: 8px; font-size: 15px; font-weight: 500;
  line-height: 22px; text-decoration: none }
.button:hover { background: var(--panel) }
.main { border-color: var(--accent); background: var(--accent); color: #fff }
.main:hover { border-color: #b93614; background: #b93614 }
.pictures { display: grid; grid-template-columns: 1.62fr 1fr; gap: 16px }
.pictures img { display: block; width: 100%; height: 100%; object-fit: cover; border-radius: 6px;
  box-shadow: 0 0 0 1px light-dark(#0000001a, #ffffff24), 0 16px 40px -16px light-dark(#00000047, #000) }
.pictures img:first-child { grid-column: 1 / -1 }
.pictures img:nth-child(2) { height: auto }
.pictures img:nth-child(3) { height: 0; min-height: 100%; object-position: top }
.second { background: var(--panel); border-block: 1px solid var(--line) }
.second .wide { display: grid; grid-template-columns: minmax(0, 5fr) minmax(0, 7fr); align-items: center; gap: 64px;
  padding-top: 64px; padding-bottom: 64px }
h2 { font-size: 24px; font-weight: 600; line-height: 32px; letter-spacing: -.02em }
.second p { margin-top: 12px; color: var(--soft); text-wrap: pretty }
pre { padding: 20px 24px; border: 1px solid var(--line); border-radius: 10px; background: var(--back); overflow: auto;
  font: 13px/22px var(--mono) }
ul.wide { display: grid; grid-template-columns: repeat(3, minmax(0, 1fr)); gap: 40px; padding-top: 56px; padding-bottom: 72px;
  list-style: none }
h3 { font-size: 16px; font-weight: 600 }
li p { margin-top: 6px; color: var(--soft); font-size: 15px; line-height: 24px; text-wrap: pretty }
@media (max-width: 860px) {
  .wide { padding: 0 20px }
  header .wide { gap: 20px }
  .first, .second .wide, ul.wide { grid-template-columns: minmax(0, 1fr); gap: 36px }
  .first { padding-top: 32px; padding-bottom: 56px }
}
`;

const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="description" content="Render templates to PNG, JPEG, WebP and PDF with one request.">
<title>Platen: pictures and documents from templates</title>
<link rel="icon" href="studio/icon.svg">
<style>${STYLE}</style>
</head>
<body>
<header>
<nav class="wide" aria-label="Platen">
<a class="mark" href="./"><svg viewBox="0 0 32 32" aria-hidden="true"><rect width="32" height="32" rx="7" fill="#d1401b"/><path d="M8 23.5h16M8 18.5h16" stroke="#fff" stroke-width="2.5" stroke-linecap="square"/><rect x="10.5" y="7" width="11" height="7.5" fill="#fff"/></svg>Platen</a>
<a href="docs/">Docs</a>
<a href="docs/api">API</a>
<a href="studio/">Sign in</a>
</nav>
</header>
<main>
<div class="wide first">
<div>
<h1>Pictures and documents from templates</h1>
<p>Design a template once. Then render it with new words and photos to PNG, JPEG, WebP or PDF, one request at a time or thousands in a batch.</p>
<div class="buttons">
<a class="button main" href="studio/">Sign in to the studio</a>
<a class="button" href="docs/quickstart">Read the quickstart</a>
</div>
</div>
<div class="pictures">
<img src="studio/start/social-card.webp" width="1200" height="630" alt="A link preview: a photo of a dandelion with the headline of an article.">
<img src="studio/start/event-ticket.webp" width="1200" height="520" alt="An event ticket with a QR code.">
<img src="studio/start/invoice.webp" width="794" height="1123" alt="An invoice as a page of a PDF.">
</div>
</div>
<div class="second">
<div class="wide">
<div>
<h2>One request, one picture</h2>
<p>Every named layer of a template is a parameter. The answer holds the address of the file; a signed URL renders it straight into an &lt;img&gt;, without a key.</p>
</div>
<pre tabindex="0" role="region" aria-label="A request">curl {address}/v1/renders \\
  -H "Authorization: Bearer $PLATEN_KEY" \\
  -H "Content-Type: application/json" \\
  -d '{
    "template": "tpl_social-card",
    "modifications": {"title": "How moss remembers rain"}
  }'</pre>
</div>
</div>
<ul class="wide">
<li><h3><a href="studio/">Studio</a></h3><p>Design templates on a canvas that shows exactly what the server renders, try them with real data, and publish.</p>
<li><h3><a href="docs/">Documentation</a></h3><p>Quickstart, recipes, every layer and property, and how to run a server of your own.</p>
<li><h3><a href="docs/api">API reference</a></h3><p>Every endpoint with examples. The contract itself is <a href="v1/openapi.json">OpenAPI 3.1</a>.</p>
</ul>
</main>
</body>
</html>
`;

const POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
  "font-src 'self'",
  "img-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

type StartContext = Pick<StudioContext, 'sessions' | 'studioAddress' | 'address'>;

/** HTML for browsers, or the way to the studio for those that are signed in; plain text for all other clients. */
export function showStart({ sessions, studioAddress, address }: StartContext): Handler {
  return async (koa) => {
    koa.set('vary', 'accept, cookie');
    koa.set('cache-control', 'no-store');
    if (koa.accepts('text', 'html') !== 'html') {
      koa.body = `${WORDS} The studio is at /studio/.\n`;
      return;
    }
    const cookie = sessionCookie(koa, studioAddress());
    // Relative, like all links of the page, as a proxy may have added a prefix to the path.
    if (cookie !== null && (await sessions.find(cookie))) return koa.redirect('studio/');
    setSiteHeaders(koa, POLICY);
    koa.type = 'text/html; charset=utf-8';
    koa.body = PAGE.replace('{address}', () => escaped(address()));
  };
}

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
