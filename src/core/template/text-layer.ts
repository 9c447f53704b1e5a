// The schema of the text layer and of its spans. Property names are CSS's in camelCase.
//
// A span may override the character styles of its layer, with the same property names.

import { z } from 'zod';
import { LIST_STYLES } from '../role.ts';
import { Calculation, CellCalculation } from './calculation.ts';
import { Format, namedValue } from './format.ts';
import { Alt, common, HideWhenEmpty, LayerName, Source, size } from './layer-properties.ts';
import { Counter, pagedText } from './page.ts';
import { ColorString, CornerRadii, EdgeLengths, Fill, FontSize, Href, lengthBetween, NonNegative } from './style.ts';

/** Longest text of one layer, in UTF-16 code units. */
export const MAX_TEXT_LENGTH = 100_000;

/** The name of a font family, as a template may write it. */
export const FamilyName = z
  .string()
  .min(1)
  .max(100)
  .regex(/^[A-Za-z0-9 _-]+$/, 'may hold letters, digits, space, "-" and "_"');

/** OpenType's tags: four characters of printable ASCII. */
const Tag = (kind: string, example: string) =>
  z.string().regex(/^[ -~]{4}$/, `is no ${kind}, which has four characters, such as "${example}"`);

/** Entries of `fontFeatures` and of `fontVariations`: HarfBuzz takes them on its stack, which some 4,000 overrun. */
const MAX_TAGS = 64;

/** Tag → value. */
const ByTag = (tag: z.ZodString, value: z.ZodNumber) =>
  z
    .record(tag, value)
    .refine((values) => Object.keys(values).length <= MAX_TAGS, `must have at most ${MAX_TAGS} entries`)
    .meta({ maxProperties: MAX_TAGS });

export const LanguageTag = z
  .string()
  .regex(/^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$/, 'must be a BCP 47 tag such as "en" or "pt-BR"');

const CAPS = [
  'normal',
  'small-caps',
  'all-small-caps',
  'petite-caps',
  'all-petite-caps',
  'unicase',
  'titling-caps',
] as const;
const NUMERIC = [
  'lining-nums',
  'oldstyle-nums',
  'proportional-nums',
  'tabular-nums',
  'diagonal-fractions',
  'stacked-fractions',
  'ordinal',
  'slashed-zero',
] as const;
const LIGATURES = [
  'common-ligatures',
  'no-common-ligatures',
  'discretionary-ligatures',
  'no-discretionary-ligatures',
  'historical-ligatures',
  'no-historical-ligatures',
  'contextual',
  'no-contextual',
] as const;

/** A word of CSS, or several. */
const words = <const Word extends string>(none: readonly Word[], all: readonly Word[]) =>
  z.union(
    [z.enum([...none, ...all]), z.array(z.enum(all)).max(all.length)],
    `must be one of ${[...none, ...all].map((word) => JSON.stringify(word)).join(', ')}, or a list`,
  );

const DECORATION_LINES = ['underline', 'line-through', 'overline'] as const;

