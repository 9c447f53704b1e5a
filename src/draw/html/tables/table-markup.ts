// Completes the tables of a page as an HTML parser does (HTML, 13.2.6.4.9 to 15): rows outside a section get a `<tbody>`,
// cells outside a row a `<tr>`, columns a `<colgroup>`, so that selectors match what they match in a browser.
//
// A browser moves what stands in a table outside its cells before the table; that is refused, since nobody means it.

import { AppError } from '#base/errors.ts';
import { quoted } from '#core/diagnostics.ts';
import { type HtmlElement, type HtmlNode, isElement } from '../parse-html.ts';

const SECTIONS = /^(thead|tbody|tfoot)$/;
const CELLS = /^(td|th)$/;
const PARTS = /^(caption|colgroup|col|thead|tbody|tfoot|tr|td|th)$/;
/** Elements that show nothing, and may stand anywhere. */
const SILENT = /^(style|script|template|meta|link)$/;

/**
 * Changes the tables in place; complete ones stay as they are.
 *
 * @throws AppError `invalid_request` naming what stands in a table outside its cells, and its line
 */
export function completeTables(nodes: readonly HtmlNode[], parent: HtmlElement | null = null): void {
  for (const node of nodes) {
    if (!isElement(node) || node.name === 'svg') continue;
    if (PARTS.test(node.name) && !(parent && mayStandIn(node.name, parent.name))) {
      throw refusal(node.line, `<${node.name}> stands outside the part of a <table> that may have it`);
    }
    if (node.name === 'table') {
      node.children = grouped(node, (name) =>
        name === 'col' ? 'colgroup' : /^(tr|td|th)$/.test(name) ? 'tbody' : null,
      );
    } else if (SECTIONS.test(node.name)) {
      node.children = grouped(node, (name) => (CELLS.test(name) ? 'tr' : null));
    } else if (/^(tr|colgroup)$/.test(node.name)) node.children = grouped(node, () => null);
    completeTables(node.children, node);
  }
}

function mayStandIn(name: string, parent: string): boolean {
  if (CELLS.test(name)) return parent === 'tr';
  if (name === 'tr') return SECTIONS.test(parent);
  return name === 'col' ? parent === 'colgroup' : parent === 'table';
}

/** The children of a part of a table without the space between them, those that lack a parent inside an implied one. */
function grouped(element: HtmlElement, parentOf: (name: string) => string | null): HtmlNode[] {
  const children: HtmlNode[] = [];
  let open = null as HtmlElement | null;
  for (const child of element.children) {
    if (!isElement(child)) {
      if (child.trim() === '') continue;
      const words = quoted(child.trim(), 40);
      throw refusal(element.line, `${words} stands in <${element.name}> outside its cells`);
    }
    const implied = parentOf(child.name);
    if (implied === null) {
      if (!SILENT.test(child.name) && !PARTS.test(child.name)) {
        throw refusal(child.line, `<${child.name}> stands in <${element.name}> outside its cells`);
      }
      open = null;
      children.push(child);
      continue;
    }
    if (open?.name !== implied) {
      open = { name: implied, attributes: new Map(), children: [], line: child.line };
      children.push(open);
    }
    open.children.push(child);
  }
  return children;
}

function refusal(line: number, problem: string): AppError {
  return new AppError('invalid_request', `html, line ${line}: ${problem}; put it into a <td>, <th> or <caption>.`);
}
