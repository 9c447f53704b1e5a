// Runs Unicode's text-rendering-tests: strings in fonts made for them, with the outlines that each must give.
//
// Our result goes through the whole pipeline of a text layer, from the file's bytes to placed glyphs, and is compared
// coordinate by coordinate.

import { execFileSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type PathSegment, transformPath } from '#core/path.ts';
import { parsePathData } from '#core/path-data.ts';
import { resolve } from '#core/resolve/resolve.ts';
import { parseTemplate } from '#core/template/template.ts';
import { FontFace } from '#core/text/font-face.ts';
import { FontSet, fontQueryKey } from '#core/text/font-set.ts';
import { layOutText, prepareText } from '#core/text/lay-out-text.ts';
import { readSfnt } from '#draw/fonts/sfnt.ts';

export interface TextCase {
  /** As the suite names it: `KERN-1/1`. */
  readonly name: string;
  readonly text: string;
  /** The path of its font file. */
  readonly font: string;
  readonly variations: Readonly<Record<string, number>>;
  /**
   * The coordinates of all outlines in one list, thousandths of the em, y up; null if the suite only requires that
   * nothing crashes.
   */
  readonly expected: readonly number[] | null;
}

export interface TextComparison {
  readonly equal: readonly string[];
  /** By name: what is wrong, and whether hb-shape, if it is installed, has it right. */
  readonly different: ReadonlyMap<string, string>;
}

export function readTextCases(folder: string): readonly TextCase[] {
  const files = globSync('testcases/*-*.html', { cwd: folder }).sort();
  return files.flatMap((file) => casesOf(readFileSync(join(folder, file), 'utf8'), folder));
}

function casesOf(page: string, folder: string): TextCase[] {
  const cells = page.matchAll(/<(td|div|span|p)\s+class="expected(-no-crash)?"([^>]*)>([\s\S]*?)<\/\1>/g);
  return [...cells].map(([, , isNoCrash, attributes = '', content = '']) => {
    const attribute = (name: string) => decoded(new RegExp(`ft:${name}="([^"]*)"`).exec(attributes)?.[1] ?? '');
    const settings = attribute('var')
      .split(';')
      .filter((each) => each !== '')
      .map((each) => each.split(':'));
    return {
      name: attribute('id'),
      text: attribute('render'),
      font: join(folder, 'fonts', attribute('font')),
      // Tags are padded to four characters.
      variations: Object.fromEntries(settings.map(([tag = '', value]) => [tag.padEnd(4), Number(value)])),
      expected: isNoCrash ? null : outlinesOf(content),
    };
  });
}

