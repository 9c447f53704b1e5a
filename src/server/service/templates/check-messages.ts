// What the checking thread and its owner ask of each other.

import type { Diagnostic } from '#core/diagnostics.ts';
import type { Modifications } from '#core/resolve/apply-modifications.ts';
import type { Purpose } from '#core/resolve/check-parameters.ts';
import type { CheckedAny } from '#core/resolve/resolve-any.ts';
import type { Choice } from '#design/choice.ts';
import type { Missing } from '#design/materials.ts';
import type { TemplateSummary } from '#server/storage/templates.ts';
import type { NamedValue } from '../rendering/signed-url.ts';
import type { Choices, DesignedText, MaterialTexts } from './design-texts.ts';
import type { ReadSvgTemplate, SvgFile } from './svg-template.ts';
import type { CheckedDocument, TemplateKey } from './template-checks.ts';

/** Calls that the thread may make to the main thread. */
export type TextHandlers = { text(template: TemplateKey): Promise<string> };

/** Calls that the thread answers. It keeps parsed templates, and asks for the text of each only once. */
export type CheckHandlers = {
  /** Answered once the thread has started. */
  start(nothing: null): Promise<void>;
  readSvgTemplate(file: SvgFile): Promise<ReadSvgTemplate>;
  read(of: {
    readonly document: unknown;
    readonly materials: MaterialTexts;
    readonly id: string | null;
  }): Promise<CheckedDocument | Missing>;
  design(of: {
    readonly text: string;
    readonly choice: Choice;
    readonly materials: MaterialTexts;
    readonly id: string;
  }): Promise<DesignedText | Missing>;
  choicesOf(template: TemplateKey): Promise<Choices>;
  summaryOf(template: TemplateKey): Promise<TemplateSummary>;
  check(of: {
    readonly template: TemplateKey;
    readonly modifications: Modifications;
    readonly purpose: Purpose;
  }): Promise<CheckedAny>;
  toModifications(of: {
    readonly template: TemplateKey;
    readonly parameters: readonly NamedValue[];
  }): Promise<Modifications>;
  unknownParameters(of: {
    readonly template: TemplateKey;
    readonly names: readonly string[];
  }): Promise<readonly Diagnostic[]>;
};
