// A caller's code against the types that openapi-typescript generates: it must compile as it stands.

import type { components, paths } from './contract.ts';

type Body<P extends keyof paths> = paths[P] extends {
  post: { requestBody: { content: { 'application/json': infer B } } };
}
  ? B
  : never;

export const least: Body<'/v1/renders'> = { template: 'tpl_1' };
export const render: Body<'/v1/renders'> = { templateId: 'tpl_1', modifications: { title: 'Hello' }, output: 'pdf' };
export const batch: Body<'/v1/renders/batch'> = { template: 'tpl_1', items: [{ title: 'One' }] };
export const screenshot: Body<'/v1/screenshots'> = { url: 'https://example.com/' };
export const page: Body<'/v1/templates'> = {
  name: 'Page',
  width: 1200,
  height: 630,
  engine: 'html',
  html: '<h1 data-layer="title">Hello</h1>',
};
export const layers: Body<'/v1/templates'> = {
  name: 'Card',
  width: 1200,
  height: 630,
  layers: [
    { name: 'title', type: 'text', text: 'Hello', margin: [1, 2, 3, 4] },
    { name: 'box', type: 'frame', layout: { direction: 'row', gap: [4, 8] }, children: [] },
  ],
};
export const url = (result: components['schemas']['RenderResult']): string => result.url;
