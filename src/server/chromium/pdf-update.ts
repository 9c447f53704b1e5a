// Adds to a PDF that Chromium has printed: title, author, subject and keywords (ISO 32000-1, 14.3.3), and the watermark
// of a test key over each page.
//
// Chromium itself can only set the title, from the page. The file gets an incremental update (7.5.6): new versions of
// objects, and the table that names them, behind what Chromium has written.

import type { DocumentProperties } from '#core/template/document-properties.ts';
import { watermarkContent } from './mark-page.ts';

export type PdfInformation = Pick<DocumentProperties, 'title' | 'author' | 'subject' | 'keywords'>;

/** The end of a file as Skia writes it, or an update: the size of the table, catalogue, information, place of the table. */
const END =
  /trailer\n<<\/Size (\d+)\n\/Root (\d+ 0 R)\n\/Info (\d+) 0 R(?:\n\/Prev \d+)?>>\nstartxref\n(\d+)\n%%EOF\s*$/;
/** The beginning of each page, as Skia writes it. */
const PAGE = /\n(\d+) 0 obj\n(<<\/Type \/Page\n)/g;

export function hasInformation({ title, author, subject, keywords = [] }: PdfInformation): boolean {
  return title !== undefined || author !== undefined || subject !== undefined || keywords.length > 0;
}

/** @throws Error when the file is not as Skia writes one */
export function withInformation(pdf: Uint8Array, information: PdfInformation): Uint8Array {
  const bytes = Buffer.from(pdf.buffer, pdf.byteOffset, pdf.length);
  const { number } = endOf(bytes);
  const entries = { ...entriesOf(bytes, number), ...wanted(information) };
  const text = Object.entries(entries).map(([name, value]) => `/${name} ${value}\n`);
  return updated(bytes, new Map([[Number(number), `<<\n${text.join('')}>>`]]));
}

/** Draws the watermark over each page. @throws Error when the file is not as Skia writes one */
export function markedPdf(pdf: Uint8Array): Uint8Array {
  const bytes = Buffer.from(pdf.buffer, pdf.byteOffset, pdf.length);
  const text = bytes.toString('latin1');
  const first = Number(endOf(bytes).size);
  // What the page leaves of its own coordinates and clips is undone first.
  const objects = new Map([[first, streamOf('q')]]);
  /** Objects by the box of their pages. */
  const marks = new Map<string, number>();
  for (const { 1: number, 2: start = '', index } of text.matchAll(PAGE)) {
    const page = text.slice(text.indexOf(start, index), text.indexOf('\nendobj', index));
    const begin = page.indexOf('/MediaBox [') + '/MediaBox ['.length;
    const box = page.slice(begin, page.indexOf(']', begin));
    const sides = box.trim().split(/\s+/).map(Number) as [number, number, number, number];
    const [, content] = /\/Contents (\d+) 0 R/.exec(page) ?? [];
    if (content === undefined || sides.length !== 4) throw new Error('The PDF has no page where Skia writes it.');
    const mark = marks.get(box) ?? first + 1 + marks.size;
    marks.set(box, mark);
    objects.set(mark, streamOf(`Q\n${watermarkContent(sides)}`));
    objects.set(
      Number(number),
      page.replace(/\/Contents \d+ 0 R/, `/Contents [${first} 0 R ${content} 0 R ${mark} 0 R]`),
    );
  }
  return updated(bytes, objects);
}

const streamOf = (content: string) => `<</Length ${content.length}>>\nstream\n${content}\nendstream`;

function endOf(bytes: Buffer): { size: string; root: string; number: string; table: string } {
  const [, size = '', root = '', number, table = ''] =
    END.exec(bytes.toString('latin1', Math.max(0, bytes.length - 1_000))) ?? [];
  if (number === undefined) throw new Error('The PDF does not end as Skia ends one.');
  return { size, root, number, table };
}

/** The file with these objects, in latin1, by number: new ones, or new versions. */
function updated(bytes: Buffer, objects: ReadonlyMap<number, string>): Uint8Array {
  const { size, root, number, table } = endOf(bytes);
  let [text, rows] = ['\n', ''];
  for (const [each, object] of objects) {
    rows += `${each} 1\n${String(bytes.length + text.length).padStart(10, '0')} 00000 n \n`;
    text += `${each} 0 obj\n${object}\nendobj\n`;
  }
  const most = Math.max(Number(size), ...[...objects.keys()].map((each) => each + 1));
  const trailer = `trailer\n<</Size ${most}\n/Root ${root}\n/Info ${number} 0 R\n/Prev ${table}>>\n`;
  const end = `${text}xref\n${rows}${trailer}startxref\n${bytes.length + text.length}\n%%EOF\n`;
  return Buffer.concat([bytes, Buffer.from(end, 'latin1')]);
}

/** The entries that there are, each as it is written. */
function entriesOf(bytes: Buffer, number: string): Readonly<Record<string, string>> {
  const start = bytes.indexOf(`\n${number} 0 obj\n<<`);
  const end = bytes.indexOf('>>\nendobj', start);
  if (start < 0 || end < 0) throw new Error('The PDF has no information where Skia writes it.');
  const text = bytes.toString('latin1', bytes.indexOf('<<', start) + 2, end);
  // Each stands on a line of its own; Skia escapes the line ends inside a string.
  const entries = text.split(/\n(?=\/)/).map((line) => /^\/(\w+) ([\s\S]*)$/.exec(line.trim()));
  return Object.fromEntries(entries.flatMap((entry) => (entry ? [[entry[1], entry[2]]] : [])));
}

function wanted({ title, author, subject, keywords = [] }: PdfInformation): Readonly<Record<string, string>> {
  return {
    ...(title !== undefined && { Title: textString(title) }),
    ...(author !== undefined && { Author: textString(author) }),
    ...(subject !== undefined && { Subject: textString(subject) }),
    ...(keywords.length > 0 && { Keywords: textString(keywords.join(', ')) }),
  };
}

/** A text string (7.9.2.2) in UTF-16BE with a byte order mark, in hexadecimal digits. */
const textString = (text: string) => `<FEFF${Buffer.from(text, 'utf16le').swap16().toString('hex').toUpperCase()}>`;