/** The character styles of a layer, each of which a span may override. */
const characterStyle = {
  fontFamily: z.union([FamilyName, z.array(FamilyName).min(1).max(8)], 'must be a family name or a list of at most 8'),
  fontWeight: z.int().min(1).max(1000),
  fontStyle: z.enum(['normal', 'italic']),
  fontSynthesis: z.enum(['none', 'weight', 'style', 'weight style']).meta({
    description:
      'CSS font-synthesis: whether letters of a family without a bold face (for weights from 600 on) are made bold, and those of one without an italic slanted.',
  }),
  fontSize: FontSize,
  lineHeight: z.number().min(0).max(10).meta({
    description: 'A multiple of the font size. A span cannot make its line lower than the layer’s line height.',
  }),
  letterSpacing: lengthBetween(-200, 1000).meta({ description: 'px' }),
  wordSpacing: lengthBetween(-200, 1000).meta({ description: 'px, added to each space' }),
  textTransform: z.enum(['none', 'uppercase', 'lowercase', 'capitalize']),
  textDecoration: z.union(
    [z.enum(['none', ...DECORATION_LINES]), z.array(z.enum(DECORATION_LINES)).max(3)],
    'must be "none", "underline", "line-through", "overline" or a list of these',
  ),
  textDecorationColor: Fill.nullable().meta({ description: 'null = as the letters are filled.' }),
  textDecorationThickness: lengthBetween(0, 200).nullable().meta({ description: 'px; null = as the font says.' }),
  fontVariantPosition: z.enum(['normal', 'super', 'sub']).meta({
    description:
      'Superscript or subscript, scaled and shifted by the font’s own metrics; the line keeps its height. For the glyphs that a font draws for it: `fontFeatures` {"sups": 1} or {"subs": 1}.',
  }),
  fontVariantCaps: z.enum(CAPS).meta({
    description:
      'CSS: capitals of other sizes, of the font or made from its capitals. `fontFeatures` wins over these words.',
  }),
  fontVariantNumeric: words(['normal'], NUMERIC).meta({ description: 'CSS: forms of digits and fractions.' }),
  fontVariantLigatures: words(['normal', 'none'], LIGATURES).meta({ description: 'CSS: which ligatures are used.' }),
  fontFeatures: ByTag(Tag('feature tag', 'tnum'), z.int().min(0).max(65_535)).meta({
    description: 'OpenType features, tag → value: {"tnum": 1}; at most 64.',
  }),
  fontVariations: ByTag(Tag('axis tag', 'wght'), z.number().min(-10_000).max(10_000)).meta({
    description: 'Axes of a variable font, tag → value: {"wght": 450}; at most 64.',
  }),
  color: Fill,
  stroke: Fill.nullable().meta({ description: 'Outlines the letters, under their fill.' }),
  strokeWidth: lengthBetween(0, 200),
  lang: LanguageTag.nullable().meta({
    description: 'BCP 47: local forms, case rules, line breaks, formats; null = that of the template.',
  }),
};

/** A property of a text that each span may set for itself. */
export type CharacterProperty = keyof typeof characterStyle;
export const CHARACTER_PROPERTIES: readonly string[] = Object.keys(characterStyle);

const InlineImage = z
  .strictObject({
    src: Source.meta({ description: 'As of an image layer.' }),
    fallback: Source.nullable().default(null),
    optional: z.boolean().default(false).meta({ description: 'Left out, with a warning, when it cannot be loaded.' }),
    alt: Alt,
    width: NonNegative.nullable().default(null).meta({ description: 'px; null = by the picture’s proportions.' }),
    height: NonNegative.nullable()
      .default(null)
      .meta({ description: 'px; null = by the picture’s proportions, or else as high as the font size.' }),
    verticalAlign: z.enum(['baseline', 'middle']).default('baseline').meta({ description: 'CSS vertical-align.' }),
  })
  .meta({ id: 'InlineImage', description: 'A picture in a line of text; `autoFit` shrinks it with the words.' });
export type InlineImage = z.infer<typeof InlineImage>;

export const SpanStyle = z.strictObject(characterStyle).partial();

/** An address, or the value of an entry that is one. */
export const CellLink = z.union([Href, z.strictObject({ name: z.string().min(1).max(100) })], {
  error: 'must be an http:, https: or mailto: address, or {"name": "value that is one"}',
});

/** A run of text in a cell: of the values of its entry. */
export const CellSpan = z
  .strictObject({
    text: z.string().max(MAX_TEXT_LENGTH).default(''),
    ...namedValue,
    calculate: CellCalculation.optional(),
    image: InlineImage.extend({ src: Source.default('') })
      .nullable()
      .optional()
      .meta({ description: 'A picture instead of `text`; the value of `name` is its `src`.' }),
    ...SpanStyle.shape,
    link: CellLink.nullable().optional(),
  })
  .meta({ id: 'CellSpan', description: 'A run of text in a cell: {"name": "item", "fontWeight": 700}.' });
export type CellSpan = z.infer<typeof CellSpan>;

const NoteText = z.string().min(1).max(2_000);

