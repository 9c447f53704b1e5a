// Detects the format of an image file from its first bytes.
//
// The claims of a server or a data: URI are ignored: the bytes alone decide which decoder is used.

import type { ImageResource } from './resources.ts';

export type ImageFormat = ImageResource['format'];

/** Most bytes of comments and processing instructions before an SVG's root. */
const SVG_PROLOG_BYTES = 64 * 1024;

/** The AVIF brands of ISO/IEC 23000-22: still images and sequences coded in AV1. */
const AVIF_BRANDS = new Set(['avif', 'avis']);

const ascii = (bytes: Uint8Array, from: number, to: number) =>
  String.fromCharCode(...bytes.subarray(from, Math.min(to, bytes.length)));

function startsWith(bytes: Uint8Array, ...signature: number[]): boolean {
  return bytes.length >= signature.length && signature.every((byte, index) => bytes[index] === byte);
}

/** Reads the `ftyp` box: its major brand, then the compatible ones (a file may have the major brand `mif1`). */
function isAvif(bytes: Uint8Array): boolean {
  if (bytes.length < 16 || ascii(bytes, 4, 8) !== 'ftyp') return false;
  const end = Math.min(new DataView(bytes.buffer, bytes.byteOffset).getUint32(0), 256, bytes.length);
  if (AVIF_BRANDS.has(ascii(bytes, 8, 12))) return true;
  for (let at = 16; at + 4 <= end; at += 4) if (AVIF_BRANDS.has(ascii(bytes, at, at + 4))) return true;
  return false;
}

/** Whether the first element, after everything that XML allows before it, is `<svg>` or `<prefix:svg>`. */
function isSvg(bytes: Uint8Array): boolean {
  const text = new TextDecoder('latin1').decode(bytes.subarray(0, SVG_PROLOG_BYTES));
  let at = text.startsWith('\u00ef\u00bb\u00bf') ? 3 : 0;
  while (at < text.length) {
    const rest = text.slice(at, at + 64);
    const space = /^[ \t\r\n]+/.exec(rest);
    const end =
      space !== null
        ? at + space[0].length
        : rest.startsWith('<!--')
          ? after(text, '-->', at + 4)
          : rest.startsWith('<?')
            ? after(text, '?>', at + 2)
            : rest.startsWith('<!DOCTYPE')
              ? afterDoctype(text, at)
              : null;
    if (end === null) return /^<([A-Za-z_][\w.-]*:)?svg[\s/>]/.test(rest);
    if (end < 0) return false;
    at = end;
  }
  return false;
}

function after(text: string, terminator: string, from: number): number {
  const at = from < 0 ? -1 : text.indexOf(terminator, from);
  return at < 0 ? -1 : at + terminator.length;
}

/** Skips a DOCTYPE, so that inspect can give it as the reason for refusal, rather than "not an image". */
function afterDoctype(text: string, from: number): number {
  const subset = text.indexOf('[', from);
  const end = text.indexOf('>', from);
  return after(text, '>', subset >= 0 && subset < end ? text.indexOf(']', subset) : from);
}

/** The format of the bytes, or null: TIFF, BMP, HEIC, gzip and everything else are not supported. */
export function sniffFormat(bytes: Uint8Array): ImageFormat | null {
  if (startsWith(bytes, 0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a)) return 'png';
  if (startsWith(bytes, 0xff, 0xd8, 0xff)) return 'jpeg';
  if (ascii(bytes, 0, 4) === 'RIFF' && ascii(bytes, 8, 12) === 'WEBP') return 'webp';
  if (/^GIF8[79]a$/.test(ascii(bytes, 0, 6))) return 'gif';
  if (isAvif(bytes)) return 'avif';
  if (ascii(bytes, 0, 5) === '%PDF-') return 'pdf';
  return isSvg(bytes) ? 'svg' : null;
}

/** Whether the file is a gzip member (RFC 1952), such as an .svgz file. */
export function isGzip(bytes: Uint8Array): boolean {
  return startsWith(bytes, 0x1f, 0x8b);
}
