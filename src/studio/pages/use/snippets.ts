// Code snippets for the same render: curl, JavaScript, Python and HTML.

import type { Choice } from '#design/choice.ts';

/** Also the size, the language and the brand, where the template does not decide. */
export interface SnippetRequest extends Choice {
  /** The server's address. */
  readonly address: string;
  /** The template's id, optionally pinned to a version: `tpl_…@3`. */
  readonly template: string;
  readonly modifications: Readonly<Record<string, unknown>>;
  readonly output: string;
}

/** Formatted with two spaces per level. */
const json = (value: unknown, indent = '') => JSON.stringify(value, null, 2).replaceAll('\n', `\n${indent}`);

const PYTHON: Readonly<Record<string, string>> = { true: 'True', false: 'False', null: 'None' };

/** JSON is Python too, but for these words; quoted text never ends a line like one. */
const python = (value: unknown) =>
  json(value).replace(/\b(true|false|null)(,?)$/gm, (_, word, comma) => `${PYTHON[word]}${comma}`);

/** A name in JavaScript: none has a quote. */
const quote = (name: string) => `'${name}'`;

const CLIENT = "'@platen/client'";

export function curlSnippet({ address, ...request }: SnippetRequest): string {
  // A single quote would end the shell string.
  const body = json(request).replaceAll("'", "'\\''");
  return `curl ${address}/v1/renders \\
  -H "Authorization: Bearer $PLATEN_KEY" \\
  -H "Content-Type: application/json" \\
  -d '${body}'`;
}

export function javascriptSnippet({ address, template, modifications, output, ...choice }: SnippetRequest): string {
  const chosen = Object.entries(choice).map(([name, value]) => `\n  ${name}: ${quote(value)},`);
  return `import { Platen } from ${CLIENT};

const platen = new Platen({ baseUrl: '${address}', apiKey: process.env.PLATEN_KEY });

const { url } = await platen.renders.create({
  template: '${template}',
  modifications: ${json(modifications, '  ')},
  output: '${output}',${chosen.join('')}
});`;
}

export function pythonSnippet({ address, template, modifications, output, ...choice }: SnippetRequest): string {
  const chosen = Object.entries(choice).map(([name, value]) => `, ${name}=${json(value)}`);
  return `import os
from platen import Platen

platen = Platen("${address}", os.environ["PLATEN_KEY"])

render = platen.render("${template}", ${python(modifications)}, output="${output}"${chosen.join('')})
print(render["url"])`;
}

const attribute = (text: string) => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;');

export function htmlSnippet(url: string, name: string, width: number, height: number): string {
  return `<img src="${attribute(url)}"
  width="${width}" height="${height}" alt="${attribute(name)}">

<meta property="og:image" content="${attribute(url)}">
<meta property="og:image:width" content="${width}">
<meta property="og:image:height" content="${height}">
<meta name="twitter:card" content="summary_large_image">`;
}