const Span = z
  .strictObject({
    text: z.string().max(MAX_TEXT_LENGTH).default(''),
    ...namedValue,
    image: InlineImage.nullable().optional().meta({ description: 'A picture instead of `text`.' }),
    counter: Counter.optional(),
    of: LayerName.optional().meta({
      description:
        'With `counter: "page"`: the number of the page on which the layer of this name begins, and a link to it in a PDF. CSS: target-counter().',
    }),
    footnote: z
      .union(
        [NoteText, z.strictObject({ text: NoteText, ...SpanStyle.shape })],
        'must be a text, or {"text": "…"} with styles',
      )
      .optional()
      .meta({
        description:
          'Instead of `text`, in what flows over pages: a raised number, and this note at the foot of the page that the number is on, in letters of 0.8 of the size. CSS: float: footnote.',
      }),
    ...SpanStyle.shape,
    link: Href.nullable().optional(),
  })
  .refine(({ counter, image, footnote }) => footnote === undefined || (counter === undefined && !image), {
    path: ['footnote'],
    message: 'is for spans without `counter` and `image`',
  })
  .refine(({ counter, of }) => of === undefined || counter === 'page', {
    path: ['of'],
    message: 'is for spans with the counter "page"',
  })
  .meta({ id: 'Span', description: 'A run of text with its own style; what it leaves out is the layer’s.' });

const LineBackground = z.strictObject({
  color: Fill,
  padding: EdgeLengths.default(0),
  borderRadius: CornerRadii.default(0),
});

