// Writes the findings as one self-contained HTML page, with expected, difference and actual side by side.
//
// It has no script and needs no other file, so that a build server can keep it as it is.

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CASES } from './cases.ts';
import { type Finding, OUT } from './goldens.ts';
import { lineDifference } from './line-difference.ts';
import { encodePicture, type Picture } from './picture.ts';

const STYLE = `
  body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 72rem; padding: 0 1rem; color: #0f172a; background: #f8fafc }
  section { margin: 2rem 0; padding: 1rem 1.25rem; background: #fff; border: 1px solid #e2e8f0; border-radius: .5rem }
  h2 { margin: 0; font-size: 1rem } p { margin: .25rem 0 1rem; color: #475569 }
  .row { display: flex; flex-wrap: wrap; gap: 1rem } figure { margin: 0 } figcaption { font-size: .8rem; color: #64748b }
  img { display: block; image-rendering: pixelated; background: repeating-conic-gradient(#e2e8f0 0 25%, #fff 0 50%) 0 0/16px 16px; outline: 1px solid #cbd5e1 }
  pre { margin: 0; padding: .75rem; overflow: auto; max-height: 30rem; background: #f1f5f9; font-size: .75rem } del { background: #fecaca; text-decoration: none } ins { background: #bbf7d0; text-decoration: none }
`;

const escapeHtml = (text: string) => text.replace(/[&<>"]/g, (char) => `&#${char.charCodeAt(0)};`);

async function figure(caption: string, picture: Picture | null): Promise<string> {
  if (picture === null) return `<figure><figcaption>${caption}: none</figcaption></figure>`;
  const source = `data:image/png;base64,${Buffer.from(await encodePicture(picture)).toString('base64')}`;
  const [width, height] = [picture.width * 2, picture.height * 2];
  return `<figure><img src="${source}" width="${width}" height="${height}" alt="${caption}"><figcaption>${caption}</figcaption></figure>`;
}

const TAG = { kept: 'span', removed: 'del', added: 'ins' } as const;

const textDifference = (expected: string, actual: string) =>
  lineDifference(expected, actual)
    .map(({ kind, lines }) => `<${TAG[kind]}>${escapeHtml(lines.join('\n'))}</${TAG[kind]}>`)
    .join('\n');

async function section({ name, message, pictures, texts }: Finding): Promise<string> {
  const title = CASES.find((found) => found.name === name)?.title ?? '';
  const row = pictures
    ? (
        await Promise.all([
          figure('expected', pictures.expected),
          figure('difference', pictures.difference),
          figure('actual', pictures.actual),
        ])
      ).join('')
    : '';
  const text = texts ? `<pre>${textDifference(texts.expected ?? '', texts.actual)}</pre>` : '';
  return `<section id="${escapeHtml(name)}"><h2>${escapeHtml(name)}</h2><p>${escapeHtml(title)}<br>${escapeHtml(message)}</p><div class="row">${row}</div>${text}</section>`;
}

/** Writes golden/.out/report.html and returns its path. */
export async function writeReport(findings: readonly Finding[]): Promise<string> {
  const sections = await Promise.all(findings.map(section));
  const heading = `${findings.length} ${findings.length === 1 ? 'golden is' : 'goldens are'} not as accepted`;
  const page = `<!doctype html><html lang="en"><meta charset="utf-8"><title>${heading}</title><style>${STYLE}</style><h1>${heading}</h1>${sections.join('\n')}</html>\n`;
  mkdirSync(OUT, { recursive: true });
  const path = join(OUT, 'report.html');
  writeFileSync(path, page);
  return path;
}
