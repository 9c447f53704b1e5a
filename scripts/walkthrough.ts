// Walks one fixture through all five values, as Markdown for ARCHITECTURE.md, with real text that is only shortened.

import { readFile } from 'node:fs/promises';
import { inflateSync } from 'node:zlib';
import { compose } from '#core/compose.ts';
import { layOut } from '#core/layout/layout.ts';
import { resolve } from '#core/resolve/resolve.ts';
import { writeSvg } from '#core/svg/write-svg.ts';
import { parseTemplate } from '#core/template/template.ts';
import { openFontLibrary } from '#draw/fonts/font-library.ts';
import { exportAs } from '#draw/output/export.ts';
import { DEFAULT_EXPORT } from '#draw/output/formats.ts';

/** The fixture of the walkthrough; small enough to be read as a whole. */
export const WALKED = 'fixtures/modifications/walkthrough.json';

/** Rounds numbers for reading. */
const rounded = (_key: string, value: unknown) => (typeof value === 'number' ? Math.round(value * 100) / 100 : value);
const show = (value: unknown) =>
  JSON.stringify(value, rounded).replaceAll('"', '').replaceAll(',', ', ').replaceAll(':', ': ');
const block = (lines: readonly string[]) => `\`\`\`text\n${lines.join('\n')}\n\`\`\``;
/** Cuts long lines, with an ellipsis. */
const cut = (text: string, length = 112) => (text.length > length ? `${text.slice(0, length - 2)} …` : text);

export async function walkthrough(): Promise<string> {
  const fixture = JSON.parse(await readFile(WALKED, 'utf8'));
  const template = parseTemplate(fixture.template);
  const scene = resolve(template, fixture.modifications);
  const { fonts } = await (await openFontLibrary({ folders: [] })).load(scene.needs.fonts);
  const resources = { fonts, images: new Map(), codes: new Map(), hyphenators: new Map() };
  const { boxes } = layOut(scene, resources);
  const { list } = compose(scene, resources);
  const svg = writeSvg(list, resources);
  const pdf = Buffer.from(await exportAs('pdf', [list], resources, DEFAULT_EXPORT));

  const frame = scene.nodes[0];
  const box = boxes[0];
  if (frame?.type !== 'frame' || box?.kind !== 'frame') throw new Error(`${WALKED} should be one frame.`);
  const text = frame.children[0];
  const words = box.children[0];
  if (text?.type !== 'text' || words?.kind !== 'text') throw new Error(`${WALKED} should hold one text.`);
  const span = text.spans[0];
  const run = words.paragraph.lines[0]?.runs[0];

  return [
    `\`${WALKED}\`, a pill with a word in it, whose word a caller changes:`,
    '',
    '**Template** and modifications, as they are stored and sent:',
    '',
    block([show(fixture.template.layers[0]), show(fixture.modifications)].flatMap(wrapped)),
    '',
    '**Scene**: the word is in place, every default filled in, colours parsed, edges four numbers; and what must be fetched:',
    '',
    block(
      [
        `frame ${show({ name: frame.name, placement: { x: frame.placement.x, width: frame.placement.width }, padding: frame.padding })}`,
        `  text ${show({ name: text.name, text: span?.text, fontSize: span?.style.fontSize, lineHeight: span?.style.lineHeight, fill: span?.style.fill })}`,
        `needs ${show({ fonts: scene.needs.fonts.map(({ query }) => ({ families: query.families, weight: query.weight })), images: scene.needs.images })}`,
      ].flatMap(wrapped),
    ),
    '',
    '**Boxes**: shaped, broken into lines and placed by flexbox; the frame hugs what it holds:',
    '',
    block(
      [
        `frame ${show(box.rect)}`,
        `  text ${show(words.rect)}`,
        `    run ${show({ ...run, run: { ...run?.run, glyphs: run?.run.glyphs.map(({ id, x, advance }) => ({ id, x, advance })) } })}`,
      ].flatMap(wrapped),
    ),
    '',
    '**Display list**: plain operations, back to front; nothing is left to work out:',
    '',
    block(list.ops.map((op) => show(op)).flatMap((line) => wrapped(cut(line, 330)))),
    '',
    '**Bytes**: the raster back end fills these outlines, here as SVG; the PDF back end writes the same glyphs as text:',
    '',
    block([...wrapped(cut(svg, 430)), '', ...textOperators(pdf)]),
  ].join('\n');
}

/** Breaks at spaces, so that the page needs no scroll bar. */
function wrapped(line: string): string[] {
  const indent = `${/^ */.exec(line)?.[0] ?? ''}    `;
  const lines: string[] = [];
  let rest = line;
  while (rest.length > 112) {
    const at = rest.lastIndexOf(' ', 112);
    if (at <= indent.length) break;
    lines.push(rest.slice(0, at));
    rest = indent + rest.slice(at + 1);
  }
  return [...lines, rest];
}

/** The text object of the page's content stream, which is not deflated on such a small page. */
function textOperators(pdf: Buffer): string[] {
  const streams = [...pdf.toString('latin1').matchAll(/FlateDecode\n\/Length (\d+)\n>>\nstream\n/g)];
  const inflated = streams.map(({ index, 0: head, 1: length }) => {
    const start = index + head.length;
    return inflateSync(pdf.subarray(start, start + Number(length))).toString('latin1');
  });
  const text = /^BT\n[\s\S]*?^ET$/m.exec(inflated.join('\n'));
  if (!text) throw new Error('The PDF has no text object.');
  // Without what says of which part of the document the words are.
  const lines = text[0].split('\n').filter((line) => !/BDC$|^EMC$/.test(line));
  return lines.map((line) => cut(line));
}
