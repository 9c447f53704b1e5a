// Replaces satori, and the helpers of its tests: writes each tree that it receives to a file, one line each.

import { appendFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';

/** An element as React makes it, with its components resolved. */
export interface RecordedElement {
  readonly type: string;
  readonly props: Readonly<Record<string, unknown>>;
  readonly children: readonly RecordedNode[];
}
export type RecordedNode = RecordedElement | string;

export interface RecordedPage {
  /** The test that drew it. */
  readonly test: string;
  readonly width: number | null;
  readonly height: number | null;
  /** Options beyond size and fonts, which html templates do not have. */
  readonly options: readonly string[];
  readonly tree: readonly RecordedNode[];
}

type Options = { width?: number; height?: number } & Record<string, unknown>;

export default async function record(tree: unknown, options: Options = {}): Promise<string> {
  const page: RecordedPage = {
    test: expect.getState().currentTestName ?? '',
    width: options.width ?? null,
    height: options.height ?? null,
    options: Object.keys(options).filter((name) => !/^(width|height|fonts|embedFont|onNodeDetected)$/.test(name)),
    tree: nodesOf(tree),
  };
  appendFileSync(process.env.SATORI_PAGES ?? '', `${JSON.stringify(page)}\n`);
  return '<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"></svg>';
}

interface ReactLike {
  readonly type: unknown;
  readonly props: Record<string, unknown>;
}

function nodesOf(node: unknown): readonly RecordedNode[] {
  if (node === null || node === undefined || typeof node === 'boolean') return [];
  if (Array.isArray(node)) return node.flatMap(nodesOf);
  if (typeof node !== 'object') return [String(node)];
  const { type, props = {} } = node as ReactLike;
  if (typeof type === 'function') return nodesOf(type(props));
  const render = (type as { render?: (props: unknown, ref: null) => unknown } | null)?.render;
  if (render) return nodesOf(render(props, null));
  const { children, ...others } = props;
  if (typeof type !== 'string') return nodesOf(children);
  const plain = Object.entries(others).map(([name, value]) => [name, plainOf(value)]);
  return [{ type, props: Object.fromEntries(plain), children: nodesOf(children) }];
}

/** Pictures may be bytes in the tests. */
function plainOf(value: unknown): unknown {
  const bytes = value instanceof ArrayBuffer ? new Uint8Array(value) : value;
  if (!(bytes instanceof Uint8Array)) return value;
  return `data:application/octet-stream;base64,${Buffer.from(bytes).toString('base64')}`;
}

// Replacements for the helpers of satori's tests.
export const initFonts = (callback: (fonts: readonly unknown[]) => void): void => callback([]);
export const toImage = (): Buffer => Buffer.alloc(0);
export const toImageWithSharp = async (): Promise<Buffer> => Buffer.alloc(0);
export const getDynamicAsset = (text: string): Promise<Buffer> => readFile(join(process.cwd(), 'test', 'assets', text));
export const loadDynamicAsset = async (): Promise<readonly unknown[]> => [];
expect.extend({ toMatchImageSnapshot: () => ({ pass: true, message: () => '' }) });
