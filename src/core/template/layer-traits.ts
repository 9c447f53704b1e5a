// How each type of layer can be changed: which property a plain value sets, which are its content, when it takes a list, and
// which kinds of parameters fit it.
//
// Without zod, so that a form in the browser can say what the API would say. Types are added here, or do not compile.

import type { LayerType } from './layer.ts';

/**
 * What a form asks for. `text`: one line. `paragraph`: several lines. `number`: a decimal number. `url`: an address.
 * `image`: a picture. `color`: a colour. `boolean`: whether the layer is shown.
 */
export const PARAMETER_KINDS = ['text', 'paragraph', 'number', 'url', 'image', 'color', 'boolean'] as const;
export type ParameterKind = (typeof PARAMETER_KINDS)[number];

interface LayerTraits {
  /** The property that a string modification sets, or a list that of a table or chart; a frame has none. */
  readonly primary: string | null;
  /** The properties whose change is one of its text or picture, all that some editors may change. */
  readonly content: readonly string[];
  /** Whether a modification may be a list: of a text, if its format is one; of a frame, if it repeats. */
  readonly takesList: 'always' | 'by-format' | 'by-repeat' | 'never';
  /** Whether it keeps its proportions where a design in another size would stretch it. */
  readonly keepsRatio: boolean;
  /** The kinds of parameters that fit it, the default first. */
  readonly parameters: readonly ParameterKind[];
}

const WORDS = ['text', 'paragraph', 'number', 'url', 'boolean'] as const;

/** The traits of each type; `element` is a layer of an html template. */
export const LAYER_TRAITS = {
  text: { primary: 'text', content: ['text', 'spans'], takesList: 'by-format', keepsRatio: false, parameters: WORDS },
  image: {
    primary: 'src',
    content: ['src', 'focus', 'zoom'],
    takesList: 'never',
    keepsRatio: false,
    parameters: ['image', 'boolean'],
  },
  shape: { primary: 'fill', content: [], takesList: 'never', keepsRatio: false, parameters: ['color', 'boolean'] },
  qr: { primary: 'value', content: [], takesList: 'never', keepsRatio: true, parameters: WORDS },
  barcode: { primary: 'value', content: [], takesList: 'never', keepsRatio: true, parameters: WORDS },
  frame: { primary: null, content: [], takesList: 'by-repeat', keepsRatio: false, parameters: ['boolean'] },
  table: { primary: 'rows', content: [], takesList: 'always', keepsRatio: false, parameters: ['boolean'] },
  chart: {
    primary: 'data',
    content: [],
    takesList: 'always',
    keepsRatio: false,
    parameters: ['text', 'number', 'boolean'],
  },
  element: {
    primary: 'text',
    content: [],
    takesList: 'never',
    keepsRatio: false,
    parameters: ['text', 'paragraph', 'number', 'url', 'image', 'boolean'],
  },
} as const satisfies Record<LayerType | 'element', LayerTraits>;

/** Of any text, such as the type in a document that nobody has checked. @returns null for a type that there is not */
export const traitsOf = (type: unknown): LayerTraits | null =>
  Object.hasOwn(LAYER_TRAITS, String(type)) ? LAYER_TRAITS[type as keyof typeof LAYER_TRAITS] : null;
