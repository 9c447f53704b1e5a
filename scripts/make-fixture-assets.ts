// Generates the pictures used by fixtures: `node scripts/make-fixture-assets.ts`. The results are committed.
//
// Each is small and shows which way is up and what was cut off. Nothing depends on a clock or on chance.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp, { type Sharp } from 'sharp';

const folder = join(import.meta.dirname, '../fixtures/assets');

/** A shore with a sun at the upper right and a red hut at the lower left: off centre on both axes. */
const SCENE = `<svg xmlns="http://www.w3.org/2000/svg" width="160" height="120">
  <defs>
    <linearGradient id="sky" x2="0" y2="1"><stop stop-color="#5b8def"/><stop offset="1" stop-color="#fde3c4"/></linearGradient>
    <linearGradient id="sea" x2="0" y2="1"><stop stop-color="#2f6f8f"/><stop offset="1" stop-color="#123448"/></linearGradient>
  </defs>
  <rect width="160" height="120" fill="url(#sky)"/>
  <circle cx="124" cy="28" r="14" fill="#fff6d6"/>
  <path d="M0 78 38 46 66 72 96 54 160 80V90H0Z" fill="#56708a"/>
  <rect y="84" width="160" height="36" fill="url(#sea)"/>
  <path d="M0 92Q40 84 78 104L70 120H0Z" fill="#c9a878"/>
  <path d="M16 78H44V100H16Z" fill="#c8372d"/><path d="M12 79 30 62 48 79Z" fill="#5a1f1a"/><path d="M26 86h9v14h-9z" fill="#fbe9c6"/>
</svg>`;

/** Four quarters, a frame and a centre cross, which show at once which part remains. */
const QUARTERS = `<svg xmlns="http://www.w3.org/2000/svg" width="60" height="40" shape-rendering="crispEdges">
  <path fill="#ef4444" d="M0 0h30v20H0z"/><path fill="#22c55e" d="M30 0h30v20H30z"/>
  <path fill="#3b82f6" d="M0 20h30v20H0z"/><path fill="#f59e0b" d="M30 20h30v20H30z"/>
  <path fill="none" stroke="#111827" stroke-width="4" d="M0 0h60v40H0z"/><path fill="#fff" d="M28 12h4v16h-4zM22 18h16v4H22z"/>
</svg>`;

/** A disc that fades out downwards: its edges and its alpha make blending visible. */
const BADGE = `<svg xmlns="http://www.w3.org/2000/svg" width="64" height="64">
  <linearGradient id="g" x2="0" y2="1"><stop stop-color="#7c3aed"/><stop offset="1" stop-color="#7c3aed" stop-opacity=".15"/></linearGradient>
  <circle cx="32" cy="32" r="28" fill="url(#g)"/><path d="M32 12 37 26H52L40 35 44 50 32 41 20 50 24 35 12 26H27Z" fill="#fff"/>
</svg>`;

/** A vector picture with a viewBox, a gradient and a stroke; no text, no external reference. */
const LOGO = `<svg xmlns="http://www.w3.org/2000/svg" width="48" height="32" viewBox="0 0 96 64">
  <title>A mark of hills and a moon</title>
  <defs><linearGradient id="g"><stop stop-color="#f97316"/><stop offset="1" stop-color="#e11d48"/></linearGradient></defs>
  <rect x="4" y="4" width="88" height="56" rx="16" fill="url(#g)"/>
  <path d="M20 46 36 18 52 46" fill="none" stroke="#fff" stroke-width="8" stroke-linejoin="round" stroke-linecap="round"/>
  <circle cx="70" cy="32" r="10" fill="#fff"/>
</svg>
`;

const draw = (svg: string) => sharp(Buffer.from(svg));

