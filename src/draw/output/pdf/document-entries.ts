// Builds the catalogue and information dictionary entries for a document's properties (ISO 32000-1, 7.7.2, 12.2,
// 12.4.2, 14.3.3).

import { bytesOfLatin1 } from '#base/runtime.ts';
import type { DocumentProperties } from '#core/template/document-properties.ts';
import type { Dictionary } from './object.ts';
import { bytesOfHex, utf16Hex } from './syntax.ts';

const LABEL_STYLES = { decimal: 'D', roman: 'r', letters: 'a' } as const;
const PRINT_SCALING = { none: 'None', default: 'AppDefault' } as const;

type Information = Pick<DocumentProperties, 'title' | 'author' | 'subject' | 'keywords'>;
type InCatalog = Pick<DocumentProperties, 'title' | 'language' | 'pageLabel' | 'viewer'>;

export function informationEntries({ title, author, subject, keywords }: Information): Dictionary {
  return {
    ...(title !== undefined && { Title: textString(title) }),
    ...(author !== undefined && { Author: textString(author) }),
    ...(subject !== undefined && { Subject: textString(subject) }),
    ...(keywords !== undefined && keywords.length > 0 && { Keywords: textString(keywords.join(', ')) }),
  };
}

export function catalogEntries({ title, language, pageLabel, viewer }: InCatalog): Dictionary {
  // Readers show the name of the file otherwise.
  const preferences = viewerPreferences({ ...(title !== undefined && { displayTitle: true }), ...viewer });
  return {
    ...(language !== undefined && { Lang: textString(language) }),
    ...(pageLabel && { PageLabels: { Nums: [0, labelEntries(pageLabel)] } }),
    ...(Object.keys(preferences).length > 0 && { ViewerPreferences: preferences }),
  };
}

function labelEntries({ style, prefix, start }: NonNullable<DocumentProperties['pageLabel']>): Dictionary {
  return {
    ...(style !== null && { S: LABEL_STYLES[style] }),
    ...(prefix !== '' && { P: textString(prefix) }),
    ...(start !== 1 && { St: start }),
  };
}

function viewerPreferences(viewer: NonNullable<DocumentProperties['viewer']>): Dictionary {
  const { displayTitle, fitWindow, centerWindow, hideToolbar, hideMenubar, printScaling } = viewer;
  return {
    ...(displayTitle !== undefined && { DisplayDocTitle: displayTitle }),
    ...(fitWindow !== undefined && { FitWindow: fitWindow }),
    ...(centerWindow !== undefined && { CenterWindow: centerWindow }),
    ...(hideToolbar !== undefined && { HideToolbar: hideToolbar }),
    ...(hideMenubar !== undefined && { HideMenubar: hideMenubar }),
    ...(printScaling !== undefined && { PrintScaling: PRINT_SCALING[printScaling] }),
  };
}

/** A text string (7.9.2.2): ASCII unchanged, otherwise UTF-16BE with a byte order mark. */
export function textString(text: string): Uint8Array {
  return /^[ -~]*$/.test(text) ? bytesOfLatin1(text) : bytesOfHex(`feff${utf16Hex(text)}`);
}

/** A date in UTC (7.9.4). */
export function dateText(date: Date): string {
  return `D:${date.toISOString().slice(0, 19).replace(/\D/g, '')}Z`;
}
