// Opens the template that `platen batch` renders, with what its pictures need: a stored one with its account's fonts
// and uploads, or a file with the pictures beside it, which needs no database.

import { AppError } from '#base/errors.ts';
import type { Modifications } from '#core/resolve/apply-modifications.ts';
import type { Choice } from '#design/choice.ts';
import { type FontLibrary, openFontLibrary } from '#draw/fonts/font-library.ts';
import { OwnFonts } from '#draw/fonts/own-fonts.ts';
import { setSvgFonts } from '#draw/images/svg-process.ts';
import { openLoader } from '#draw/renderer/draw-scene.ts';
import type { PageFiles } from '#server/chromium/html-document.ts';
import { type Config, publicAddress } from '#server/config/config.ts';
import { openOutside } from '#server/service/files/image-sources.ts';
import { pageFiles } from '#server/service/pages/page-files.ts';
import type { DrawContext } from '#server/service/rendering/render.ts';
import { LocalChecks, type TemplateChecks } from '#server/service/templates/template-checks.ts';
import type { FoundTemplate } from '#server/service/templates/templates.ts';
import { designFile } from './design-file.ts';
import { reachOfFile } from './file-scene.ts';
import { readTemplateFile } from './template-file.ts';

export interface RowTemplate extends AsyncDisposable {
  /** With nothing chosen. */
  readonly found: FoundTemplate;
  /** @throws ValidationError when there is not what is chosen */
  readonly designed: (choice: Choice) => Promise<FoundTemplate>;
  readonly checks: TemplateChecks;
  /** Those in the file, which the rows override. */
  readonly modifications: Modifications;
  readonly fonts: FontLibrary;
  readonly supplies: DrawContext['supplies'];
  /** For pages that a browser draws. */
  readonly files: PageFiles;
}

/**
 * @param template `tpl_…`, `tpl_…@3`, or the path of a file
 * @throws AppError when there is no such template
 */
export function openRowTemplate(template: string, config: Config): Promise<RowTemplate> {
  return /^tpl_\w+(@\d+)?$/.test(template) ? openStored(template, config) : openFile(template);
}

async function openStored(reference: string, config: Config): Promise<RowTemplate> {
  const { openServices } = await import('#server/services.ts');
  await using parts = new AsyncDisposableStack();
  const services = parts.use(await openServices(config));
  const found = await services.templates.find(null, reference);

  const library = await openFontLibrary({ folders: config.fontFolders });
  setSvgFonts(library.folders, library.generic);
  const fontsKey = await services.fonts.keyFor(found);
  const records = () => services.fonts.records(found, fontsKey);
  const fonts = await new OwnFonts(library).libraryOf(fontsKey, records);
  const address = publicAddress(config, config.port);
  const sources = services.images.sourcesFor(found, parts.use(openOutside(config)), address);
  const opened = parts.move();
  return {
    found,
    designed: (choice) => services.templates.find(null, reference, choice),
    checks: services.templates.checks,
    modifications: {},
    fonts,
    supplies: async ({ document }) => ({
      fontsKey: '',
      known: (named) => sources.known(named),
      template: async () => document,
      fonts: records,
      image: (source, signal) => sources.find(source, signal),
      upload: (id, signal) => sources.read(id, signal),
    }),
    files: pageFiles(fonts, sources, address),
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
}

async function openFile(path: string): Promise<RowTemplate> {
  const file = await readTemplateFile(path);
  const loader = await openLoader(reachOfFile(path));
  const { fonts, sources } = loader;
  const designed = async (choice: Choice): Promise<FoundTemplate> => {
    const { template, diagnostics } = designFile(file, choice);
    const isDesign = Object.keys(choice).length > 0;
    const found = { id: path, version: 1, accountId: '', uploadsVersion: 0, isPlain: true, diagnostics };
    return { ...found, document: JSON.stringify(template), ...(isDesign && { design: JSON.stringify(choice) }) };
  };
  return {
    found: await designed({}),
    designed,
    checks: new LocalChecks(),
    modifications: file.modifications,
    fonts,
    supplies: async ({ document }) => ({
      fontsKey: '',
      known: () => ({}),
      template: async () => document,
      fonts: async () => [],
      image: async (source, signal) => ({ bytes: await sources.read(source, signal), warnings: [] }),
      upload: async (id) => {
        throw new AppError('invalid_request', `There is no uploaded image ${JSON.stringify(id)}.`);
      },
    }),
    files: pageFiles(fonts, sources, 'file:'),
    [Symbol.asyncDispose]: () => loader[Symbol.asyncDispose](),
  };
}
