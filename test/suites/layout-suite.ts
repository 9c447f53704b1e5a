// Lays fixtures of layout engines out in Chromium and in our engine, and reports which are equal and which a template
// cannot express.

import type { Page } from 'puppeteer-core';
import type { LayoutBox } from '#core/layout/box.ts';
import { layOut } from '#core/layout/layout.ts';
import { resolve } from '#core/resolve/resolve.ts';
import type { SceneNode } from '#core/resolve/scene.ts';
import { parseTemplate } from '#core/template/template.ts';
import { FontFace } from '#core/text/font-face.ts';
import { FontSet, fontQueryKey } from '#core/text/font-set.ts';
import { browserTrees } from './browser-tree.ts';
import { type Boxes, type Layer, NotExpressible, rootLayer } from './css-to-template.ts';

interface LayoutFixture {
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

/** A fixture as a layer of a template, with the boxes that Chromium gives its elements. */
interface RecordedFixture {
  readonly name: string;
  readonly layer: Layer;
  /** [x, y, width, height] of each layer, px from the root's corner. */
  readonly boxes: Readonly<Record<string, readonly number[]>>;
}

export interface RecordedSuite {
  readonly fixtures: readonly RecordedFixture[];
  /** The names of the others, by the cause for which no template can express them. */
  readonly notExpressible: Readonly<Record<string, readonly string[]>>;
}

/** Reads a suite in Chromium. */
export async function recordSuite(page: Page, suite: LayoutSuite): Promise<RecordedSuite> {
  // In a template's text, words longer than a line are broken.
  await page.setContent(`<style>${suite.css} * { overflow-wrap: break-word }</style>`);
  const trees = await browserTrees(
    page,
    suite.fixtures.map(({ body }) => body),
    suite.rootSelector,
  );
  const fixtures: RecordedFixture[] = [];
  const notExpressible: Record<string, string[]> = {};
  for (const [i, { name }] of suite.fixtures.entries()) {
    const tree = trees[i];
    try {
      if (!tree) throw new NotExpressible('a box around the root');
      const boxes: Boxes = new Map();
      const layer = rootLayer(tree, boxes);
      fixtures.push({ name, layer, boxes: Object.fromEntries(boxes) });
    } catch (error) {
      if (!(error instanceof NotExpressible)) throw new Error(`${name} cannot be read.`, { cause: error });
      notExpressible[error.message] ??= [];
      notExpressible[error.message]?.push(name);
    }
  }
  return { fixtures, notExpressible };
}

/** Lays the fixtures out with our engine. @param font the font file of all texts */
export function compareLayouts({ fixtures, notExpressible }: RecordedSuite, font: Uint8Array): Comparison {
  const face = new FontFace({
    ...{ key: 'suite', family: 'suite', weight: 400, style: 'normal', bytes: font, variations: {} },
  });
  const equal: string[] = [];
  const different = new Map<string, readonly string[]>();
  for (const fixture of fixtures) {
    const differences = differencesOf(fixture, face);
    if (differences.length === 0) equal.push(fixture.name);
    else different.set(fixture.name, differences);
  }
  return { equal, different, notExpressible: new Map(Object.entries(notExpressible)) };
}

function differencesOf({ layer, boxes }: RecordedFixture, face: FontFace): readonly string[] {
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
  for (const [name, theirs] of Object.entries(boxes)) {
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
