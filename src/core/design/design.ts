// One design, many pictures: a template at a size and in a language, as a plain template. One pure step before resolve.
//
// A template of which nothing is chosen stays the same object.

import { type Diagnostic, ValidationError } from '../diagnostics.ts';
import type { AnyTemplate } from '../template/any-template.ts';
import { OWN_SIZE } from '../template/size.ts';
import type { Template } from '../template/template.ts';
import { formatPath } from '../template/validation.ts';
import { atSize } from './at-size.ts';
import { changeLayers, changesIn, didYouMean } from './change-layers.ts';
import { inLanguage } from './in-language.ts';

/** What a request chooses of a design. Each is absent where the template decides. */
export interface Choice {
  /** The name of a size; `default` is the template's own canvas. */
  readonly size?: string;
  /** BCP 47. */
  readonly lang?: string;
}

export interface Designed {
  readonly template: AnyTemplate;
  readonly diagnostics: readonly Diagnostic[];
}

/** @throws ValidationError naming `size` or `lang` when the template does not have what is chosen */
export function design(template: AnyTemplate, choice: Choice): Designed {
  const diagnostics: Diagnostic[] = [];
  if (template.engine === 'html') {
    const chosen = Object.keys(choice).at(0);
    if (chosen !== undefined) throw new ValidationError(chosen, 'is for templates of layers; this is an html template');
    return { template, diagnostics };
  }
  const sized = choice.size === undefined ? template : sizedAs(template, choice.size, diagnostics);
  const spoken = choice.lang === undefined ? sized : inLanguage(sized, choice.lang, diagnostics);
  return { template: spoken, diagnostics };
}

function sizedAs(template: Template, name: string, diagnostics: Diagnostic[]): Template {
  if (name === OWN_SIZE) return template;
  const { sizes = {} } = template;
  const size = Object.hasOwn(sizes, name) ? sizes[name] : undefined;
  if (!size) {
    const names = Object.keys(sizes);
    const problem =
      names.length === 0 ? 'the template has no sizes' : `the template has no size ${didYouMean(name, names)}`;
    throw new ValidationError('size', problem);
  }
  const { width, height, changes } = size;
  const resized = atSize(template, { width, height });
  const path = `${formatPath('sizes', [name])}.changes`;
  return { ...resized, layers: changeLayers(resized.layers, changesIn(changes, path), diagnostics) };
}
