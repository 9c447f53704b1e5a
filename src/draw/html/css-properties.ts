// The names of CSS properties, to tell a misspelt one from one that the renderer without a browser does not support.

import { nearestName } from '#core/nearest-name.ts';

/** Properties of Chromium 156 that subset.ts does not list as supported, from its `CSSStyleDeclaration`. */
const OTHERS: ReadonlySet<string> = new Set(
  `accent-color alignment-baseline anchor-name anchor-scope animation animation-composition animation-delay
  animation-direction animation-duration animation-fill-mode animation-iteration-count animation-name
  animation-play-state animation-range animation-range-end animation-range-start animation-timeline
  animation-timing-function animation-trigger app-region appearance backdrop-filter backface-visibility
  background-attachment background-blend-mode baseline-shift baseline-source border-block-end-color
  border-block-end-style border-block-end-width border-block-start-color border-block-start-style
  border-block-start-width border-collapse border-image border-image-outset border-image-repeat border-image-slice
  border-image-source border-image-width border-inline-end-color border-inline-end-style border-inline-end-width
  border-inline-start-color border-inline-start-style border-inline-start-width border-shape border-spacing
  box-decoration-break break-after break-before break-inside buffered-rendering caption-side caret-animation
  caret-color caret-shape clip clip-rule color-interpolation color-interpolation-filters color-rendering
  color-scheme column-count column-fill column-height column-rule column-rule-break column-rule-color
  column-rule-inset column-rule-inset-cap column-rule-inset-cap-end column-rule-inset-cap-start
  column-rule-inset-end column-rule-inset-junction column-rule-inset-junction-end column-rule-inset-junction-start
  column-rule-inset-start column-rule-style column-rule-visibility-items column-rule-width column-span column-width
  column-wrap columns contain-intrinsic-block-size contain-intrinsic-height contain-intrinsic-inline-size
  contain-intrinsic-size contain-intrinsic-width content-visibility corner-block-end-shape corner-block-start-shape
  corner-bottom-left-shape corner-bottom-right-shape corner-bottom-shape corner-end-end-shape
  corner-end-start-shape corner-inline-end-shape corner-inline-start-shape corner-left-shape corner-right-shape
  corner-shape corner-start-end-shape corner-start-start-shape corner-top-left-shape corner-top-right-shape
  corner-top-shape cursor cx cy d dominant-baseline dynamic-range-limit empty-cells field-sizing fill fill-opacity
  fill-rule flex-line-count flood-color flood-opacity font-feature-settings font-kerning font-language-override
  font-optical-sizing font-palette font-size-adjust font-stretch font-synthesis font-synthesis-small-caps
  font-synthesis-style font-synthesis-weight font-variant font-variant-alternates font-variant-caps
  font-variant-east-asian font-variant-emoji font-variant-ligatures font-variant-numeric font-variant-position
  font-variation-settings forced-color-adjust frame-sizing hyphenate-character hyphenate-limit-chars hyphens
  image-orientation initial-letter interactivity interest-delay interest-delay-end interest-delay-start
  interpolate-size lighting-color line-break margin-trim marker marker-end marker-mid marker-start mask mask-clip
  mask-composite mask-image mask-mode mask-origin mask-position mask-repeat mask-size mask-type math-depth
  math-shift math-style object-view-box offset offset-anchor offset-distance offset-path offset-position
  offset-rotate orphans overflow-anchor overflow-block overflow-clip-margin overflow-inline overlay
  overscroll-behavior overscroll-behavior-block overscroll-behavior-inline overscroll-behavior-x
  overscroll-behavior-y page page-break-after page-break-before page-break-inside page-margin-safety
  page-orientation paint-order perspective perspective-origin pointer-events position-anchor position-area
  position-try position-try-fallbacks position-try-order position-visibility print-color-adjust quotes r
  reading-flow reading-order resize row-rule row-rule-break row-rule-color row-rule-inset row-rule-inset-cap
  row-rule-inset-cap-end row-rule-inset-cap-start row-rule-inset-end row-rule-inset-junction
  row-rule-inset-junction-end row-rule-inset-junction-start row-rule-inset-start row-rule-style
  row-rule-visibility-items row-rule-width ruby-align ruby-overhang ruby-position rule rule-break rule-color
  rule-inset rule-inset-cap rule-inset-end rule-inset-junction rule-inset-start rule-overlap rule-style
  rule-visibility-items rule-width rx ry scroll-axis-lock scroll-behavior scroll-initial-target scroll-margin
  scroll-margin-block scroll-margin-block-end scroll-margin-block-start scroll-margin-bottom scroll-margin-inline
  scroll-margin-inline-end scroll-margin-inline-start scroll-margin-left scroll-margin-right scroll-margin-top
  scroll-marker-group scroll-padding scroll-padding-block scroll-padding-block-end scroll-padding-block-start
  scroll-padding-bottom scroll-padding-inline scroll-padding-inline-end scroll-padding-inline-start
  scroll-padding-left scroll-padding-right scroll-padding-top scroll-snap-align scroll-snap-stop scroll-snap-type
  scroll-target-group scroll-timeline scroll-timeline-axis scroll-timeline-name scrollbar-color scrollbar-gutter
  scrollbar-width shape-image-threshold shape-margin shape-outside shape-rendering size speak stop-color
  stop-opacity stroke stroke-dasharray stroke-dashoffset stroke-linecap stroke-linejoin stroke-miterlimit
  stroke-opacity stroke-width table-layout text-align-last text-anchor text-autospace text-box text-box-edge
  text-box-trim text-combine-upright text-decoration-skip-ink text-emphasis text-emphasis-color
  text-emphasis-position text-emphasis-style text-fit text-justify text-orientation text-rendering text-size-adjust
  text-spacing-trim text-underline-position timeline-scope timeline-trigger timeline-trigger-activation-range
  timeline-trigger-activation-range-end timeline-trigger-activation-range-start timeline-trigger-active-range
  timeline-trigger-active-range-end timeline-trigger-active-range-start timeline-trigger-name
  timeline-trigger-source touch-action transform-box transform-style transition transition-behavior
  transition-delay transition-duration transition-property transition-timing-function trigger-scope unicode-bidi
  user-select vector-effect view-timeline view-timeline-axis view-timeline-inset view-timeline-name
  view-transition-class view-transition-group view-transition-name view-transition-scope widows will-change
  window-drag writing-mode x y zoom`.split(/\s+/),
);

/** Whether a name is not a CSS property. Names with a vendor's prefix are not judged. */
export const isMisspelt = (property: string): boolean => !property.startsWith('-') && !OTHERS.has(property);

/** The property that a misspelt name was most likely meant for, of those that are supported before others. */
export function nearestProperty(misspelt: string, supported: Iterable<string>): string | null {
  return nearestName(misspelt, supported) ?? nearestName(misspelt, OTHERS);
}
