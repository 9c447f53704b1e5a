// Sets up the demo at the first start on an empty data folder: an account with the sample templates and signed URLs.

import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import type { Storage } from '#server/storage/storage.ts';
import type { ImageLibrary } from '../files/images.ts';
import { signedQuery } from '../rendering/signed-url.ts';
import type { TemplateLibrary } from '../templates/templates.ts';
import type { Accounts } from './accounts.ts';
import type { Plans } from './caller.ts';
import type { Keys } from './keys.ts';

export interface DemoContext {
  readonly storage: Storage;
  readonly accounts: Accounts;
  readonly keys: Keys;
  readonly templates: TemplateLibrary;
  readonly images: ImageLibrary;
  readonly plans: Plans;
}

export interface Demo {
  readonly accountId: string;
  /** Shown here and never again. */
  readonly key: string;
  readonly samples: readonly { readonly name: string; readonly template: string; readonly query: string }[];
}

/**
 * Creates the demo account; returns null when there are accounts already.
 *
 * @param folder holds the samples, one template per `.json` file; image sources that name a file there are uploaded
 */
export async function createDemo(ctx: DemoContext, folder: string): Promise<Demo | null> {
  if (!(await ctx.storage.accounts.isEmpty())) return null;
  const account = await ctx.accounts.create({ email: null, displayName: 'Demo', plan: generousPlan(ctx.plans) });
  const { key } = await ctx.keys.create(account.id, 'live');
  const { signing } = await ctx.accounts.secrets(account.id);

  const samples: Demo['samples'][number][] = [];
  for (const file of await samplesIn(folder)) {
    const document = JSON.parse(await readFile(file, 'utf8'));
    const stored = await ctx.templates.create(account.id, await uploadFiles(ctx.images, account.id, folder, document));
    const query = signedQuery(signing, { template: stored.id, extension: 'png', parameters: [] });
    samples.push({ name: String(document.name), template: stored.id, query });
  }
  return { accountId: account.id, key, samples };
}

async function samplesIn(folder: string): Promise<string[]> {
  const names = existsSync(folder) ? await readdir(folder) : [];
  return names
    .filter((name) => name.endsWith('.json'))
    .sort()
    .map((name) => join(folder, name));
}

/** Prefers a plan that does not block, so that somebody trying things out is not stopped. */
function generousPlan(plans: Plans): string {
  const names = Object.keys(plans);
  return names.find((name) => plans[name]?.blocks === false) ?? names[0] ?? 'free';
}

/** The document with each `src` and `fallback` that names a file in `folder` replaced by the id of an upload. */
async function uploadFiles(images: ImageLibrary, accountId: string, folder: string, value: unknown): Promise<unknown> {
  if (typeof value !== 'object' || value === null) return value;
  const copy: [string, unknown][] = [];
  for (const [key, inner] of Object.entries(value)) {
    const isFile =
      (key === 'src' || key === 'fallback') && typeof inner === 'string' && !/^[a-z]+:|^$|^img_/i.test(inner);
    copy.push([
      key,
      isFile
        ? (await images.upload(accountId, await readFile(resolve(folder, inner)), undefined, { name: basename(inner) }))
            .id
        : await uploadFiles(images, accountId, folder, inner),
    ]);
  }
  return Array.isArray(value) ? copy.map(([, inner]) => inner) : Object.fromEntries(copy);
}