export const TextLayer = z
  .strictObject({
    ...common,
    type: z.literal('text'),
    ...size('hug'),
    text: z.string().max(MAX_TEXT_LENGTH).default(''),
    format: Format.nullable().default(null).meta({
      description:
        'How the number, date or list in `text` is written in the language of the layer: `currency`, or an object. An empty text stays empty.',
    }),
    calculate: Calculation.nullable().default(null).meta({
      description: 'Sets `text` to a sum, an average or a count of a list, unless the request sets it.',
    }),
    spans: z
      .array(Span)
      .max(500)
      .nullable()
      .default(null)
      .meta({ description: 'Instead of `text`; setting `text` removes them.' }),
    markup: z.enum(['none', 'markdown']).default('none').meta({
      description:
        'markdown: `text` (not `spans`) is read as inline CommonMark: **strong**, *emphasis*, `code`, [link](https://…), \\escapes, and ~~strikethrough~~; and [words]{color=red}, as Pandoc has spans.',
    }),
    fontFamily: characterStyle.fontFamily.default('Inter'),
    fontWeight: characterStyle.fontWeight.default(400),
    fontStyle: characterStyle.fontStyle.default('normal'),
    fontSynthesis: characterStyle.fontSynthesis.default('weight style'),
    fontSize: characterStyle.fontSize.default(16),
    lineHeight: characterStyle.lineHeight.default(1.2),
    letterSpacing: characterStyle.letterSpacing.default(0),
    wordSpacing: characterStyle.wordSpacing.default(0),
    textTransform: characterStyle.textTransform.default('none'),
    textDecoration: characterStyle.textDecoration.default('none'),
    textDecorationColor: characterStyle.textDecorationColor.default(null),
    textDecorationThickness: characterStyle.textDecorationThickness.default(null),
    fontVariantPosition: characterStyle.fontVariantPosition.default('normal'),
    fontVariantCaps: characterStyle.fontVariantCaps.default('normal'),
    fontVariantNumeric: characterStyle.fontVariantNumeric.default('normal'),
    fontVariantLigatures: characterStyle.fontVariantLigatures.default('normal'),
    fontFeatures: characterStyle.fontFeatures.default({}),
    fontVariations: characterStyle.fontVariations.default({}),
    color: characterStyle.color.default('#000000'),
    stroke: characterStyle.stroke.default(null),
    strokeWidth: characterStyle.strokeWidth.default(1),
    lang: characterStyle.lang.default(null),
    align: z.enum(['start', 'end', 'left', 'right', 'center', 'justify']).default('start'),
    verticalAlign: z.enum(['top', 'middle', 'bottom']).default('top'),
    direction: z.enum(['auto', 'ltr', 'rtl']).default('auto'),
    writingMode: z.enum(['horizontal-tb', 'vertical-rl', 'vertical-lr']).default('horizontal-tb').meta({
      description:
        'CSS writing-mode. In vertical text `align` is along the lines, from the top, and `verticalAlign` across them: `top` is where the first line stands, the right of vertical-rl. A text on a `textPath` is never vertical.',
    }),
    textOrientation: z.enum(['mixed', 'upright', 'sideways']).default('mixed').meta({
      description:
        'CSS text-orientation, of vertical lines. mixed: Han, kana, Hangul and emoji stand upright, other letters are turned. upright: all stand. sideways: all are turned.',
    }),
    textPath: z
      .strictObject({
        type: z.literal('arc'),
        radius: lengthBetween(1, 100_000).meta({ description: 'px, of the first line’s baseline.' }),
        angle: z.number().min(-3600).max(3600).default(0).meta({
          description: 'Where `align` has its place: degrees clockwise from the top; inside, from the bottom.',
        }),
        side: z
          .enum(['outside', 'inside'])
          .default('outside')
          .meta({ description: 'outside: heads outwards. inside: heads towards the centre.' }),
      })
      .nullable()
      .default(null)
      .meta({
        description: 'Sets the text on a circle about the middle of its box, which hugs the circle. Lines do not wrap.',
      }),
    textWrap: z.enum(['wrap', 'balance', 'pretty']).default('wrap').meta({
      description:
        'balance: the lines of a paragraph (of up to 50) about as long as one another. pretty: no single word on the last line. Never more lines than `wrap` makes.',
    }),
    hyphens: z.enum(['none', 'manual', 'auto']).default('manual').meta({
      description:
        'manual: a line may end at a soft hyphen (U+00AD), which is then shown. auto: also where the patterns of `lang` allow it.',
    }),
    textIndent: lengthBetween(-2_000, 2_000).default(0).meta({
      description: 'CSS text-indent, px: moves the first line in from its start; negative, out.',
    }),
    paragraphSpacing: lengthBetween(0, 2_000).default(0).meta({
      description: 'Between paragraphs, which line breaks of the text end, px; as margins of paragraphs in CSS.',
    }),
    listStyle: z
      .enum(['none', ...LIST_STYLES])
      .default('none')
      .meta({
        description:
          'CSS list-style-type: makes each paragraph an item of a list, with a sign or its number before it, in the style of its first words. An empty line is none, and U+2028 begins a line of the same item. A text on a `textPath` is no list.',
      }),
    listIndent: lengthBetween(0, 2_000).nullable().default(null).meta({
      description: 'Of the lines of a list from its start, px; null = twice the font size. Markers end there.',
    }),
    lineBreak: z.enum(['auto', 'loose', 'normal', 'strict']).default('auto').meta({
      description:
        'CSS line-break: where Chinese and Japanese lines may end. loose: also before small kana and iteration marks. strict: as few places as possible.',
    }),
    wordBreak: z.enum(['normal', 'break-all', 'keep-all']).default('normal').meta({
      description:
        'CSS word-break. break-all: a line may end between any two letters. keep-all: never inside a word of Chinese, Japanese or Korean.',
    }),
    overflowWrap: z.enum(['normal', 'break-word', 'anywhere']).default('break-word').meta({
      description:
        'CSS overflow-wrap, of a word that is wider than its line. break-word: it is broken. anywhere: also where the width is that of the content. normal: it sticks out.',
    }),
    background: z
      .union([ColorString, LineBackground])
      .nullable()
      .default(null)
      .meta({ description: 'Behind each line of text.' }),
    maxLines: z.int().min(1).max(10_000).nullable().default(null),
    overflow: z.enum(['visible', 'clip', 'ellipsis']).default('visible').meta({
      description:
        'What becomes of text beyond `maxLines` or a fixed height; of vertical text, a fixed width. An ellipsis has the layer’s own style, whatever the spans before it.',
    }),
    ...pagedText,
    hideWhenEmpty: HideWhenEmpty.meta({ description: 'Takes no room when its text is empty or all white space.' }),
    autoFit: z
      .strictObject({
        min: FontSize.default(8),
        max: FontSize.nullable().default(null).meta({
          description: 'Grows a text that has room, up to this size; null = not beyond `fontSize`.',
        }),
      })
      .nullable()
      .default(null)
      .meta({
        description:
          'Shrinks the font until the text fits its box and `maxLines`, down to `min`; or grows it until it fills them, up to `max`. With `maxLines` 1, a text is fitted to the width.',
      }),
  })
  .meta({ id: 'TextLayer' });
export type TextLayer = z.infer<typeof TextLayer>;
