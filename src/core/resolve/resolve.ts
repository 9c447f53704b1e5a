// Template and modifications in, scene out.

import type { Template } from '../template/template.ts';
import type { Scene } from './scene.ts';

/** @throws ValidationError when a modification does not fit its layer */
export function resolve(_template: Template, _modifications: Readonly<Record<string, unknown>>): Scene {
  throw new Error('not built yet');
}
