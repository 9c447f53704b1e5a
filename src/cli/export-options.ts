// Command-line options of the encoder, shared by all commands that write images.

import { InvalidArgumentError, Option } from 'commander';
import { MAX_PAGES } from '#core/pages/paginate.ts';
import { CHROMA_SUBSAMPLINGS } from '#draw/encoders/chroma.ts';
import { COMPRESSIONS, DEFAULT_EXPORT, type FileOptions } from '#draw/output/formats.ts';

/** `--pdf` is parsed by itself. */
export type EncoderOptions = Omit<FileOptions, 'pdf'>;

const OPTIONS: { readonly [Name in keyof EncoderOptions]-?: () => Option } = {
  scale: scaleOption,
  quality: qualityOption,
  compression: compressionOption,
  chromaSubsampling: () =>
    new Option('--chroma-subsampling <how>', 'of JPEG; 4:4:4 from quality 90 on, else 4:2:0').choices(
      CHROMA_SUBSAMPLINGS,
    ),
  page: pageOption,
  paged: () => new Option('--no-paged', 'all of a document on one sheet, as high as it needs'),
};

export const exportOptions = (): Option[] => Object.values(OPTIONS).map((make) => make());

/** Those among all options of a command. */
export function readExportOptions(given: EncoderOptions): EncoderOptions {
  const names = Object.keys(OPTIONS) as (keyof EncoderOptions)[];
  return Object.fromEntries(names.map((name) => [name, given[name]])) as unknown as EncoderOptions;
}

function scaleOption(): Option {
  return new Option('--scale <factor>', 'device px per canvas px, 0.1 to 3')
    .default(DEFAULT_EXPORT.scale)
    .argParser((text) => numberBetween(text, 0.1, 3));
}

function qualityOption(): Option {
  return new Option('--quality <q>', 'of JPEG, WebP and AVIF, 0 to 100')
    .default(DEFAULT_EXPORT.quality)
    .argParser((text) => {
      const quality = numberBetween(text, 0, 100);
      if (!Number.isInteger(quality)) throw new InvalidArgumentError('It must be a whole number.');
      return quality;
    });
}

function pageOption(): Option {
  return new Option('--page <n>', 'one page of a document, from 1; a picture shows the first').argParser((text) => {
    const page = numberBetween(text, 1, MAX_PAGES);
    if (!Number.isInteger(page)) throw new InvalidArgumentError('It must be a whole number.');
    return page;
  });
}

function compressionOption(): Option {
  return new Option('--compression <how>', 'small takes up to ten times as long, for a somewhat smaller file')
    .choices(COMPRESSIONS)
    .default(DEFAULT_EXPORT.compression);
}

function numberBetween(text: string, min: number, max: number): number {
  const value = Number(text);
  if (text.trim() !== '' && value >= min && value <= max) return value;
  throw new InvalidArgumentError(`It must be a number from ${min} to ${max}.`);
}
