// Compares our shaping with HarfBuzz's command-line tool hb-shape: glyph ids, clusters and positions, string by string.
//
// Debian 12 has HarfBuzz 6.0; ours is 15.0. Strings that newer rules shape differently are listed below.

import { execFileSync, spawnSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { face, fontPath, hasFont } from './faces.ts';
import { SHAPING_CORPUS, type ShapingGroup } from './shaping-corpus.ts';

/** Strings that HarfBuzz 6.0 and 15.0 shape differently, with what changed in between. */
const CHANGED_SINCE: Readonly<Record<string, string>> = {
  'ကြွ က္က န္တ ၁၂၃': 'An anchored mark: 15.0 rounds its place up by a font unit, 6.0 down.',
  '에 있.': 'A script that has no default language system: 6.0 applies no features, 15.0 those of DFLT.',
};

/**
 * Affected by what HarfBuzz for WebAssembly omits: in vertical lines, GPOS moves glyphs but does not change advances.
 */
const NO_VERTICAL_ADVANCES: readonly string[] = ['「あ」（い）、う。ー'];

const hasTool = spawnSync('hb-shape', ['--version']).status === 0;

interface OracleGlyph {
  readonly g: number;
  readonly cl: number;
  readonly dx: number;
  readonly dy: number;
  readonly ax: number;
  readonly ay: number;
}

/** One line for each glyph: id, UTF-16 cluster, advance and offset in font units. */
function oracle({ face: name, script, direction, language, features, texts }: ShapingGroup): string[][] {
  const tags = Object.entries(features).map(([tag, value]) => `${tag}=${value}`);
  const output = execFileSync(
    'hb-shape',
    [
      '--output-format=json',
      '--no-glyph-names',
      `--script=${script}`,
      `--direction=${direction}`,
      ...(language ? [`--language=${language}`] : []),
      ...(tags.length > 0 ? [`--features=${tags.join(',')}`] : []),
      fontPath(name),
    ],
    { input: `${texts.join('\n')}\n`, encoding: 'utf8' },
  );
  const lines = output.trim().split('\n');
  return texts.map((text, i) => {
    const offsets: number[] = [];
    let at = 0;
    for (const character of text) {
      offsets.push(at);
      at += character.length;
    }
    const glyphs: OracleGlyph[] = JSON.parse(lines[i] ?? '[]');
    return glyphs.map(({ g, cl, dx, dy, ax, ay }) => `${g}@${offsets[cl]} +${ax},${ay} ${dx},${dy}`);
  });
}

function ours({ face: name, script, direction, language, features }: ShapingGroup, text: string): string[] {
  return face(name)
    .shape(text, { script, direction, language, features })
    .map(
      ({ id, cluster, xAdvance, yAdvance, xOffset, yOffset }) =>
        `${id}@${cluster} +${xAdvance},${yAdvance} ${xOffset},${yOffset}`,
    );
}

describe.skipIf(!hasTool)('shapes as hb-shape does', () => {
  for (const group of SHAPING_CORPUS) {
    const title = [group.face, group.script, group.direction, group.language, ...Object.keys(group.features)].join(' ');
    test.skipIf(!hasFont(group.face))(title, () => {
      const expected = oracle(group);
      for (const [i, text] of group.texts.entries()) {
        if (!(text in CHANGED_SINCE || NO_VERTICAL_ADVANCES.includes(text)))
          expect(ours(group, text), text).toEqual(expected[i]);
      }
    });
  }
});
