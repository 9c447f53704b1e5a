// The viewers that are separate programs: poppler, MuPDF and Ghostscript, each run once per page.

import { spawn, spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Picture } from '../../golden/picture.ts';
import { type Extractor, opaque, type Viewer } from './viewer.ts';

/** `PAGE` stands for the page's file, `DPI` for the resolution; the program writes to its standard output. */
type Arguments = readonly string[];

const PAGE = 'PAGE';
const DPI = 'DPI';

const DRAW: Readonly<Record<string, Arguments>> = {
  poppler: ['pdftoppm', '-q', '-r', DPI, PAGE],
  MuPDF: ['mutool', 'draw', '-q', '-r', DPI, '-c', 'rgb', '-F', 'ppm', '-o', '-', PAGE],
  Ghostscript: [
    'gs',
    '-q',
    '-dSAFER',
    '-dBATCH',
    '-dNOPAUSE',
    '-sstdout=%stderr',
    '-sDEVICE=ppmraw',
    `-r${DPI}`,
    '-dTextAlphaBits=4',
    '-dGraphicsAlphaBits=4',
    '-sOutputFile=-',
    PAGE,
  ],
};

const TEXT: Readonly<Record<string, Arguments>> = {
  pdftotext: ['pdftotext', '-enc', 'UTF-8', PAGE, '-'],
  MuPDF: ['mutool', 'draw', '-q', '-F', 'text', '-o', '-', PAGE],
};

/** Those that are installed. */
export function commandLineViewers(): readonly Viewer[] {
  return installed(DRAW).map(([name, args]) => ({
    name,
    draw: async (pdf, _canvas, fineness = 1) =>
      readPpm(
        await run(
          args.map((arg) => arg.replace(DPI, String(96 * fineness))),
          pdf,
        ),
      ),
    async [Symbol.asyncDispose]() {},
  }));
}

/** Those that are installed. */
export function commandLineExtractors(): readonly Extractor[] {
  return installed(TEXT).map(([name, args]) => ({
    name,
    text: async (pdf) => (await run(args, pdf)).toString('utf8'),
    async [Symbol.asyncDispose]() {},
  }));
}

function installed(commands: Readonly<Record<string, Arguments>>): readonly (readonly [string, Arguments])[] {
  return Object.entries(commands).filter(([, [program = '']]) => spawnSync(program, ['-v']).error === undefined);
}

async function run([program = '', ...args]: Arguments, pdf: Uint8Array): Promise<Buffer> {
  const folder = await mkdtemp(join(tmpdir(), 'platen-viewer-'));
  try {
    const path = join(folder, 'page.pdf');
    await writeFile(path, pdf);
    const child = spawn(
      program,
      args.map((arg) => (arg === PAGE ? path : arg)),
      { stdio: ['ignore', 'pipe', 'pipe'] },
    );
    const [out, complaints]: [Buffer[], Buffer[]] = [[], []];
    child.stdout.on('data', (chunk: Buffer) => out.push(chunk));
    child.stderr.on('data', (chunk: Buffer) => complaints.push(chunk));
    const { promise, resolve, reject } = Promise.withResolvers<number | null>();
    child.once('error', reject);
    child.once('close', resolve);
    const status = await promise;
    if (status !== 0) throw new Error(`${program} ended with ${status}: ${Buffer.concat(complaints)}`);
    return Buffer.concat(out);
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Reads a binary PPM of 8 bits a channel, and a PGM, which Ghostscript and others write for a grey page. */
function readPpm(file: Buffer): Picture {
  const header = /^P([56])\s+(?:#[^\n]*\n\s*)*(\d+)\s+(?:#[^\n]*\n\s*)*(\d+)\s+255\s/.exec(
    file.toString('latin1', 0, 200),
  );
  if (!header) throw new Error('This is no PPM.');
  const [whole, kind, width, height] = header;
  const samples = file.subarray(whole.length);
  const rgb = kind === '6' ? samples : Uint8Array.from({ length: samples.length * 3 }, (_, i) => samples[(i / 3) | 0]!);
  return opaque(Number(width), Number(height), rgb);
}
