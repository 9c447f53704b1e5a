// Paragraphs that Chromium has laid out once, which is recorded, and that our text layout lays out on every test run.
//
// Each tests one thing. The default style is 16 px Inter, line height 1.2, start-aligned.

import type { CharacterStyle, InlineImage, TextNode, TextSpan } from '#core/resolve/scene.ts';
import { type FaceName, query, style } from '../faces.ts';

export interface Fixture {
  readonly name: string;
  /** The length of a line, px: for vertical text, the height of its box. */
  readonly width: number;
  readonly spans: readonly Pick<TextSpan, 'text' | 'style' | 'image'>[];
  /** The block's own style. */
  readonly strut: CharacterStyle;
  readonly align: TextNode['align'];
  readonly direction: TextNode['direction'];
  readonly textWrap: TextNode['textWrap'];
  readonly hyphens: TextNode['hyphens'];
  readonly textIndent: number;
  readonly lineBreak: TextNode['lineBreak'];
  readonly wordBreak: TextNode['wordBreak'];
  readonly overflowWrap: TextNode['overflowWrap'];
  readonly writingMode: TextNode['writingMode'];
  readonly textOrientation: TextNode['textOrientation'];
}

interface Look extends Partial<Omit<CharacterStyle, 'font'>> {
  readonly faces?: readonly FaceName[];
}

function styled({ faces = ['inter'], ...look }: Look): CharacterStyle {
  return style({ ...look, font: query(...faces) });
}

type Where = Partial<Omit<Fixture, 'name' | 'width' | 'spans' | 'strut'>>;

const fixture = (
  name: string,
  width: number,
  text: string | readonly (readonly [part: string | InlineImage, look: Look])[],
  look: Look = {},
  where: Where = {},
): Fixture => ({
  name,
  width,
  spans: (typeof text === 'string' ? [[text, {}] as const] : text).map(([part, own]) => ({
    ...(typeof part === 'string' ? { text: part, image: null } : { text: '\ufffc', image: part }),
    style: styled({ ...look, ...own }),
  })),
  strut: styled(look),
  align: 'start',
  direction: 'auto',
  textWrap: 'wrap',
  hyphens: 'manual',
  textIndent: 0,
  lineBreak: 'auto',
  wordBreak: 'normal',
  overflowWrap: 'break-word',
  writingMode: 'horizontal-tb',
  textOrientation: 'mixed',
  ...where,
});

const UNDERLINE = { line: 'underline', fill: null, thickness: null } as const;

const picture = (width: number, height: number, align: InlineImage['align'] = 'baseline'): InlineImage => ({
  image: 'picture',
  width,
  height,
  align,
});

const FOX = 'The quick brown fox jumps over the lazy dog, and the dog did not mind it at all.';
const UDHR =
  'Recognition of the inherent dignity and of the equal and inalienable rights of all members of the human family is the foundation of freedom, justice and peace in the world.';
const ARABIC =
  'يولد جميع الناس أحرارا متساوين في الكرامة والحقوق، وقد وهبوا عقلا وضميرا وعليهم أن يعامل بعضهم بعضا بروح الإخاء.';
const HEBREW = 'כל בני האדם נולדו בני חורין ושווים בערכם ובזכויותיהם. כולם חוננו בתבונה ובמצפון.';
const HINDI = 'सभी मनुष्यों को गौरव और अधिकारों के मामले में जन्मजात स्वतन्त्रता और समानता प्राप्त है।';
const THAI = 'มนุษย์ทั้งหลายเกิดมามีอิสระและเสมอภาคกันในเกียรติศักดิ์และสิทธิ ต่างมีเหตุผลและมโนธรรม';
const JAPANESE = 'すべての人間は、生まれながらにして自由であり、かつ、尊厳と権利とについて平等である。';
const CHINESE = '人人生而自由，在尊严和权利上一律平等。他们赋有理性和良心，并应以兄弟关系的精神相对待。';
const KOREAN = '모든 인간은 태어날 때부터 자유로우며 그 존엄과 권리에 있어 동등하다.';

const JA: Look = { faces: ['japanese'], lang: 'ja' };

/** A `fixture` with vertical lines, which follow each other from right to left unless `where` changes that. */
const vertical = (...[name, length, text, look, where]: Parameters<typeof fixture>): Fixture =>
  fixture(name, length, text, look, { writingMode: 'vertical-rl', ...where });

