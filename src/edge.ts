// The entry point for edge runtimes, browsers and any program without native modules: `import { render } from
// 'platen/edge'`.

export type { LayerDocument } from '#core/template/layer.ts';
export type { TemplateDocument } from '#core/template/template.ts';
export type { EdgeOutput } from './edge/encode-picture.ts';
export type { EdgeFont } from './edge/fonts.ts';
export type { Bytes } from './edge/images.ts';
export {
  type EdgeComposeOptions,
  type EdgeRendered,
  type EdgeRenderOptions,
  type EdgeSvg,
  render,
  renderToSvg,
} from './edge/render.ts';
