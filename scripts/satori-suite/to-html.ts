// Converts a recorded tree to the same page in HTML, as a person would write it in an html template.

import { escapeXml } from '#draw/images/xml.ts';
import { cssOfStyle } from '../../src/edge/og/page-list.ts';
import type { RecordedElement, RecordedNode } from './recorder.ts';

/** Void elements, which HTML never closes. */
const VOID = new Set(['img', 'br', 'hr', 'input', 'wbr', 'meta', 'link']);
/** SVG attributes whose React spelling differs in more than a dash. */
const KEEPS_CASE =
  /^(viewBox|preserveAspectRatio|gradientUnits|gradientTransform|patternUnits|patternTransform|patternContentUnits|clipPathUnits|maskUnits|maskContentUnits|stdDeviation|filterUnits|spreadMethod|baseFrequency|numOctaves|pathLength|markerWidth|markerHeight|refX|refY)$/;

export const htmlOf = (nodes: readonly RecordedNode[]): string => nodes.map(htmlOfNode).join('');

function htmlOfNode(node: RecordedNode): string {
  if (typeof node === 'string') return escapeXml(node);
  const attributes = Object.entries(node.props)
    .map((prop) => attributeOf(...prop))
    .join('');
  if (VOID.has(node.type)) return `<${node.type}${attributes}>`;
  const inner = node.type === 'style' ? rawText(node) : htmlOf(node.children);
  return `<${node.type}${attributes}>${inner}</${node.type}>`;
}

const rawText = ({ children }: RecordedElement): string =>
  children.filter((child) => typeof child === 'string').join('');

function attributeOf(name: string, value: unknown): string {
  if (value === null || value === undefined || value === false || typeof value === 'function') return '';
  if (name === 'style') return typeof value === 'object' ? ` style="${escapeXml(cssOfStyle(value))}"` : '';
  if (typeof value === 'object') return '';
  const known = { className: 'class', htmlFor: 'for', xlinkHref: 'xlink:href' }[name];
  const spelled =
    known ?? (KEEPS_CASE.test(name) ? name : name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`));
  return ` ${spelled}="${escapeXml(value === true ? '' : String(value))}"`;
}
