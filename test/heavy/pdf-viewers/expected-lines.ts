// Lists the lines of text that a design template's picture shows, to compare a PDF's text with.

import { describeLayout } from '../../../src/core/layout/describe-layout.ts';
import { layOut } from '../../../src/core/layout/layout.ts';
import { Pages } from '../../../src/core/pages/compose-pages.ts';
import { resolve } from '../../../src/core/resolve/resolve.ts';
import { parseTemplate } from '../../../src/core/template/template.ts';
import { FIXTURES } from '../../golden/cases.ts';
import { type Renderable, resourcesOf } from '../../golden/render-case.ts';

/** Returns the lines in painting order, each in logical order. */
export async function linesOf({ template, modifications }: Renderable, folder = FIXTURES): Promise<readonly string[]> {
  const scene = resolve(parseTemplate(template), modifications);
  const resources = await resourcesOf(scene.needs, folder);
  const { boxes } = scene.page ? new Pages(scene, scene.page, resources).stacked(0) : layOut(scene, resources);
  return describeLayout(scene, boxes).layers.flatMap(({ text }) => text?.lines.map((line) => line.text) ?? []);
}
