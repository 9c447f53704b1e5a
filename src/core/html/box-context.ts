// What is known of a box while it is built: what it takes over from those around, and what is read of its style once.

import type { Cascade } from '../css/cascade.ts';
import type { CssElement } from '../css/selectors.ts';
import type { CharacterStyle, Fill, FrameNode, SceneNode, TextDecoration } from '../resolve/scene.ts';
import type { effectsOf } from './effects.ts';
import type { Background } from './paint-style.ts';
import type { Surroundings } from './placement.ts';
import type { Stacking } from './stacking.ts';
import type { Style } from './style.ts';
import type { linesOf } from './text-style.ts';

/** What an element hands on to what is in it. */
export interface BoxContext {
  readonly style: Style;
  readonly decorations: readonly TextDecoration[];
  /** What shows through letters without a colour of their own (CSS Backgrounds 4, 3.8, `background-clip: text`). */
  readonly behindLetters: Fill | null;
  readonly link: string | null;
  readonly lang: string | null;
  /** Of the names of its nodes: that of the list and entry around it. */
  readonly prefix: string;
  /** Receives what is placed in the nearest positioned box, and on the page. */
  readonly positioned: PlacedNodes;
  readonly fixed: PlacedNodes;
  /** 1 to 6, in a heading. */
  readonly heading: number | null;
}

/** What is placed in a box. */
export interface PlacedNodes {
  readonly nodes: SceneNode[];
  /** Whether a stacking context stands between: then it is painted there, and only placed in the box. */
  readonly isApart: boolean;
}

/** What is read of a style once. */
export interface BoxLook extends Pick<FrameNode, 'radii' | 'shadows' | 'fragmentation' | 'padding'> {
  readonly borders: Pick<FrameNode, 'border' | 'sideBorders'>;
  readonly borderImage: FrameNode['borderImage'];
  readonly background: Background;
  readonly effects: ReturnType<typeof effectsOf>;
  readonly stacking: Stacking;
  readonly textShadows: FrameNode['shadows'];
  readonly lines: ReturnType<typeof linesOf>;
  readonly whiteSpace: string;
}

/** The letters of a kind of styles, as they were last. */
export interface KnownText {
  readonly of: Pick<BoxContext, 'decorations' | 'behindLetters' | 'lang'>;
  readonly style: CharacterStyle;
}

/** The rules of each pseudo-element. */
export type PartCascades = Readonly<
  Record<'before' | 'after' | 'marker' | 'firstLetter' | 'firstLine' | 'placeholder', Cascade<CssElement>>
>;

/** What a box is in. */
export type Where = Pick<Surroundings, 'within' | 'fills'>;

/** Makes a box with this in it, as its style says; borders and padding are the style's own where none are given. */
export type Framed = (
  style: Style,
  name: string,
  layout: FrameNode['layout'],
  children: readonly SceneNode[],
  context: BoxContext,
  where: Where,
  borders?: BoxLook['borders'],
  padding?: FrameNode['padding'],
) => FrameNode;

/** One object, by which texts of one style are known to be alike. */
export const NO_DECORATIONS: BoxContext['decorations'] = [];
