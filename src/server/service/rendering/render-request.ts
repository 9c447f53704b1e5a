// A request to render a template.

import type { Modifications } from '#core/resolve/apply-modifications.ts';
import type { Choice } from '#design/choice.ts';
import type { ExportOptions, Output } from '#draw/output/formats.ts';
import type { TemplateSource } from '../templates/templates.ts';
import type { Metadata } from './metadata.ts';

export interface RenderRequest {
  readonly template: TemplateSource;
  readonly modifications: Modifications;
  readonly output: Output;
  readonly options: ExportOptions;
  readonly metadata?: Metadata;
  /** Of a design; absent where the template decides. */
  readonly choice?: Choice;
}
