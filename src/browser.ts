// The entry point for browsers: parses, lays out and paints templates to a display list or SVG, without Node.
//
// `import { … } from 'platen/browser'`. Fonts and images are passed as bytes; nothing is fetched.

export { drawChart } from '#core/chart/draw-chart.ts';
export { compose } from '#core/compose.ts';
export type { Composition } from '#core/composition.ts';
export type { Diagnostic } from '#core/diagnostics.ts';
export { describeLayout } from '#core/layout/describe-layout.ts';
export { layOut } from '#core/layout/layout.ts';
export type { DisplayList, PaintOp } from '#core/paint/display-list.ts';
export type { Modifications } from '#core/resolve/apply-modifications.ts';
export { resolve } from '#core/resolve/resolve.ts';
export type { Needs, Scene } from '#core/resolve/scene.ts';
export type { ImageResource, Resources } from '#core/resources.ts';
export { writeSvg } from '#core/svg/write-svg.ts';
export { parseAnyTemplate } from '#core/template/any-template.ts';
export { parseTemplate, type Template } from '#core/template/template.ts';
export { FontSet } from '#core/text/font-set.ts';
export { loadCodes } from '#draw/renderer/load-codes.ts';
