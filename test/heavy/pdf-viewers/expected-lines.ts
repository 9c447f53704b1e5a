// Lists the lines of text that a design template's picture shows, to compare a PDF's text with.

import type { Size } from '../../../src/core/geometry.ts';
import type { LayoutBox } from '../../../src/core/layout/box.ts';
import { describeLayout } from '../../../src/core/layout/describe-layout.ts';
import { layOut } from '../../../src/core/layout/layout.ts';
import { Pages } from '../../../src/core/pages/compose-pages.ts';
import { paintChart } from '../../../src/core/paint/paint-chart.ts';
import { View } from '../../../src/core/paint/view.ts';
import { resolve } from '../../../src/core/resolve/resolve.ts';
import type { Resources } from '../../../src/core/resources.ts';
import { parseTemplate } from '../../../src/core/template/template.ts';
import { FIXTURES } from '../../golden/cases.ts';
import { type Renderable, resourcesOf } from '../../golden/render-case.ts';

/** Returns the lines in painting order, each in logical order. */
export async function linesOf({ template, modifications }: Renderable, folder = FIXTURES): Promise<readonly string[]> {
  const scene = resolve(parseTemplate(template), modifications);
  const resources = await resourcesOf(scene.needs, folder);
  const { boxes } = scene.page ? new Pages(scene, scene.page, resources).stacked(0) : layOut(scene, resources);
  const charts = new Map(boxes.flatMap(boxesIn).flatMap((box) => labelsOf(box, scene, resources)));
  return describeLayout(scene, boxes).layers.flatMap(
    ({ name, text }) => text?.lines.map((line) => line.text) ?? charts.get(name) ?? [],
  );
}

const boxesIn = (box: LayoutBox): readonly LayoutBox[] =>
  box.kind === 'frame' ? [box, ...box.children.flatMap(boxesIn)] : [box];

/** The labels of a chart, by its layer. */
function labelsOf({ kind, node, rect }: LayoutBox, { width, height }: Size, resources: Resources) {
  if (kind !== 'leaf' || node.type !== 'chart') return [];
  const { ops } = paintChart(node, rect, resources, View.of({ x: 0, y: 0, width, height }));
  return [[node.name, ops.flatMap((op) => (op.kind === 'glyphs' ? [op.run.text] : []))] as const];
}
