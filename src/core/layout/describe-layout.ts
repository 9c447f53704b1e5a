// Describes the layout of a scene to API callers: plain JSON, one entry per layer.
//
// Numbers are rounded to thousandths of a pixel. Hidden layers, and images that were left out, are omitted.

import type { Rect } from '../geometry.ts';
import type { Scene } from '../resolve/scene.ts';
import { lineSpace, pointOnCanvas, rectOnCanvas } from '../text/line-space.ts';
import { lineText, wholeText } from '../text/line-text.ts';
import type { LayoutBox, TextBox } from './box.ts';

interface LineLayout {
  /** The text as drawn on the line, without trailing white space. */
  readonly text: string;
  /** The line box, canvas px: the line height by the width of its content; the other way round for a vertical line. */
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  /** Canvas y of the baseline; for a vertical line, canvas x, which is its middle where letters stand upright. */
  readonly baseline: number;
}

interface LayerLayout {
  readonly name: string;
  /** The name of the frame around it; null on the canvas. */
  readonly frame: string | null;
  /** The border box, canvas px, before any rotation. */
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  /** Text only. */
  readonly text?: {
    /** The largest span's size after `autoFit`, px. */
    readonly fontSize: number;
    readonly lines: readonly LineLayout[];
    /** Whether text was left out or overflows its box. */
    readonly overflows: boolean;
  };
}

export interface SceneLayout {
  readonly width: number;
  readonly height: number;
  /** In painting order, frames before their children. */
  readonly layers: readonly LayerLayout[];
}

export function describeLayout({ width, height }: Scene, boxes: readonly LayoutBox[]): SceneLayout {
  return { width, height, layers: boxes.flatMap((box) => describeBox(box, null)) };
}

function describeBox(box: LayoutBox, frame: string | null): readonly LayerLayout[] {
  const { name } = box.node;
  const layer = { name, frame, ...rounded(box.rect) };
  if (box.kind === 'text') return [{ ...layer, text: describeText(box) }];
  if (box.kind === 'frame') return [layer, ...box.children.flatMap((child) => describeBox(child, name))];
  return [layer];
}

function describeText({ node, paragraph, content }: TextBox): NonNullable<LayerLayout['text']> {
  const whole = wholeText(node);
  const largest = Math.max(...node.spans.map(({ style }) => style.fontSize));
  const space = lineSpace(node, content);
  const baselineOf = (y: number) => pointOnCanvas(space, { x: 0, y })[space.vertical ? 'x' : 'y'];
  return {
    fontSize: round(largest * paragraph.scale),
    lines: paragraph.lines.map((line) => ({
      text: lineText(whole, line),
      ...rounded(rectOnCanvas(space, line.box)),
      baseline: round(baselineOf(line.baseline)),
    })),
    overflows: paragraph.overflows,
  };
}

const round = (value: number): number => Math.round(value * 1000) / 1000;

function rounded({ x, y, width, height }: Rect): Rect {
  return { x: round(x), y: round(y), width: round(width), height: round(height) };
}