function decoded(text: string): string {
  return text
    .replace(/&#x([0-9a-f]+);/gi, (_, code: string) => String.fromCodePoint(Number.parseInt(code, 16)))
    .replace(/&#(\d+);/g, (_, code: string) => String.fromCodePoint(Number(code)))
    .replace(/&lt;/g, '<')
    .replace(/&gt;/g, '>')
    .replace(/&quot;/g, '"')
    .replace(/&amp;/g, '&');
}

/** The coordinates of an SVG file's symbols, at each place where they are used, in order. */
function outlinesOf(svg: string): readonly number[] {
  const symbols = new Map<string, readonly PathSegment[]>();
  for (const [, id = '', d = ''] of svg.matchAll(/<symbol id="([^"]*)"[^>]*>\s*<path d="([^"]*)"/g)) {
    const parsed = parsePathData(d);
    if ('at' in parsed) throw new Error(`The suite's ${id} is no path.`);
    symbols.set(id, parsed.path);
  }
  const uses = svg.matchAll(/<use\s[^>]*>/g);
  return [...uses].flatMap(([use]) => {
    const attribute = (name: string) => new RegExp(`\\s${name}="([^"]*)"`).exec(use)?.[1] ?? '';
    const path = symbols.get(attribute('xlink:href').slice(1)) ?? [];
    return coordinates(path, Number(attribute('x')), Number(attribute('y')));
  });
}

function coordinates(path: readonly PathSegment[], x: number, y: number, scale = 1): readonly number[] {
  const moved = transformPath(path, [scale, 0, 0, scale, x, y]);
  return moved.flatMap((segment, i) => (isClosing(moved, i) ? [] : segment.slice(1).map(Number)));
}

/** Whether a segment is a line back to the start of its contour, which some programs write and others leave to `Z`. */
function isClosing(path: readonly PathSegment[], i: number): boolean {
  const segment = path[i];
  if (segment?.[0] !== 'L' || path[i + 1]?.[0] !== 'Z') return false;
  const start = path.slice(0, i).findLast(([command]) => command === 'M');
  return start?.[0] === 'M' && Math.hypot(segment[1] - start[1], segment[2] - start[2]) < TOLERANCE;
}

export function compareTexts(cases: readonly TextCase[]): TextComparison {
  const equal: string[] = [];
  const different = new Map<string, string>();
  for (const each of cases) {
    let problem: string | null;
    try {
      problem = compare(each);
    } catch (error) {
      problem = error instanceof Error ? error.message : String(error);
    }
    if (problem === null) equal.push(each.name);
    else different.set(each.name, problem);
  }
  return { equal, different };
}

/** The end of a problem's description if hb-shape gives the expected result. */
export const HB_SHAPE_PASSES = '; hb-shape has it right';

/** The font size of the suite's outlines, px. */
const FONT_SIZE = 1000;
/** The tolerance: the suite rounds advances to thousandths of the em, glyph by glyph, which adds up over a word. */
const TOLERANCE = 3;

function compare({ text, font, variations, expected }: TextCase): string | null {
  const bytes = readFileSync(font);
  readSfnt(bytes);
  const face = new FontFace({ key: 'suite', family: 'suite', weight: 400, style: 'normal', bytes, variations });
  const drawn = ours(text, face);
  if (expected === null) return null;
  if (isClose(drawn, expected)) return null;
  return `${drawn.length} coordinates for ${expected.length}${hbShapes({ text, font, variations }, face, expected)}`;
}

function ours(text: string, face: FontFace): readonly number[] {
  const layer = { name: 'it', type: 'text', text, fontSize: FONT_SIZE };
  const scene = resolve(parseTemplate({ name: 'case', width: 100, height: 100, layers: [layer] }), {});
  const [node] = scene.nodes;
  if (node?.type !== 'text') throw new Error('The scene is one text.');
  const chains = node.spans.map(({ style }) => [fontQueryKey(style.font), [{ face, slant: 0 }]] as const);
  const { lines } = layOutText(prepareText(node, new FontSet(new Map(chains))), null, null);
  const scale = FONT_SIZE / face.unitsPerEm;
  return lines.flatMap(({ runs }) =>
    runs.flatMap(({ run, x }) =>
      run.glyphs.flatMap((glyph) => coordinates(face.outline(glyph.id), x + glyph.x, -glyph.y, scale)),
    ),
  );
}

function isClose(a: readonly number[], b: readonly number[]): boolean {
  return a.length === b.length && a.every((value, i) => Math.abs(value - (b[i] ?? Number.NaN)) <= TOLERANCE);
}

/** Returns a note on whether hb-shape gives the expected result; '' if it is not installed. */
function hbShapes(
  { text, font, variations }: Pick<TextCase, 'text' | 'font' | 'variations'>,
  face: FontFace,
  expected: readonly number[],
): string {
  const settings = Object.entries(variations).map(([tag, value]) => `${tag}=${value}`);
  const args = [
    '--output-format=json',
    '--no-glyph-names',
    ...(settings.length > 0 ? [`--variations=${settings}`] : []),
  ];
  try {
    const output = execFileSync('hb-shape', [...args, font], { input: `${text}\n`, encoding: 'utf8' });
    const glyphs: { g: number; dx: number; dy: number; ax: number }[] = JSON.parse(output);
    const scale = FONT_SIZE / face.unitsPerEm;
    let pen = 0;
    const placed = glyphs.flatMap(({ g, dx, dy, ax }) => {
      pen += ax;
      return coordinates(face.outline(g), (pen - ax + dx) * scale, dy * scale, scale);
    });
    return isClose(placed, expected) ? HB_SHAPE_PASSES : '; nor has hb-shape';
  } catch {
    return '';
  }
}
