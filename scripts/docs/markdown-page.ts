// Converts Markdown of docs to a page's HTML and its headings: links between pages, anchors, highlighted code, pictures
// of templates.

import { Marked, type Token, type Tokens } from 'marked';
import { escapeHtml } from './escape-html.ts';
import { formatJson } from './format-json.ts';
import { highlight, LANGUAGE_NAMES } from './highlight.ts';
import type { Picture } from './live-example.ts';

export interface Heading {
  readonly depth: number;
  readonly id: string;
  readonly text: string;
}

/** A heading with the text below it, for the search index. */
export interface Passage {
  readonly heading: Heading;
  readonly text: string;
}

export interface Page {
  readonly title: string;
  /** The sentence below the title, as plain text. */
  readonly lead: string;
  readonly html: string;
  readonly headings: readonly Heading[];
  readonly passages: readonly Passage[];
}

export interface PageContext {
  /** Renders a template to a picture. */
  readonly draw: (json: string) => Promise<Picture>;
  /**
   * Keeps a file that the page shows, by its address in the Markdown or under a name; resolves to its address in the
   * site.
   */
  readonly keep: (name: string, bytes?: Buffer) => Promise<string>;
}

/** Inline Markdown as plain text. */
const plain = (text: string) =>
  text
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/<[^>]+>/g, '')
    .replace(/[`*]/g, '')
    .replace(/\\([|"])/g, '$1');

/** Slugs as on GitHub, so that links work in both places. */
export function slugOf(text: string): string {
  return plain(text)
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replace(/\s/g, '-');
}

/** The headings of a page, in order, with their anchors. */
export function headingsOf(markdown: string): readonly Heading[] {
  const seen = new Map<string, number>();
  return new Marked()
    .lexer(markdown)
    .filter((token): token is Tokens.Heading => token.type === 'heading')
    .map(({ depth, text }) => {
      const slug = slugOf(text);
      const times = seen.get(slug) ?? 0;
      seen.set(slug, times + 1);
      return { depth, id: times === 0 ? slug : `${slug}-${times}`, text: plain(text) };
    });
}

/** `webhooks.md#jobs` → `webhooks#jobs`; other addresses are unchanged. */
const toPage = (href: string) =>
  href.replace(/^(?:\.\/)?([\w-]+)\.md(?=#|$)/, './$1').replace(/^\.\/index(?=#|$)/, './');

/** @throws Error that names the problem in the page */
export async function renderPage(markdown: string, context: PageContext): Promise<Page> {
  const headings = headingsOf(markdown);
  const [first] = headings;
  if (first?.depth !== 1) throw new Error('A page begins with a heading of level 1.');

  const shown = new Map<Token, string>();
  const waiting: Promise<void>[] = [];
  const marked = new Marked();
  const tokens = marked.lexer(markdown);
  void marked.walkTokens(tokens, (token) => {
    if (token.type === 'code' && /\slive\b/.test(token.lang ?? '')) {
      waiting.push(
        context.draw(token.text).then(async ({ bytes, alt, width, height }) => {
          const address = await context.keep('example.webp', bytes);
          shown.set(token, `<img src="${address}" alt="${escapeHtml(alt)}" width="${width}" height="${height}">`);
        }),
      );
    }
    if (token.type === 'image')
      waiting.push(context.keep(token.href).then((address) => void shown.set(token, address)));
  });
  await Promise.all(waiting);

  let count = 0;
  marked.use({
    // URLs in the text are examples and do not become links.
    tokenizer: { url: () => undefined },
    renderer: {
      html: ({ text }) => (/^\s*<!--/.test(text) ? '' : text),
      heading({ tokens: inside, depth }) {
        const id = headings[count++]?.id ?? '';
        const label = this.parser.parseInline(inside);
        if (depth === 1) return `<h1 id="${id}">${label}</h1>\n`;
        return `<h${depth} id="${id}"><a class="anchor" href="#${id}">${label}</a></h${depth}>\n`;
      },
      code(token) {
        const picture = shown.get(token);
        const block = codeBlock(picture ? formatJson(JSON.parse(token.text)) : token.text, token.lang ?? '');
        return picture ? `<figure class="live"><div class="picture">${picture}</div>${block}</figure>\n` : block;
      },
      link({ href, tokens: inside }) {
        const outside = /^[a-z]+:/.test(href) ? ' rel="noopener noreferrer"' : '';
        return `<a href="${escapeHtml(toPage(href))}"${outside}>${this.parser.parseInline(inside)}</a>`;
      },
      image: (token) => `<img src="${shown.get(token) ?? ''}" alt="${escapeHtml(token.text)}" loading="lazy">`,
      table(token) {
        return tableOf(token, (inside) => this.parser.parseInline(inside));
      },
    },
  });
  const html = marked.parser(tokens);
  const lead = plain(tokens.find((token) => token.type === 'paragraph')?.raw ?? '').replace(/\s+/g, ' ');
  return { title: first.text, lead: lead.trim(), html, headings, passages: passagesOf(tokens, headings) };
}

function codeBlock(code: string, info: string): string {
  const [language = ''] = info.split(/\s/);
  const name = LANGUAGE_NAMES[language];
  const label = name === undefined ? '' : `<span class="language">${name}</span>`;
  return `<div class="code">${label}<pre tabindex="0"><code>${highlight(code, language)}</code></pre></div>\n`;
}

function tableOf({ header, rows, align }: Tokens.Table, inline: (tokens: Token[]) => string): string {
  const cell = (kind: 'td' | 'th') => (one: Tokens.TableCell, index: number) =>
    `<${kind}${align[index] === 'right' ? ' class="number"' : ''}>${inline(one.tokens)}</${kind}>`;
  const body = rows.map((row) => `<tr>${row.map(cell('td')).join('')}</tr>`).join('\n');
  const hasPictures = rows.flat().every(({ text }) => text.startsWith('!['));
  if (hasPictures)
    return `<div class="pictures">${rows
      .flat()
      .map(({ tokens }) => inline(tokens))
      .join('')}</div>\n`;
  const head = header.some(({ text }) => text !== '')
    ? `<thead><tr>${header.map(cell('th')).join('')}</tr></thead>`
    : '';
  // On a narrow screen the cells of these tables are stacked.
  const [first] = header;
  const isReference = first?.text === 'property' || first?.text === 'Variable';
  const kind = isReference ? ' reference' : header.length > 5 ? ' wide' : '';
  return `<div class="table${kind}" tabindex="0"><table>${head}<tbody>\n${body}\n</tbody></table></div>\n`;
}

/** The text below each heading, as plain text. */
function passagesOf(tokens: readonly Token[], headings: readonly Heading[]): readonly Passage[] {
  const found: { heading: Heading; text: string }[] = [];
  for (const token of tokens) {
    if (token.type === 'heading') {
      const heading = headings[found.length];
      if (heading) found.push({ heading, text: '' });
    } else if (token.type !== 'html') {
      const last = found.at(-1);
      const text = token.type === 'code' ? token.text : plain(token.raw).replace(/^[-|: ]+$/gm, '');
      if (last) last.text += ` ${text.replace(/[|\s]+/g, ' ').trim()}`;
    }
  }
  return found;
}