export const FIXTURES: readonly Fixture[] = [
  fixture('wrap-narrow', 90, FOX),
  fixture('wrap-middle', 200, FOX),
  fixture('wrap-wide', 420, UDHR),
  fixture('wrap-large', 500, FOX, { fontSize: 48 }),
  fixture('wrap-fraction', 173.3, UDHR, { fontSize: 13.7 }),
  fixture('wrap-serif', 240, UDHR, { faces: ['serif'] }),
  fixture('wrap-mono', 240, 'const answer = compute(question) ?? fallback; // the usual way', { faces: ['mono'] }),
  fixture('wrap-playfair', 300, UDHR, { faces: ['playfair'], fontSize: 22 }),
  fixture(
    'explicit-breaks',
    300,
    'One line.\nAnother line, which is rather longer than the first and wraps.\n\nThe end.',
  ),
  fixture('break-at-end', 300, 'One\nTwo\n'),
  fixture('many-spaces', 120, 'wide    gaps   between     words     stay   as they    are typed'),
  fixture('leading-spaces', 120, '   indented text that wraps and then goes on'),
  fixture('no-break-space', 100, 'ten\u00a0kilometres and twenty\u00a0five\u00a0miles'),
  fixture('zero-width-space', 60, 'alpha\u200bbeta\u200bgamma\u200bdelta'),
  fixture('soft-hyphen', 110, 'Donau\u00addampf\u00adschiff\u00adfahrts\u00adgesell\u00adschafts\u00adkapitän'),
  fixture(
    'soft-hyphen-off',
    110,
    'Donau\u00addampf\u00adschiff\u00adfahrts\u00adgesell\u00adschafts',
    {},
    { hyphens: 'none' },
  ),
  fixture('hyphens', 90, 'well-known state-of-the-art twenty-five-year-old'),
  fixture('dashes', 110, 'one—two—three – four — five…six'),
  fixture('slashes', 110, 'and/or either/neither/both 24/7 http://example.com/a/b'),
  fixture('url', 150, 'See https://www.example.com/path/to/page?query=value&other=1#part for more'),
  fixture('long-word', 100, 'a Donaudampfschifffahrtsgesellschaft b'),
  fixture('long-word-first', 70, 'Pneumonoultramicroscopicsilicovolcanoconiosis'),
  fixture('punctuation', 90, '(brackets), [square], {curly}; "quotes" – yes! no? 50% $10'),
  fixture('numbers', 80, '1,234.56 -7.5% +49 30 1234567 (12) 3:45 1/2'),
  fixture('quotes', 90, '“Curly quotes” and «guillemets» and ‘single’ ones'),
  fixture('email', 100, 'write to somebody@example.com today'),
  fixture('ellipsis-dots', 80, 'wait... what… really?! no!'),
  fixture('tabs', 400, 'a\tbb\tccc\nlonger\tx\ty'),
  fixture('letter-spacing', 200, FOX, { letterSpacing: 3 }),
  fixture('letter-spacing-negative', 200, FOX, { letterSpacing: -0.5 }),
  fixture('letter-spacing-ligatures', 200, 'office difficult flight affine', {
    faces: ['serif'],
    letterSpacing: 1,
    fontSize: 24,
  }),
  fixture('letter-spacing-arabic', 200, ARABIC, { faces: ['arabic'], letterSpacing: 4 }),
  fixture('word-spacing', 200, FOX, { wordSpacing: 8 }),
  fixture('word-spacing-negative', 200, FOX, { wordSpacing: -2 }),
  fixture('line-height-tight', 200, FOX, { lineHeight: 0.9 }),
  fixture('line-height-loose', 200, FOX, { lineHeight: 2.25 }),
  fixture('line-height-fraction', 200, FOX, { lineHeight: 1.37, fontSize: 17 }),
  fixture('ligatures', 120, 'office affluent fjord fluffy waffle', { faces: ['serif'], fontSize: 24 }),
  fixture('ligatures-broken', 60, 'ffiffiffiffiffiffi', { faces: ['serif'], fontSize: 24 }),
  fixture('features', 200, '1111 2222 0000 11:30', { features: { tnum: 1, zero: 1 } }),
  fixture('no-kerning', 160, 'AVATAR To. Wave LT AVATAR To.', { features: { kern: 0 } }),
  fixture('uppercase', 200, FOX, { textTransform: 'uppercase' }),
  fixture('capitalize', 200, FOX, { textTransform: 'capitalize' }),
  fixture('align-center', 200, FOX, {}, { align: 'center' }),
  fixture('align-right', 200, FOX, {}, { align: 'right' }),
  fixture('align-end', 200, FOX, {}, { align: 'end' }),
  fixture('justify', 200, UDHR, {}, { align: 'justify' }),
  fixture(
    'justify-breaks',
    200,
    'Short.\nThis one is long enough to be justified over two lines.',
    {},
    { align: 'justify' },
  ),
  fixture('justify-japanese', 170, JAPANESE, { faces: ['japanese'] }, { align: 'justify' }),
  fixture('justify-korean', 170, KOREAN, { faces: ['korean'], lang: 'ko' }, { align: 'justify' }),
  fixture('justify-arabic', 200, ARABIC, { faces: ['arabic'] }, { align: 'justify' }),
  fixture(
    'justify-mixed',
    200,
    '日本語 and English 混ぜて書く text の例です。Again 日本語 words.',
    { faces: ['inter', 'japanese'] },
    { align: 'justify' },
  ),
  fixture(
    'mixed-sizes-center',
    260,
    [
      ['Large', { fontSize: 40 }],
      [' and small text in the middle of things', { fontSize: 15 }],
    ],
    {},
    { align: 'center' },
  ),
  fixture('mixed-sizes', 260, [
    ['From ', { fontSize: 16 }],
    ['$49', { fontSize: 44 }],
    [' a month, billed yearly and cancelled ', { fontSize: 16 }],
    ['any time', { fontSize: 26 }],
  ]),
  fixture('mixed-faces', 260, [
    ['Serif and ', { faces: ['serif'] }],
    ['sans and ', { faces: ['inter'] }],
    ['mono in one paragraph, which wraps', { faces: ['mono'] }],
  ]),
  fixture('mixed-line-heights', 220, [
    ['tight lines here ', { lineHeight: 1 }],
    ['and loose lines there, which go on for a while', { lineHeight: 2 }],
  ]),
  fixture('strut-larger', 220, [[FOX, { fontSize: 12 }]], { fontSize: 30 }),
  fixture('strut-line-height', 220, [[FOX, { lineHeight: 1 }]], { lineHeight: 2.2 }),
  fixture('strut-face', 220, [[FOX, { faces: ['inter'] }]], { faces: ['thai'], lineHeight: 1, fontSize: 17 }),
  fixture(
    'strut-mixed',
    220,
    [
      ['Large ', { fontSize: 40, lineHeight: 1 }],
      [`${FOX}\n\nEnd`, { fontSize: 11 }],
    ],
    {
      fontSize: 18,
      lineHeight: 1.6,
    },
  ),
  fixture('indent', 200, FOX, {}, { textIndent: 40 }),
  fixture('indent-hanging', 200, FOX, {}, { textIndent: -30 }),
  fixture('indent-paragraphs', 200, `${FOX}\n${FOX}`, {}, { textIndent: 24 }),
  fixture('indent-centred', 200, FOX, {}, { textIndent: 40, align: 'center' }),
  fixture('indent-justified', 200, FOX, {}, { textIndent: 40, align: 'justify' }),
  fixture('indent-right', 200, FOX, {}, { textIndent: 40, align: 'right' }),
  fixture('indent-arabic', 200, ARABIC, { faces: ['arabic'], lang: 'ar' }, { textIndent: 40 }),
  fixture('indent-too-long', 90, 'incomprehensibility', {}, { textIndent: 60 }),
  fixture(
    'indent-vertical',
    200,
    JAPANESE,
    { faces: ['japanese'], lang: 'ja' },
    { textIndent: 32, writingMode: 'vertical-rl' },
  ),
  fixture('break-all', 120, 'incomprehensibilities, "quoted" (and 1,234.50 more)', {}, { wordBreak: 'break-all' }),
  fixture('break-all-japanese', 90, JAPANESE, { faces: ['japanese'], lang: 'ja' }, { wordBreak: 'break-all' }),
  fixture('keep-all-japanese', 150, JAPANESE, { faces: ['japanese'], lang: 'ja' }, { wordBreak: 'keep-all' }),
  fixture('keep-all-latin', 120, FOX, {}, { wordBreak: 'keep-all' }),
  fixture(
    'line-break-loose',
    90,
    'ちょっと待ってくださいー人々は',
    { faces: ['japanese'], lang: 'ja' },
    { lineBreak: 'loose' },
  ),
  fixture(
    'line-break-strict',
    90,
    'ちょっと待ってくださいー人々は',
    { faces: ['japanese'], lang: 'ja' },
    { lineBreak: 'strict' },
  ),
  fixture('overflow-wrap-normal', 90, 'an incomprehensibility is kept whole', {}, { overflowWrap: 'normal' }),
  fixture('overflow-wrap-normal-first', 60, 'incomprehensibility', {}, { overflowWrap: 'normal' }),
  fixture('overflow-wrap-anywhere', 90, 'an incomprehensibility is broken', {}, { overflowWrap: 'anywhere' }),
  fixture('balance-two', 300, 'A headline that is a little too long', {}, { textWrap: 'balance' }),
  fixture('balance-three', 240, FOX, {}, { textWrap: 'balance', align: 'center' }),
  fixture('balance-four', 420, UDHR, {}, { textWrap: 'balance' }),
  fixture('balance-large', 500, FOX, { fontSize: 48 }, { textWrap: 'balance' }),
  fixture('balance-japanese', 300, JAPANESE, { faces: ['japanese'], lang: 'ja' }, { textWrap: 'balance' }),
  fixture('balance-arabic', 240, ARABIC, { faces: ['arabic'] }, { textWrap: 'balance' }),
  fixture(
    'balance-spans',
    300,
    [
      ['Large ', { fontSize: 40 }],
      [FOX, { fontSize: 14 }],
    ],
    {},
    { textWrap: 'balance' },
  ),
  fixture('pretty-fits', 200, FOX, {}, { textWrap: 'pretty' }),
  fixture(
    'pretty-orphan',
    262,
    'The quick brown fox jumps over the lazy dog while it sleeps',
    {},
    { textWrap: 'pretty' },
  ),
  fixture('pretty-narrow', 230, UDHR, {}, { textWrap: 'pretty' }),
  fixture('pretty-two', 300, 'A headline that is a little too long', {}, { textWrap: 'pretty' }),
  fixture('pretty-japanese', 170, JAPANESE, { faces: ['japanese'], lang: 'ja' }, { textWrap: 'pretty' }),
  fixture('pretty-long', 424, UDHR, {}, { textWrap: 'pretty' }),
  fixture('picture', 200, [
    ['The quick ', {}],
    [picture(20, 16), {}],
    [' brown fox jumps over the lazy dog', {}],
  ]),
  fixture('picture-tall', 200, [
    ['The quick brown fox ', {}],
    [picture(30, 60), {}],
    [' jumps over the lazy dog', {}],
  ]),
  fixture('picture-middle', 200, [
    ['The quick brown fox ', {}],
    [picture(30, 40, 'middle'), {}],
    [' jumps over the lazy dog', {}],
  ]),
  fixture('pictures-in-words', 120, [
    ['word', {}],
    [picture(24, 12), {}],
    ['word, word', {}],
    [picture(24, 12), {}],
    [' and ', {}],
    [picture(24, 12), {}],
    [picture(40, 12), {}],
    [' word', {}],
  ]),
  fixture('picture-in-brackets', 60, [
    ['word (', {}],
    [picture(24, 12), {}],
    [') word', {}],
  ]),
  fixture(
    'picture-spaced',
    200,
    [
      ['spaced ', {}],
      [picture(24, 12), {}],
      [' out words', {}],
    ],
    { letterSpacing: 4, wordSpacing: 6 },
  ),
  fixture(
    'picture-rtl',
    150,
    [
      [HEBREW.slice(0, 20), {}],
      [picture(24, 12), {}],
      [HEBREW.slice(20, 50), {}],
    ],
    {
      faces: ['hebrew'],
    },
  ),
  fixture('span-inside-word', 120, [
    ['under', {}],
    ['stand', { fontSize: 20 }],
    ['ing is everything', {}],
  ]),
  fixture('span-color-only', 140, [
    ['A', {}],
    ['V', { decorations: [UNDERLINE] }],
    ['ATAR of the office', {}],
  ]),
  fixture('arabic', 200, ARABIC, { faces: ['arabic'], fontSize: 18 }),
  fixture('arabic-in-latin', 220, `He said ${ARABIC.slice(0, 40)} and left.`, { faces: ['inter', 'arabic'] }),
  fixture('latin-in-arabic', 220, `${ARABIC.slice(0, 30)} Platen 2.0 ${ARABIC.slice(30, 80)}`, {
    faces: ['inter', 'arabic'],
  }),
  fixture('arabic-long-word', 60, 'فاستسقيناكموها'.repeat(3), { faces: ['arabic'] }),
  fixture('arabic-tabs', 300, 'اسم\tسعر\tعدد', { faces: ['arabic'] }),
  fixture(
    'arabic-spans',
    200,
    [
      ['مرح', {}],
      ['با ', { decorations: [UNDERLINE] }],
      ['بالعالم', { fontSize: 24 }],
      [' الجديد والقديم', {}],
    ],
    { faces: ['arabic'] },
  ),
  fixture('hebrew', 180, HEBREW, { faces: ['hebrew'] }),
  fixture('hebrew-numbers', 180, 'המחיר הוא 49.90 ₪ לחודש (כולל מע״מ) או 10% פחות', { faces: ['inter', 'hebrew'] }),
  fixture('rtl-forced', 200, FOX, {}, { direction: 'rtl' }),
  fixture('ltr-forced', 180, HEBREW, { faces: ['hebrew'] }, { direction: 'ltr' }),
  fixture('rtl-center', 200, HEBREW, { faces: ['hebrew'] }, { align: 'center' }),
  fixture('paragraph-directions', 200, `English first.\n${HEBREW.slice(0, 40)}\nEnglish again.`, {
    faces: ['inter', 'hebrew'],
  }),
  fixture('hindi', 180, HINDI, { faces: ['devanagari'], fontSize: 18, lang: 'hi' }),
  fixture('hindi-narrow', 40, 'अंतर्राष्ट्रीयकरण विद्यार्थियों', { faces: ['devanagari'], lang: 'hi' }),
  fixture('thai', 160, THAI, { faces: ['thai'], fontSize: 18, lang: 'th' }),
  fixture('thai-latin', 160, 'ใช้ Platen สร้างภาพและไฟล์ PDF ได้อย่างรวดเร็ว', { faces: ['inter', 'thai'], lang: 'th' }),
  fixture('thai-long', 70, THAI, { faces: ['thai'], lang: 'th' }),
  fixture('khmer', 180, 'មនុស្សទាំងអស់កើតមកមានសេរីភាពនិងសមភាពក្នុងសេចក្ដីថ្លៃថ្នូរនិងសិទ្ធិ', { faces: ['khmer'], lang: 'km' }),
  fixture('lao', 160, 'ມະນຸດທຸກຄົນເກີດມາມີກຽດສັກສີສິດທິເສລີພາບແລະຄວາມສະເໝີພາບກັນ', { faces: ['lao'], lang: 'lo' }),
  fixture('burmese', 180, 'လူတိုင်းသည်တူညီလွတ်လပ်သောဂုဏ်သိက္ခာဖြင့်လည်းကောင်းတူညီလွတ်လပ်သောအခွင့်အရေးများဖြင့်', {
    faces: ['myanmar'],
    lang: 'my',
  }),
  fixture('bengali', 160, 'সমস্ত মানুষ স্বাধীনভাবে সমান মর্যাদা এবং অধিকার নিয়ে জন্মগ্রহণ করে।', { faces: ['bengali'], lang: 'bn' }),
  fixture('tamil', 160, 'மனிதப் பிறவியினர் சகலரும் சுதந்திரமாகவே பிறக்கின்றனர்; அவர்கள் மதிப்பிலும்', {
    faces: ['tamil'],
    lang: 'ta',
  }),
  fixture('armenian-georgian', 160, 'Բոլոր մարդիկ ծնվում են ազատ ու հավասար։ ყველა ადამიანი იბადება თავისუფალი', {
    faces: ['armenian', 'georgian'],
  }),
  fixture('japanese', 170, JAPANESE, { faces: ['japanese'], lang: 'ja' }),
  fixture('japanese-kinsoku', 96, 'これは「引用」です。（注）ー、っと、ゃ。ああ！？', {
    faces: ['japanese'],
    lang: 'ja',
  }),
  fixture('japanese-latin', 180, 'Platenは2026年にリリースされたrenderingサービスです。', {
    faces: ['inter', 'japanese'],
    lang: 'ja',
  }),
  fixture('chinese', 170, CHINESE, { faces: ['chinese'], lang: 'zh-Hans' }),
  fixture('korean', 170, KOREAN, { faces: ['korean'], lang: 'ko' }),
  fixture('korean-in-no-language', 170, KOREAN, { faces: ['korean'] }),
  fixture('cyrillic-greek', 160, 'Все люди рождаются свободными. Όλοι οι άνθρωποι γεννιούνται ελεύθεροι.', {
    faces: ['noto-sans'],
  }),
  fixture('vietnamese', 160, 'Tất cả mọi người sinh ra đều được tự do và bình đẳng', {
    faces: ['noto-sans'],
    lang: 'vi',
  }),
  fixture('combining-marks', 120, 'e\u0301le\u0300ve nai\u0308ve Z\u0351\u0346algo a\u0308\u0323bc', {
    faces: ['noto-sans'],
  }),
  fixture('emoji', 120, 'Hi 😀 family 👨‍👩‍👧‍👦 flag 🇫🇷 ok 👍🏽 done', { faces: ['inter', 'emoji'] }),
  fixture('emoji-only', 70, '😀😃😄😁😆😅🤣😂', { faces: ['inter', 'emoji'] }),
  fixture('fallback-chain', 200, 'Latin العربية עברית 日本語 한국어 ไทย हिन्दी', {
    faces: ['inter', 'arabic', 'hebrew', 'japanese', 'korean', 'thai', 'devanagari'],
  }),
  vertical('vertical-japanese', 170, JAPANESE, JA),
  vertical('vertical-japanese-kinsoku', 96, 'これは「引用」です。（注）ー、っと、ゃ。ああ！？…それ', JA),
  vertical('vertical-japanese-latin', 180, 'Platenは2026年12月にリリースされたrenderingサービスです。', JA),
  vertical('vertical-chinese', 170, CHINESE, { faces: ['chinese'], lang: 'zh-Hans' }),
  vertical('vertical-korean', 170, KOREAN, { faces: ['korean'], lang: 'ko' }),
  vertical('vertical-korean-latin', 150, '한국어 Platen 2.0 버전, 인용 (괄호) 입니다.', {
    faces: ['korean'],
    lang: 'ko',
  }),
  vertical('vertical-punctuation', 130, '「あ」い『う』え（お）か【き】く、け。こ・さ：し；す！せ？そ…た—ち〜つー', JA),
  fixture('brackets-that-meet', 130, '「あ」『い』（う）【え】、お', JA),
  vertical('vertical-brackets-that-meet', 130, '「あ」『い』（う）【え】、お', JA),
  vertical('vertical-lr', 170, JAPANESE, JA, { writingMode: 'vertical-lr' }),
  vertical('vertical-sideways', 170, `${JAPANESE}Sideways.`, JA, { textOrientation: 'sideways' }),
  vertical('vertical-upright', 170, '縦書きABC 123と日本語', JA, { textOrientation: 'upright' }),
  vertical('vertical-upright-latin', 220, 'UPRIGHT words stand.', { fontSize: 33 }, { textOrientation: 'upright' }),
  vertical('vertical-upright-small', 120, 'UPRIGHT words stand.', {}, { textOrientation: 'upright' }),
  vertical('vertical-latin', 200, FOX),
  vertical('vertical-arabic', 150, `${ARABIC.slice(0, 60)} 日本`, { faces: ['arabic', 'japanese'] }),
  vertical('vertical-center', 170, JAPANESE, JA, { align: 'center' }),
  vertical('vertical-end', 170, JAPANESE, JA, { align: 'end' }),
  vertical('vertical-justify', 176, JAPANESE, JA, { align: 'justify' }),
  vertical('vertical-letter-spacing', 174, JAPANESE, { ...JA, letterSpacing: 3 }),
  vertical('vertical-line-height', 170, JAPANESE, { ...JA, lineHeight: 1.85, fontSize: 17 }),
  vertical('vertical-breaks', 170, '春は、あけぼの。\n夏は、夜。\n\n秋は、夕暮れ。', JA),
  vertical('vertical-fallback', 150, 'Inter と 日本語 2026 を混ぜる', { faces: ['inter', 'japanese'] }),
  vertical('vertical-emoji', 80, '笑顔😀と😎です。', { faces: ['japanese', 'emoji'] }),
  vertical('vertical-emoji-sequences', 120, '家族👨‍👩‍👧‍👦です1️⃣', { faces: ['japanese', 'emoji'] }),
  vertical('vertical-quotes', 120, '他说“人人生而自由”吗。', { faces: ['chinese'], lang: 'zh-Hans' }),
  vertical('vertical-quotes-japanese', 80, '他は“自由”と。', JA),
  vertical(
    'vertical-sizes',
    200,
    [
      ['大きな', { fontSize: 30 }],
      ['文字と小さな文字 and Latin ', {}],
      ['も並ぶ', { fontSize: 12 }],
    ],
    JA,
  ),
  vertical(
    'vertical-picture',
    120,
    [
      ['絵が', {}],
      [picture(20, 30), {}],
      ['ここにある', {}],
    ],
    JA,
  ),
];
