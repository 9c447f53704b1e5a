// Tests that Yoga in pages, with our own glue, lays out as Yoga with its own.

import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import Yoga, {
  type Align,
  Edge,
  type FlexDirection,
  Gutter,
  type Justify,
  type Node,
  Overflow,
  PositionType,
  type Wrap,
} from 'yoga-layout';
import { bindYoga } from '../../scripts/studio/yoga-binding.ts';

const LIBRARY = fileURLToPath(import.meta.resolve('yoga-layout'));
const file = readFileSync(LIBRARY.replace('src/index.js', 'binaries/yoga-wasm-base64-esm.js'), 'utf8');
const wasm = Buffer.from(/base64,([A-Za-z0-9+/=]+)/.exec(file)?.[1] ?? '', 'base64');
const { default: wrapAssembly } = (await import(LIBRARY.replace('index.js', 'wrapAssembly.js'))) as {
  default: (library: unknown) => typeof Yoga;
};
const ours = wrapAssembly(
  await bindYoga(async (imports) => (await WebAssembly.instantiate(new Uint8Array(wasm), imports)).instance),
);

/** Numbers that follow from a seed. */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** A tree that follows from a seed, laid out: the boxes of its nodes. */
function layOut(yoga: typeof Yoga, seed: number): unknown {
  const next = numbers(seed);
  const config = yoga.Config.create();
  config.setPointScaleFactor(0);
  const nodes: Node[] = [];
  const node = (depth: number): Node => {
    const made = yoga.Node.create(config);
    nodes.push(made);
    made.setFlexDirection(next(4) as FlexDirection);
    made.setJustifyContent(next(6) as Justify);
    made.setAlignItems((1 + next(5)) as Align);
    made.setAlignSelf(next(6) as Align);
    made.setFlexWrap(next(3) as Wrap);
    made.setGap(Gutter.All, next(9));
    made.setFlexGrow(next(3));
    made.setFlexShrink(next(2));
    made.setOverflow(next(2) === 0 ? Overflow.Visible : Overflow.Scroll);
    if (next(2) === 0) made.setWidth(20 + next(90) / 7);
    else made.setWidthPercent(next(100));
    if (next(2) === 0) made.setHeight(next(80));
    else made.setHeightAuto();
    if (next(3) === 0) made.setMinWidth(next(40));
    if (next(3) === 0) made.setMaxHeight(next(90));
    made.setMargin(Edge.Left, next(12));
    if (next(4) === 0) made.setMarginAuto(Edge.Right);
    made.setPadding(Edge.All, next(6));
    if (next(5) === 0) made.setPositionType(PositionType.Absolute);
    if (depth > 0) for (let i = next(5); i > 0; i--) made.insertChild(node(depth - 1), made.getChildCount());
    return made;
  };
  const root = node(4);
  root.calculateLayout(400, next(2) === 0 ? undefined : 300, yoga.DIRECTION_LTR);
  const found = nodes.map((one) => [
    one.getComputedLayout(),
    one.getComputedWidth(),
    one.getComputedLeft(),
    one.isDirty(),
    one.getParent()?.getChildCount(),
    one.getWidth(),
  ]);
  root.freeRecursive();
  return found;
}

test('trees of all that flex frames use have equal boxes', () => {
  for (let seed = 1; seed <= 300; seed++) expect(layOut(ours, seed)).toEqual(layOut(Yoga, seed));
});

test('a node that is cleared is as a new one, and memory grows as far as it must', () => {
  const { Node: Nodes } = ours;
  const used = Nodes.create();
  used.setWidth(10);
  used.reset();
  used.calculateLayout(undefined, undefined);
  expect(used.getComputedWidth()).toBe(0);
  expect(
    Array.from({ length: 60_000 }, () => Nodes.create())
      .at(-1)
      ?.getChildCount(),
  ).toBe(0);
});
