// The fields of requests with which a size, a language and a brand of a design are chosen.

import { z } from 'zod';
import { BrandReference } from '#core/template/brand-reference.ts';
import { LanguageTag } from '#core/template/text-layer.ts';
import { parse } from '#core/template/validation.ts';
import type { WantedChoices } from '#server/service/rendering/choices.ts';

const SizeName = z.string().min(1).max(60).meta({ description: 'The name of a size; `default` is its own canvas.' });

const Language = LanguageTag.max(100);

const several = <Name extends z.ZodType>(name: Name, most: number) => z.array(name).min(1).max(most);

/** Of a request for one file. */
export const ChoiceFields = z.object({
  size: SizeName.optional(),
  lang: Language.optional().meta({ description: 'BCP 47; the language of the texts, if the template has it.' }),
  brand: BrandReference.optional().meta({ description: 'In place of the template’s brand: `acme`, or `acme@2`.' }),
});

/** Of a request that may ask for several files: one for each combination, 100 at most. */
export const SeveralFields = z.object({
  size: z
    .union([SizeName, several(SizeName, 21)], 'must be the name of a size, a list of names, or "all"')
    .optional()
    .meta({ description: 'A size of the template, several, or `all`. Several give a file each.' }),
  lang: z
    .union([Language, several(Language, 50)], 'must be a BCP 47 tag such as "de", a list of tags, or "all"')
    .optional()
    .meta({ description: 'The language of its texts (BCP 47), several, or `all`.' }),
  brand: z
    .union([BrandReference, several(BrandReference, 50)], 'must be the name of a brand, or a list of names')
    .optional()
    .meta({ description: 'A brand in place of the template’s own, or several.' }),
});

export const CHOICES: readonly string[] = Object.keys(SeveralFields.shape);

/** @throws ValidationError */
export const readChoices = (body: Readonly<Record<string, unknown>>): WantedChoices =>
  parse(SeveralFields, Object.fromEntries(CHOICES.flatMap((name) => (body[name] == null ? [] : [[name, body[name]]]))));