/** The scene with film grain from a fixed sequence, a realistic case for photo encoders. */
async function photo(): Promise<Sharp> {
  const { data, info } = await draw(SCENE).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  let state = 20_240_229;
  for (let i = 0; i < data.length; i++) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    data[i] = Math.max(0, Math.min(255, (data[i] ?? 0) + (state >>> 24) / 16 - 8));
  }
  return sharp(data, { raw: { width: info.width, height: info.height, channels: 3 } });
}

const FRAMES = ['#2563eb', '#dc2626'].map((color) =>
  Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="40" height="40"><rect width="40" height="40" fill="#fff"/><circle cx="20" cy="20" r="16" fill="${color}"/></svg>`,
  ),
);

/**
 * A PDF as other programs write it: a table of cross-references, sizes that pages inherit, a page that is turned, with its
 * content in two streams.
 */
function paper(): Buffer {
  const content = (operators: string) => `<< /Length ${operators.length} >>\nstream\n${operators}\nendstream`;
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R 4 0 R] /Count 2 /MediaBox [10 10 100 70] /Resources << >> >>',
    '<< /Type /Page /Parent 2 0 R /Contents 5 0 R >>',
    '<< /Type /Page /Parent 2 0 R /Contents [6 0 R 7 0 R] /Rotate 90 >>',
    content('0.86 0.15 0.15 rg 10 60 90 10 re f 0.15 0.39 0.92 rg 10 10 20 20 re f'),
    content('0.13 0.77 0.37 rg 10 60 90 10 re f'),
    content('0.96 0.62 0.04 rg 10 10 20 20 re f'),
  ];
  let text = '%PDF-1.4\n';
  const offsets = objects.map((object, i) => {
    const at = text.length;
    text += `${i + 1} 0 obj\n${object}\nendobj\n`;
    return `${String(at).padStart(10, '0')} 00000 n \n`;
  });
  const size = objects.length + 1;
  const table = `xref\n0 ${size}\n0000000000 65535 f \n${offsets.join('')}`;
  return Buffer.from(`${text}${table}trailer\n<< /Size ${size} /Root 1 0 R >>\nstartxref\n${text.length}\n%%EOF\n`);
}

const files: Readonly<Record<string, Buffer>> = {
  'photo.jpg': await (await photo()).jpeg({ quality: 82 }).toBuffer(),
  // Stored rotated; orientation 6 means that a viewer turns it a quarter clockwise.
  'turned.jpg': await sharp(await (await photo()).rotate(-90).png().toBuffer())
    .jpeg({ quality: 82 })
    .withMetadata({ orientation: 6 })
    .toBuffer(),
  'cmyk.jpg': await (await photo()).toColourspace('cmyk').jpeg({ quality: 70 }).toBuffer(),
  'quarters.png': await draw(QUARTERS).png({ palette: true }).toBuffer(),
  'badge.png': await draw(BADGE).png().toBuffer(),
  'grey.png': await draw(QUARTERS).removeAlpha().greyscale().toColourspace('b-w').png().toBuffer(),
  'deep.png': await draw(BADGE).toColourspace('rgb16').png().toBuffer(),
  'interlaced.png': await draw(QUARTERS).png({ progressive: true }).toBuffer(),
  'pixels.png': await sharp(Buffer.from('000000ffffffef4444ffffff3b82f6000000f59e0b000000ffffff', 'hex'), {
    raw: { width: 3, height: 3, channels: 3 },
  })
    .png()
    .toBuffer(),
  'badge.webp': await draw(BADGE).webp({ quality: 80 }).toBuffer(),
  'frames.gif': await sharp(FRAMES, { join: { animated: true } })
    .gif({ delay: [100, 100], loop: 0 })
    .toBuffer(),
  'badge.avif': await draw(BADGE).avif({ quality: 60 }).toBuffer(),
  'logo.svg': Buffer.from(LOGO),
  'paper.pdf': paper(),
};

for (const [name, bytes] of Object.entries(files)) {
  writeFileSync(join(folder, name), bytes);
  console.log(name.padEnd(16), `${bytes.length} bytes`);
}
