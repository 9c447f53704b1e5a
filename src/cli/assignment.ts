// Parses `name=value` after `--set`, `--pdf` and `--sheet`, which may be repeated.

import { InvalidArgumentError, Option } from 'commander';
import type { NamedValue } from '#server/service/rendering/signed-url.ts';

/** `--set layer=value` and `--set layer.property=value`. */
export function setOption(about: string): Option {
  return assignmentOption('--set <name=value>', about);
}

/** `--pdf property=value`, parsed by `readPdfProperties`. */
export function pdfOption(): Option {
  return assignmentOption(
    '--pdf <property=value>',
    'title, author, subject, keywords (a,b), language, conforms (A-3b,UA-1), bleed, cropMarks, density, reproducible, pageLabel.style|prefix|start, ' +
      'viewer.displayTitle|fitWindow|centerWindow|hideToolbar|hideMenubar|printScaling of a PDF',
  );
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
