// `npm run golden -- <area>/<case>`: accepts the current drawings as the new goldens of the cases whose names begin
// with the argument.
//
// A run that wrote anything fails, so that no script can accept and pass in one go: look at what was written, then run
// the tests. Without an argument it writes nothing and lists what could be accepted.

import { CASES, type Case } from './cases.ts';
import { acceptFinding, type Finding, GOLDEN, judgePdfText, judgePicture, pdfText } from './goldens.ts';
import { poppler } from './poppler.ts';
import { type Drawn, draw } from './render-case.ts';
import { writeReport } from './report.ts';

export interface Acceptance {
  readonly cases: readonly Case[];
  readonly draw: (found: Case) => Promise<Pick<Drawn, 'png' | 'pdf'>>;
  /** False: only report differences from the accepted goldens. */
  readonly write: boolean;
  readonly folder: string;
  readonly log: (line: string) => void;
}

/** Returns the exit code: 0 only if every case already matched its goldens. */
export async function accept({ cases, draw, write, folder, log }: Acceptance): Promise<number> {
  const findings: Finding[] = [];
  let failed = 0;
  for (const found of cases) {
    try {
      const { png, pdf } = await draw(found);
      const judged = [await judgePicture(found.name, png, folder), judgePdfText(found.name, pdfText(pdf), folder)];
      findings.push(...judged.filter((finding) => finding !== null));
    } catch (error) {
      failed += 1;
      log(`${found.name} cannot be drawn: ${error instanceof Error ? error.message : error}`);
    }
  }

  if (write) {
    for (const finding of findings) log(`${finding.kind}: wrote ${await acceptFinding(finding, folder)}`);
    if (findings.length > 0)
      log(`This run fails on purpose: look at the ${findings.length} written, then run npm test.`);
  } else {
    for (const { message } of findings) log(message);
    if (findings.length > 0) log(`Nothing was written. See ${await writeReport(findings)}`);
  }
  if (findings.length + failed > 0) return 1;
  log(`${cases.length} ${cases.length === 1 ? 'case is' : 'cases are'} as accepted.`);
  return 0;
}

async function main(filter: string | undefined): Promise<number> {
  const cases = CASES.filter(({ name }) => filter === undefined || name.startsWith(filter));
  if (cases.length === 0) console.error(`No fixture begins with "${filter}".`);
  if (!poppler) console.error('Accepting needs poppler, for the words of the PDFs: apt-get install poppler-utils');
  if (cases.length === 0 || !poppler) return 2;
  return accept({ cases, draw, write: filter !== undefined, folder: GOLDEN, log: console.log });
}

if (import.meta.main) process.exitCode = await main(process.argv[2]);
