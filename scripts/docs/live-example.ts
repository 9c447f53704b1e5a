// Draws the templates of the documentation as `platen render` does, with the photographs of the samples.

import { cp, mkdtempDisposable, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { renderFile } from '../../src/cli/render-file.ts';
import { parseAnyTemplate } from '../../src/core/template/any-template.ts';

/** The largest width of a picture in device px: twice the CSS px of the column. */
const ROOM = 1_520;

export interface Picture {
  readonly bytes: Buffer;
  readonly alt: string;
  /** CSS px. */
  readonly width: number;
  readonly height: number;
}

/** @throws Error if the template cannot be drawn or causes any warning */
export async function drawExample(root: string, json: string): Promise<Picture> {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'platen-docs-'));
  await cp(join(root, 'samples/assets'), join(folder.path, 'assets'), { recursive: true });
  const [file, out] = ['template.json', 'picture.webp'].map((name) => join(folder.path, name)) as [string, string];
  await writeFile(file, json);
  const { name, width, height } = parseAnyTemplate(JSON.parse(json));
  const scale = Math.min(2, ROOM / width);
  const { warnings } = await renderFile(file, { out, set: [], scale, quality: 84, compression: 'fast' });
  if (warnings.length > 0) throw new Error(`The example "${name}": ${warnings.join(' ')}`);
  return { bytes: await readFile(out), alt: `The template “${name}”, rendered`, width, height };
}
