// The starters that come with the studio: finished templates to copy, of which some are samples. See starters/README.md.

import index from '../../../../starters/index.json';
import { accountPath, call, post } from '../../shell/api.ts';
import type { StoredImage, TemplateCard, TemplateDocument } from '../../shell/contract.ts';
import { texts } from '../../texts/pages.ts';

export interface Starter {
  /** The name of its file without the extension. */
  readonly id: string;
  readonly name: string;
  readonly kind: string;
  readonly width: number;
  readonly height: number;
  /** The size of its pages, such as `A4`, of a document. */
  readonly page?: string;
}

export const STARTERS: readonly Starter[] = index.starters;
export const KINDS: readonly string[] = [...new Set(STARTERS.map(({ kind }) => kind))];

const documents = import.meta.glob<TemplateDocument>(
  [
    '../../../../starters/*.json',
    '!../../../../starters/index.json',
    '!../../../../starters/kinds.json',
    '../../../../samples/documents/*.json',
  ],
  { import: 'default' },
);
const pictures = import.meta.glob<string>('../../../../starters/rendered/*.webp', {
  import: 'default',
  query: '?url',
  eager: true,
});
const photos = import.meta.glob<string>('../../../../samples/assets/*.jpg', {
  import: 'default',
  query: '?url',
  eager: true,
});

/** The URL of a starter's picture. */
export const pictureOf = ({ id }: Starter): string => pictures[`../../../../starters/rendered/${id}.webp`] ?? '';

/** Stores a copy of a starter in an account; its photos become images of the account. */
export async function openStarter(accountId: string, { id }: Starter): Promise<TemplateCard> {
  const load = documents[`../../../../starters/${id}.json`] ?? documents[`../../../../samples/documents/${id}.json`];
  const document = await load?.();
  if (!document) throw new Error(texts.value.templates.noStarterCalled(id));
  return post<TemplateCard>(accountPath(accountId, 'templates'), {
    document: await withOwnPhotos(accountId, document),
  });
}

async function withOwnPhotos(accountId: string, document: TemplateDocument): Promise<TemplateDocument> {
  let text = JSON.stringify(document);
  for (const [source, file] of text.matchAll(/"\.\.\/(?:samples\/)?assets\/([\w-]+\.jpg)"/g)) {
    const address = photos[`../../../../samples/assets/${file}`];
    if (address === undefined || !text.includes(source)) continue;
    const body = await (await fetch(address)).blob();
    const image = await call<StoredImage>('POST', accountPath(accountId, 'images'), {
      body,
      query: { name: file },
      headers: { 'content-type': 'image/jpeg' },
    });
    text = text.replaceAll(source, JSON.stringify(image.url));
  }
  return JSON.parse(text) as TemplateDocument;
}
