// What a file has to conform to: the levels of PDF/A (ISO 19005-2 to -4) and PDF/UA (ISO 14289-1, -2), and the sentences
// for what cannot conform.

import { AppError } from '#base/errors.ts';
import type { Size } from '#core/geometry.ts';
import type { ConformanceLevel, DocumentProperties } from '#core/template/document-properties.ts';
import type { StructureProblem } from './structure.ts';

export interface Conformance {
  /** The part of PDF/A, and its level within it: `b`, `u`, `f` or ''; null = none is asked for. */
  readonly archive: { readonly part: 2 | 3 | 4; readonly level: string; readonly name: ConformanceLevel } | null;
  /** The part of PDF/UA. */
  readonly accessible: { readonly part: 1 | 2; readonly name: ConformanceLevel } | null;
}

/** The deepest nesting of `q` and `Q` in PDF/A-2 and -3 (ISO 19005-2, 6.1.13). */
const MOST_NESTED = 28;
/** Points: the least and the greatest side of a page there. */
const PAGE_SIDES = [3, 14_400] as const;

const refuse = (message: string): never => {
  throw new AppError('invalid_request', message);
};

/**
 * @param isPlain whether nothing says what the words of the document are
 * @throws AppError `invalid_request` where it cannot conform
 */
export function conformanceOf(
  properties: Pick<
    DocumentProperties,
    'conforms' | 'invoice' | 'attachments' | 'outputIntent' | 'title' | 'language' | 'viewer'
  >,
  isPlain: boolean,
): Conformance {
  const { conforms = [], invoice, attachments = [], title, language, viewer } = properties;
  const asked = [conforms].flat();
  const ua = asked.filter((name) => name.startsWith('UA-'));
  const archives = asked.filter((name) => name.startsWith('A-'));
  // An e-invoice is a PDF/A-3.
  if (invoice && archives.length === 0) archives.push('A-3b');
  if (ua.length > 1 || archives.length > 1) {
    refuse(`pdf.conforms: ${asked.join(' and ')} exclude each other; ask for one of A-… and one of UA-….`);
  }
  const [archiveName] = archives;
  const [name] = ua;
  const archive = archiveName
    ? { part: Number(archiveName[2]) as 2 | 3 | 4, level: archiveName.slice(3), name: archiveName }
    : null;
  const accessible = name ? { part: Number(name[3]) as 1 | 2, name } : null;
  if (archive && accessible && (archive.part === 4) !== (accessible.part === 2)) {
    const other = accessible.part === 2 ? 'A-4 or A-4f' : 'A-2b, A-2u or A-3b';
    refuse(
      `pdf.conforms: ${accessible.name} is of another version of PDF than ${archive.name}; ask for ${other} beside it.`,
    );
  }
  if (invoice && archive?.name !== 'A-3b') {
    refuse(`pdf.conforms: a file with pdf.invoice conforms to A-3b, not to ${archive?.name}; leave it out.`);
  }
  if (archive && archive.name !== 'A-3b' && archive.name !== 'A-4f' && attachments.length > 0) {
    refuse(`pdf.attachments: ${archive.name} allows none; ask for ${archive.part === 4 ? 'A-4f' : 'A-3b'}.`);
  }
  if (archive && properties.outputIntent) {
    refuse(`pdf.outputIntent: ${archive.name} has that of sRGB; leave it out, or do not ask for ${archive.name}.`);
  }
  if (archive?.name === 'A-4f' && attachments.length === 0) {
    refuse('pdf.conforms: A-4f is for files with pdf.attachments; ask for A-4.');
  }
  if (accessible) {
    if (isPlain) refuse(`pdf.conforms: ${accessible.name} needs a template of layers, which say what they are.`);
    if (title === undefined) refuse(`pdf.title: ${accessible.name} needs a title.`);
    if (language === undefined) {
      refuse(
        `pdf.language: ${accessible.name} needs the language of the document, such as "en", there or as \`lang\`.`,
      );
    }
    if (viewer?.displayTitle === false) {
      refuse(`pdf.viewer.displayTitle: must be true, or left out: ${accessible.name} has readers show the title.`);
    }
  }
  return { archive, accessible };
}

/**
 * @param size points
 * @param depth the deepest nesting of its states
 * @throws AppError `invalid_request` for a page that cannot conform
 */
export function checkConformance({ archive }: Conformance, page: number, { width, height }: Size, depth: number): void {
  if (!archive || archive.part === 4) return;
  const [least, most] = PAGE_SIDES;
  if (Math.min(width, height) < least || Math.max(width, height) > most) {
    refuse(`pdf.conforms: in ${archive.name} a side of a page has 4 to 19,200 px; page ${page} has others.`);
  }
  if (depth > MOST_NESTED) {
    refuse(
      `pdf.conforms: layers are nested too deeply for ${archive.name} on page ${page}; turn or fade fewer frames.`,
    );
  }
}

/** @throws AppError `invalid_request` for letter paper of which it is not known that it conforms */
export function checkPaper({ archive, accessible }: Conformance, isArchive: boolean): void {
  const name = archive?.name ?? accessible?.name;
  if (!name || isArchive) return;
  refuse(
    `pdf.conforms: ${name} needs letter paper that is a PDF/A itself; save its PDF as PDF/A, with its fonts within it.`,
  );
}

/** @throws AppError `invalid_request` for a colour that is not sRGB, as the output intent of an archive is */
export function checkInks({ archive }: Conformance, inks: string): void {
  if (archive) refuse(`pdf.conforms: ${archive.name} is written in sRGB; give device-cmyk(${inks}) as a colour of it.`);
}

/** The refusals of a structure; null = it need not conform. */
export function refusalsOf({ accessible }: Conformance): ((problem: StructureProblem) => never) | null {
  if (!accessible) return null;
  const { name } = accessible;
  return (problem) => {
    const layer = `Layer ${JSON.stringify(problem.layer)}`;
    if (problem.kind === 'no-alt') {
      return refuse(`${layer}: ${name} needs \`alt\`, what it shows in words, or "" if it is decoration.`);
    }
    const { level, after } = problem;
    return refuse(
      `${layer}: its heading is of level ${level} after ${after === 0 ? 'none' : `one of level ${after}`}; ${name} needs ${after + 1} or less there.`,
    );
  };
}
