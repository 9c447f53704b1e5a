// Compares our paragraphs with Chromium's recorded ones: lines must break at the same characters and be within a pixel.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { layOutText, prepareText } from '#core/text/lay-out-text.ts';
import type { Line } from '#core/text/paragraph.ts';
import { type FaceName, face, fontSet, hasFont, textNode } from '../faces.ts';
import { FIXTURES, type Fixture } from './fixtures.ts';
import type { Recorded, RecordedLine } from './recorded.ts';

/** Where we differ on purpose, and why. */
const ON_PURPOSE: Readonly<Record<string, string>> = {
  khmer: 'The dictionary is the engine’s own, and the one in Node’s ICU parts other words than Chromium’s.',
  lao: 'As Khmer.',
  'picture-in-brackets':
    'CSS Text 3 §5.1 has browsers break a line next to a picture wherever it stands; here UAX #14 keeps it in brackets.',
  'korean-in-no-language':
    'A script without a default language system: HarfBuzz 15 takes the features of DFLT, the one in Chromium none.',
  'brackets-that-meet':
    'CSS Text 4, text-spacing-trim, a draft: Chromium takes the blank half out between full-width brackets that meet.',
  'vertical-brackets-that-meet': 'As brackets-that-meet.',
  'vertical-upright-small':
    'Where a face has no metrics for vertical lines, Chromium rounds its ascent and descent to pixels for the advance.',
  'vertical-emoji-sequences':
    'Chromium parts emoji sequences in vertical lines and turns keycaps; here they stay whole.',
  'vertical-quotes-japanese':
    'UAX #50 turns quotation marks that have no form for vertical lines; Chromium lets them stand in a cell of an em.',
};

const recorded: Record<string, Recorded> = JSON.parse(readFileSync(join(import.meta.dirname, 'recorded.json'), 'utf8'));

/** The size is given by the fixture's span. */
const PICTURES = new Map([['picture', { width: 1, height: 1 }]]);

function ours({ spans, strut, width, ...properties }: Fixture): Recorded {
  const node = textNode(
    spans.map((span) => ({ ...span, link: null, counter: null })),
    { strut, ...properties },
  );
  const paragraph = layOutText(
    prepareText(node, fontSet(strut, ...spans.map(({ style }) => style)), PICTURES),
    width,
    null,
  );
  const isCentred = properties.writingMode !== 'horizontal-tb' && properties.textOrientation !== 'sideways';
  return { height: paragraph.size.height, lines: paragraph.lines.map((line) => describe(spans, line, isCentred)) };
}

function describe(spans: Fixture['spans'], line: Line, isCentred: boolean): RecordedLine {
  let index = 0;
  for (let end = spans[0]?.text.length ?? 0; end <= line.start && index < spans.length - 1; )
    end += spans[++index]?.text.length ?? 0;
  const style = spans[index]?.style;
  const { metrics } = face(style?.font.families[0] as FaceName);
  const [ascent, descent] = [metrics.ascent, metrics.descent].map((part) => Math.round(part * (style?.fontSize ?? 0)));
  const above = isCentred ? ((ascent ?? 0) + (descent ?? 0)) / 2 : (ascent ?? 0);
  let left = Infinity;
  let right = -Infinity;
  for (const { run, x } of line.runs) {
    let pen = x;
    for (const { cluster, advance } of run.glyphs) {
      if (advance > 0 && !/\s/.test(run.text.charAt(cluster))) {
        left = Math.min(left, pen);
        right = Math.max(right, pen + advance);
      }
      pen += advance;
    }
  }
  const isShown = left <= right;
  const picture = line.runs.find(({ span, box }) => span === index && box !== null);
  const top = picture ? picture.baseline - (picture.box?.height ?? 0) : line.baseline - above;
  return { start: line.start, end: line.end, top, left: isShown ? left : null, right: isShown ? right : null };
}

for (const fixture of FIXTURES) {
  const faces = fixture.spans.flatMap(({ style }) => style.font.families) as FaceName[];
  test.skipIf(!faces.every(hasFont))(fixture.name, () => {
    const expected = recorded[fixture.name];
    if (!expected) throw new Error('Not recorded: run test/core/text/chromium/record.ts.');
    if (fixture.name in ON_PURPOSE) return;
    const actual = ours(fixture);
    const text = fixture.spans.map((span) => span.text).join('');
    const broken = ({ lines }: Recorded) => lines.map(({ start, end }) => text.slice(start, end));
    expect(broken(actual)).toEqual(broken(expected));
    for (const [i, line] of expected.lines.entries()) {
      for (const edge of ['top', 'left', 'right'] as const) {
        // Chromium includes the letter spacing after the last letter of a line; CSS Text 3 has none there.
        const spacing =
          edge === 'right' && /^[\p{sc=Latn}\p{sc=Hira}]/u.test(text)
            ? (fixture.spans[0]?.style.letterSpacing ?? 0)
            : 0;
        const difference = Math.abs((actual.lines[i]?.[edge] ?? 0) + spacing - (line[edge] ?? 0));
        expect(difference, `${edge} of line ${i}: ${actual.lines[i]?.[edge]}, not ${line[edge]}`).toBeLessThanOrEqual(
          1,
        );
      }
    }
    expect(Math.abs(actual.height - expected.height)).toBeLessThanOrEqual(1);
  });
}
