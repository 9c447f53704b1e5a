// `platen template`: stores template files in an account.

import { readFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { Command } from 'commander';
import { AppError } from '#base/errors.ts';
import { parseAnyTemplate } from '#core/template/any-template.ts';
import { isDesign } from '#design/is-design.ts';
import { byCommandLine } from '#server/service/people/permit.ts';
import { withServices } from './data-folder.ts';
import { accountOption, JSON_OPTION, print } from './output.ts';
import { readTemplateFile } from './template-file.ts';

export function templateCommand(): Command {
  return new Command('template').description('Store template files in an account.').addCommand(
    new Command('push')
      .description(
        'Store a template file, with the pictures beside it that it names; with --id as a new version of that template.',
      )
      .argument('<file>', 'a template as JSON')
      .option(...accountOption('whose template it becomes'))
      .option('--id <template>', 'the template that it replaces')
      .option(...JSON_OPTION)
      .action(async (file: string, options: { account?: string; id?: string; json?: boolean }) => {
        const { template } = await readTemplateFile(file);
        // Checked before anything is uploaded; what a design refers to is in the account.
        if (!isDesign(JSON.stringify(template))) parseAnyTemplate(template);
        const { id, version, uploaded } = await withServices(async ({ accounts, templates, images }) => {
          const account = await accounts.findOrOnly(options.account);
          if (options.id !== undefined) await templates.read(account.id, options.id);
          const upload = async (bytes: Uint8Array) => (await images.upload(account.id, bytes)).id;
          const files = await uploadSources(template, dirname(resolve(file)), upload);
          const stored = await (options.id === undefined
            ? templates.create(account.id, files.document, undefined, undefined, byCommandLine)
            : templates.replace(account.id, options.id, files.document, byCommandLine));
          return { ...stored, uploaded: files.uploaded };
        });
        const words = uploaded.map(({ source, image }) => `Uploaded ${source} as ${image}.\n`).join('');
        print(
          options.json,
          { id, version, ...(uploaded.length > 0 ? { uploaded } : {}) },
          `${words}Template ${id}, version ${version}.`,
        );
      }),
  );
}

// Uploads the image files named in a template file, and replaces their paths by the ids of the uploads.

interface UploadedSources {
  readonly document: unknown;
  /** Without duplicates. */
  readonly uploaded: readonly { readonly source: string; readonly image: string }[];
}

/** Not a file: a source with a scheme, the id of an upload, a fragment, or empty. */
const NO_FILE = /^[a-z][a-z0-9+.-]*:|^$|^img_|^#/i;

/**
 * Replaces each `src` and `fallback` of layers, and each `src` of html, that names a file in `folder` or its nearest
 * ancestor that has the file: the same files that `platen render` finds.
 *
 * @param upload uploads a file and returns its id
 * @throws AppError `invalid_request` naming a file that is missing or is no image
 */
export async function uploadSources(
  document: unknown,
  folder: string,
  upload: (bytes: Uint8Array) => Promise<string>,
): Promise<UploadedSources> {
  const ids = new Map<string, string>();
  const idOf = async (source: string): Promise<string> => {
    const id = ids.get(source) ?? (await uploadFile(source, folder, upload));
    ids.set(source, id);
    return id;
  };
  const replaced = await replaceIn(document, idOf);
  return { document: replaced, uploaded: [...ids].map(([source, image]) => ({ source, image })) };
}

async function uploadFile(
  source: string,
  folder: string,
  upload: (bytes: Uint8Array) => Promise<string>,
): Promise<string> {
  const bytes = await readBeside(source, folder);
  try {
    return await upload(bytes);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    throw new AppError(error.code, `${source} cannot be uploaded: ${error.message}`, { cause: error });
  }
}

async function readBeside(source: string, folder: string): Promise<Uint8Array> {
  for (let here = folder; ; here = dirname(here)) {
    const bytes = await readFile(resolve(here, source)).catch(() => null);
    if (bytes) return bytes;
    if (here !== dirname(here)) continue;
    throw new AppError('invalid_request', `There is no file ${source} beside the template, or in a folder above.`);
  }
}

async function replaceIn(value: unknown, idOf: (source: string) => Promise<string>, key = ''): Promise<unknown> {
  if (typeof value === 'string') {
    if (key === 'src' || key === 'fallback') return NO_FILE.test(value) ? value : idOf(value);
    return key === 'html' ? replaceInHtml(value, idOf) : value;
  }
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    const copy: unknown[] = [];
    for (const inner of value) copy.push(await replaceIn(inner, idOf));
    return copy;
  }
  const copy: [string, unknown][] = [];
  for (const [name, inner] of Object.entries(value)) copy.push([name, await replaceIn(inner, idOf, name)]);
  return Object.fromEntries(copy);
}

const SOURCE = /^([^>]*?\s(?:src|href)\s*=\s*)(?:"([^"]*)"|'([^']*)')/i;

async function replaceInHtml(html: string, idOf: (source: string) => Promise<string>): Promise<string> {
  const begins = [...html.matchAll(/<(?:img|image)\b/gi)].map(({ index }) => index);
  let text = html.slice(0, begins[0]);
  for (const [i, begin] of begins.entries()) {
    // The tag, and what follows it up to the next one.
    const part = html.slice(begin, begins[i + 1]);
    const [whole = '', before = '', double, single] = SOURCE.exec(part) ?? [];
    const source = (double ?? single ?? '').trim();
    const isKept = whole === '' || NO_FILE.test(source);
    text += isKept ? part : `${before}"${await idOf(source)}"${part.slice(whole.length)}`;
  }
  return text;
}
