// Lays fixtures of layout engines out in Chromium and in our engine in the same run, and reports which are equal and
// which a template cannot express.

import type { Page } from 'puppeteer-core';
import type { LayoutBox } from '#core/layout/box.ts';
import { layOut } from '#core/layout/layout.ts';
import { resolve } from '#core/resolve/resolve.ts';
import type { SceneNode } from '#core/resolve/scene.ts';
import { parseTemplate } from '#core/template/template.ts';
import { FontFace } from '#core/text/font-face.ts';
import { FontSet, fontQueryKey } from '#core/text/font-set.ts';
import { type BrowserElement, browserTrees } from './browser-tree.ts';
import { type Boxes, NotExpressible, rootLayer } from './css-to-template.ts';

export interface LayoutFixture {
  readonly name: string;
  /** The markup of its page's body, with what the suite adds to every page. */
  readonly body: string;
}

export interface LayoutSuite {
  readonly fixtures: readonly LayoutFixture[];
  /** A style sheet for all pages. */
  readonly css: string;
  /** The font file of all texts. */
  readonly font: Uint8Array;
  /** Selects the root where it is placed on the page itself. */
  readonly rootSelector: string;
}

export interface Comparison {
  readonly equal: readonly string[];
  /** By name: each layer with another box, ours and Chromium's. */
  readonly different: ReadonlyMap<string, readonly string[]>;
  /** The fixtures by cause. */
  readonly notExpressible: ReadonlyMap<string, readonly string[]>;
}

/** The canvas and the page's viewport, px. */
export const VIEWPORT = { width: 800, height: 600 };
/** The tolerance, px: Chromium rounds to 1/64 px, and sums of rounded values drift. */
const TOLERANCE = 0.25;

export async function compareLayouts(page: Page, suite: LayoutSuite): Promise<Comparison> {
  // In a template's text, words longer than a line are broken.
  await page.setContent(`<style>${suite.css} * { overflow-wrap: break-word }</style>`);
  const trees = await browserTrees(
    page,
    suite.fixtures.map(({ body }) => body),
    suite.rootSelector,
  );
  const face = new FontFace({
    ...{ key: 'suite', family: 'suite', weight: 400, style: 'normal', bytes: suite.font, variations: {} },
  });
  const equal: string[] = [];
  const different = new Map<string, readonly string[]>();
  const notExpressible = new Map<string, string[]>();
  for (const [i, { name }] of suite.fixtures.entries()) {
    const tree = trees[i];
    try {
      if (!tree) throw new NotExpressible('a box around the root');
      const differences = compare(tree, face);
      if (differences.length === 0) equal.push(name);
      else different.set(name, differences);
    } catch (error) {
      if (!(error instanceof NotExpressible)) throw new Error(`${name} cannot be laid out.`, { cause: error });
      const names = notExpressible.get(error.message) ?? [];
      notExpressible.set(error.message, [...names, name]);
    }
  }
  return { equal, different, notExpressible };
}

/** @throws NotExpressible */
function compare(tree: BrowserElement, face: FontFace): readonly string[] {
  const expected: Boxes = new Map();
  const layer = rootLayer(tree, expected);
  const scene = resolve(parseTemplate({ name: 'fixture', ...VIEWPORT, layers: [layer] }), {});
  const chains = scene.nodes.flatMap(queries).map((query) => [fontQueryKey(query), [{ face, slant: 0 }]] as const);
  const resources = {
    fonts: new FontSet(new Map(chains)),
    images: new Map(),
    codes: new Map(),
    hyphenators: new Map(),
  };
  const found = new Map(
    layOut(scene, resources)
      .boxes.flatMap(flat)
      .map(({ node, rect }) => [node.name, rect]),
  );
  const differences: string[] = [];
  for (const [name, theirs] of expected) {
    const { x = Number.NaN, y = Number.NaN, width = Number.NaN, height = Number.NaN } = found.get(name) ?? {};
    const ours = [x, y, width, height];
    if (ours.every((value, i) => Math.abs(value - (theirs[i] ?? 0)) <= TOLERANCE)) continue;
    differences.push(`${name}: ${show(ours)} for ${show(theirs)}`);
  }
  return differences;
}

const show = (numbers: readonly number[]) => numbers.map((value) => Math.round(value * 100) / 100).join(' ');

function flat(box: LayoutBox): readonly LayoutBox[] {
  return [box, ...(box.kind === 'frame' ? box.children.flatMap(flat) : [])];
}

function queries(node: SceneNode): readonly Parameters<typeof fontQueryKey>[0][] {
  if (node.type === 'frame') return node.children.flatMap(queries);
  return node.type === 'text' ? node.spans.map(({ style }) => style.font) : [];
}
