// Objects in, a PDF file's bytes out: header, body, cross-reference table, trailer (ISO 32000-1, 7.5).
//
// Bytes that are handed in are copied once, when the file is put together: a photo is most of its page.

import { hash } from 'node:crypto';
import { deflateSync } from 'node:zlib';
import { fileDigest } from '../file-digest.ts';
import { type Dictionary, objectText, PdfReference } from './object.ts';

/** The second line tells programs that move files that there are bytes in it, not text. */
const HEADER = '%PDF-1.7\n%\xff\xff\xff\xff\n';
/** How long a stream must be for deflating it to save more than it costs; bytes are denser than text. */
const WORTH_DEFLATING = { text: 1_024, bytes: 8_192 };

export class ObjectFile {
  /** Text has a character to a byte. */
  readonly #parts: (string | Uint8Array)[] = [];
  /** What follows the last of the parts. */
  #text = HEADER;
  /** Bytes of the parts. */
  #length = 0;
  /** Where each object begins, by its number, the first being 1; null as long as it is not written. */
  readonly #offsets: (number | null)[] = [];

  /** An object that is written later. */
  reserve(): PdfReference {
    return new PdfReference(this.#offsets.push(null));
  }

  /** Writes an object, with a stream where there is one: deflated where that pays, unless `data` has a `Filter`. */
  write({ number }: PdfReference, data: Dictionary, stream?: Uint8Array | string): void {
    this.#offsets[number - 1] = this.#length + this.#text.length;
    this.#text += `${number} 0 obj\n`;
    if (stream === undefined) this.#text += objectText(data);
    else if ('Filter' in data || !isWorthDeflating(stream)) this.#stream(data, stream);
    else this.#stream({ ...data, Filter: 'FlateDecode' }, deflated(stream));
    this.#text += '\nendobj\n';
  }

  #stream(data: Dictionary, stream: Uint8Array | string): void {
    this.#text += `${objectText({ ...data, Length: stream.length })}\nstream\n`;
    if (typeof stream === 'string') this.#text += stream;
    else {
      this.#parts.push(this.#text, stream);
      this.#length += this.#text.length + stream.length;
      this.#text = '';
    }
    this.#text += '\nendstream';
  }

  /** Closes the file, which is told from others by a digest of all that is in it. */
  finish(root: PdfReference, info: PdfReference): Uint8Array {
    const table = this.#length + this.#text.length;
    this.#text += `xref\n0 ${this.#offsets.length + 1}\n0000000000 65535 f \n`;
    for (const offset of this.#offsets) {
      if (offset === null) throw new Error('An object of the PDF was reserved and never written.');
      this.#text += `${String(offset).padStart(10, '0')} 00000 n \n`;
    }
    const identifier = this.#identifier();
    const trailer = { Size: this.#offsets.length + 1, Root: root, Info: info, ID: [identifier, identifier] };
    this.#text += `trailer\n${objectText(trailer)}\nstartxref\n${table}\n%%EOF\n`;
    return this.#bytes();
  }

  #identifier(): Uint8Array {
    const parts = this.#parts.map((part) => (typeof part === 'string' ? part : fileDigest(part)));
    return hash('sha256', parts.join('') + this.#text, 'buffer').subarray(0, 16);
  }

  #bytes(): Uint8Array {
    const bytes = Buffer.allocUnsafe(this.#length + this.#text.length);
    let at = 0;
    for (const part of [...this.#parts, this.#text]) {
      if (typeof part === 'string') bytes.write(part, at, 'latin1');
      else bytes.set(part, at);
      at += part.length;
    }
    return bytes;
  }
}

function isWorthDeflating(stream: Uint8Array | string): boolean {
  return stream.length >= (typeof stream === 'string' ? WORTH_DEFLATING.text : WORTH_DEFLATING.bytes);
}

function deflated(stream: Uint8Array | string): Uint8Array {
  return deflateSync(typeof stream === 'string' ? Buffer.from(stream, 'latin1') : stream);
}
