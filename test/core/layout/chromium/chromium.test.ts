// Compares our layout with Chromium's recorded one: each layer's box must be within a pixel of where the browser put
// it.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { LayoutBox } from '#core/layout/box.ts';
import { layOut } from '#core/layout/layout.ts';
import { resolve } from '#core/resolve/resolve.ts';
import type { SceneNode } from '#core/resolve/scene.ts';
import type { Resources } from '#core/resources.ts';
import { resources } from '../../scene-nodes.ts';
import { type FaceName, fontSet, hasFont } from '../../text/faces.ts';
import { FIXTURES, type Fixture } from './fixtures.ts';
import { PHOTO } from './to-html.ts';

/** [x, y, width, height] of each layer, canvas px. */
type Boxes = Readonly<Record<string, readonly number[]>>;

/** Where we differ on purpose, and why. */
const ON_PURPOSE: Readonly<Record<string, string>> = {};

const recorded: Readonly<Record<string, Boxes>> = JSON.parse(
  readFileSync(join(import.meta.dirname, 'recorded.json'), 'utf8'),
);

function ours({ template }: Fixture): Boxes {
  const scene = resolve(template, {});
  const keys = scene.needs.images.map(({ key }) => [key, PHOTO] as const);
  const given: Resources = { ...resources(Object.fromEntries(keys)), fonts: fontSet(...scene.nodes.flatMap(styles)) };
  const entries = layOut(scene, given).boxes.flatMap(flat);
  return Object.fromEntries(entries.map(({ node, rect }) => [node.name, [rect.x, rect.y, rect.width, rect.height]]));
}

function flat(box: LayoutBox): readonly LayoutBox[] {
  return [box, ...(box.kind === 'frame' ? box.children.flatMap(flat) : [])];
}

function styles(node: SceneNode): Parameters<typeof fontSet> {
  if (node.type === 'frame') return node.children.flatMap(styles);
  return node.type === 'text' ? node.spans.map((span) => span.style) : [];
}

const show = (boxes: Boxes) =>
  Object.entries(boxes).map(([name, rect]) => `${name}: ${rect.map((n) => Math.round(n * 10) / 10).join(' ')}`);

for (const fixture of FIXTURES) {
  const faces = resolve(fixture.template, {}).needs.fonts.flatMap(({ query }) => query.families) as FaceName[];
  test.skipIf(!faces.every(hasFont) || fixture.name in ON_PURPOSE)(fixture.name, () => {
    const expected = recorded[fixture.name];
    if (!expected) throw new Error('Not recorded: run test/core/layout/chromium/record.ts.');
    const actual = ours(fixture);
    const isClose = Object.entries(expected).every(([name, rect]) =>
      rect.every((value, i) => Math.abs(value - (actual[name]?.[i] ?? Number.NaN)) <= 1),
    );
    if (!isClose) expect(show(actual)).toEqual(show(expected));
  });
}
