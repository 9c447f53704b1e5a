// Parses `name=value` after `--set`, `--pdf` and `--sheet`, which may be repeated.

import { InvalidArgumentError, Option } from 'commander';
import type { PdfProperty } from '#core/template/html-template.ts';
import type { NamedValue } from '#server/service/rendering/signed-url.ts';

/** `--set layer=value` and `--set layer.property=value`. */
export function setOption(about: string): Option {
  return assignmentOption('--set <name=value>', about);
}

/** How the help names each property of a PDF; null for files, which no option holds. */
const PDF_PROPERTIES: Readonly<Record<PdfProperty, string | null>> = {
  title: 'title',
  author: 'author',
  subject: 'subject',
  keywords: 'keywords (a,b)',
  language: 'language',
  conforms: 'conforms (A-3b,UA-1)',
  invoice: null,
  attachments: null,
  outputIntent: null,
  bleed: 'bleed',
  cropMarks: 'cropMarks',
  density: 'density',
  reproducible: 'reproducible',
  pageLabel: 'pageLabel.style|prefix|start',
  pageNumbers: 'pageNumbers.first|total',
  viewer: 'viewer.displayTitle|fitWindow|centerWindow|hideToolbar|hideMenubar|printScaling',
};

/** `--pdf property=value`, parsed by `readPdfProperties`. */
export function pdfOption(): Option {
  const names = Object.values(PDF_PROPERTIES).filter((name) => name !== null);
  return assignmentOption('--pdf <property=value>', `${names.join(', ')} of a PDF`);
}

/** `--sheet property=value`, parsed by `readLabelSheet`. */
export function sheetOption(): Option {
  return assignmentOption(
    '--sheet <property=value>',
    'of a merged PDF, a sheet of labels: size (A4, or 100mm,62mm), landscape, columns, rows, margin, gap (both, or 2.5mm,0), start',
  );
}

function assignmentOption(flags: string, about: string): Option {
  return new Option(flags, `${about}; may be repeated`)
    .default([] as readonly NamedValue[], 'nothing')
    .argParser((text: string, before: readonly NamedValue[]): readonly NamedValue[] => {
      const equals = text.indexOf('=');
      if (equals < 1) throw new InvalidArgumentError('It must be name=value.');
      return [...before, [text.slice(0, equals), text.slice(equals + 1)]];
    });
}
