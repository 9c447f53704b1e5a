// `node test/golden/render-digests.ts`: prints the SHA-256 of the PNG and the PDF of every eighth fixture, with WHOLE=1 of
// each, for another process to compare.

import { createHash } from 'node:crypto';
import { sampled } from '../sampled.ts';
import { CASES } from './cases.ts';
import { draw } from './render-case.ts';

const digest = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

export async function renderDigests(): Promise<Record<string, string>> {
  const digests: Record<string, string> = {};
  for (const found of sampled(CASES)) {
    const { png, pdf } = await draw(found);
    digests[`${found.name}.png`] = digest(png);
    digests[`${found.name}.pdf`] = digest(pdf);
  }
  return digests;
}

if (import.meta.main) console.log(JSON.stringify(await renderDigests()));
