// Writes title, author, subject and keywords into a PDF that Chromium has printed (ISO 32000-1, 14.3.3).
//
// Chromium itself can only set the title, from the page. The file gets an incremental update (7.5.6): a new information
// dictionary and the table that names it, behind what Chromium has written.

import type { DocumentProperties } from '#core/template/document-properties.ts';

export type PdfInformation = Pick<DocumentProperties, 'title' | 'author' | 'subject' | 'keywords'>;

/** The end of a file as Skia writes it: the size of its table, its catalogue, its information and where the table is. */
const END = /trailer\n<<\/Size (\d+)\n\/Root (\d+ 0 R)\n\/Info (\d+) 0 R>>\nstartxref\n(\d+)\n%%EOF\s*$/;

export function hasInformation({ title, author, subject, keywords = [] }: PdfInformation): boolean {
  return title !== undefined || author !== undefined || subject !== undefined || keywords.length > 0;
}

/** @throws Error when the file is not as Skia writes one */
export function withInformation(pdf: Uint8Array, information: PdfInformation): Uint8Array {
  const bytes = Buffer.from(pdf.buffer, pdf.byteOffset, pdf.length);
  const [, size, root, number, table] = END.exec(bytes.toString('latin1', Math.max(0, bytes.length - 1_000))) ?? [];
  if (number === undefined) throw new Error('The PDF does not end as Skia ends one.');
  const entries = { ...entriesOf(bytes, number), ...wanted(information) };
  const text = Object.entries(entries).map(([name, value]) => `/${name} ${value}\n`);
  const object = `\n${number} 0 obj\n<<\n${text.join('')}>>\nendobj\n`;
  const [at, next] = [bytes.length + 1, bytes.length + object.length];
  const row = `${String(at).padStart(10, '0')} 00000 n \n`;
  const trailer = `trailer\n<</Size ${size}\n/Root ${root}\n/Info ${number} 0 R\n/Prev ${table}>>\n`;
  const end = `${object}xref\n${number} 1\n${row}${trailer}startxref\n${next}\n%%EOF\n`;
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
