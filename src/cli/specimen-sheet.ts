// The specimen sheet as a template: the catalogue's families, scripts and what type can do, set like a foundry's.
//
// A template like any other, of frames and grids that hug their text; only its height waits for a first layout. The
// sentence in each script is the first article of the Universal Declaration of Human Rights.

const WIDTH = 1240;
const MARGIN = 76;
const PAPER = '#f5f0e6';
const INK = '#1c1a17';
const QUIET = '#7b7468';
const RULE = '#cfc7b8';
const ACCENT = '#c8391b';

type Layer = Readonly<Record<string, unknown>>;

interface Script {
  readonly name: string;
  readonly lang: string;
  readonly word: string;
  readonly sentence: string;
  readonly rtl?: boolean;
}

const SCRIPTS: readonly Script[] = [
  {
    name: 'Latin',
    lang: 'fr',
    word: 'Français',
    sentence: 'Tous les êtres humains naissent libres et égaux en dignité et en droits.',
  },
  {
    name: 'Greek',
    lang: 'el',
    word: 'Ελληνικά',
    sentence: 'Όλοι οι άνθρωποι γεννιούνται ελεύθεροι και ίσοι στην αξιοπρέπεια και τα δικαιώματα.',
  },
  {
    name: 'Cyrillic',
    lang: 'uk',
    word: 'Українська',
    sentence: 'Всі люди народжуються вільними і рівними у своїй гідності та правах.',
  },
  {
    name: 'Vietnamese',
    lang: 'vi',
    word: 'Tiếng Việt',
    sentence: 'Tất cả mọi người sinh ra đều được tự do và bình đẳng về nhân phẩm và quyền lợi.',
  },
  {
    name: 'Armenian',
    lang: 'hy',
    word: 'Հայերեն',
    sentence: 'Բոլոր մարդիկ ծնվում են ազատ ու հավասար իրենց արժանապատվությամբ ու իրավունքներով։',
  },
  {
    name: 'Georgian',
    lang: 'ka',
    word: 'ქართული',
    sentence: 'ყველა ადამიანი იბადება თავისუფალი და თანასწორი თავისი ღირსებითა და უფლებებით.',
  },
  {
    name: 'Arabic',
    lang: 'ar',
    rtl: true,
    word: 'العربية',
    sentence: 'يولد جميع الناس أحرارًا متساوين في الكرامة والحقوق.',
  },
  {
    name: 'Hebrew',
    lang: 'he',
    rtl: true,
    word: 'עברית',
    sentence: 'כל בני האדם נולדו בני חורין ושווים בערכם ובזכויותיהם.',
  },
  {
    name: 'Devanagari',
    lang: 'hi',
    word: 'हिन्दी',
    sentence: 'सभी मनुष्यों को गौरव और अधिकारों के मामले में जन्मजात स्वतन्त्रता और समानता प्राप्त है।',
  },
  { name: 'Bengali', lang: 'bn', word: 'বাংলা', sentence: 'সমস্ত মানুষ স্বাধীনভাবে সমান মর্যাদা এবং অধিকার নিয়ে জন্মগ্রহণ করে।' },
  { name: 'Tamil', lang: 'ta', word: 'தமிழ்', sentence: 'மனிதப் பிறவியினர் சகலரும் சுதந்திரமாகவே பிறக்கின்றனர்.' },
  { name: 'Thai', lang: 'th', word: 'ไทย', sentence: 'มนุษย์ทั้งหลายเกิดมามีอิสระและเสมอภาคกันในเกียรติศักดิ์และสิทธิ' },
  { name: 'Lao', lang: 'lo', word: 'ລາວ', sentence: 'ມະນຸດທຸກຄົນເກີດມາມີກຽດສັກສີ ສິດທິ ເສລີພາບ ແລະຄວາມສະເໝີພາບເທົ່າທຽມກັນ' },
  { name: 'Khmer', lang: 'km', word: 'ខ្មែរ', sentence: 'មនុស្សទាំងអស់កើតមកមានសេរីភាព និងសមភាព ក្នុងផ្នែកសេចក្ដីថ្លៃថ្នូរ និងសិទ្ធិ។' },
  { name: 'Burmese', lang: 'my', word: 'မြန်မာ', sentence: 'လူတိုင်းသည် တူညီလွတ်လပ်သော ဂုဏ်သိက္ခာဖြင့် မွေးဖွားလာသူများ ဖြစ်သည်။' },
  {
    name: 'Japanese',
    lang: 'ja',
    word: '日本語',
    sentence: 'すべての人間は、生まれながらにして自由であり、かつ、尊厳と権利とについて平等である。',
  },
  {
    name: 'Chinese',
    lang: 'zh-Hans',
    word: '简体中文',
    sentence: '人人生而自由，在尊严和权利上一律平等。他们赋有理性和良心。',
  },
  {
    name: 'Korean',
    lang: 'ko',
    word: '한국어',
    sentence: '모든 인간은 태어날 때부터 자유로우며 그 존엄과 권리에 있어 동등하다.',
  },
];

const FAMILIES: readonly {
  readonly family: string;
  readonly note: string;
  readonly words: string;
  readonly look: Layer;
}[] = [
  {
    family: 'Playfair Display',
    note: 'Transitional, for display',
    words: 'Quartz & Vermilion',
    look: { fontWeight: 700, fontSize: 66 },
  },
  {
    family: 'Source Serif 4',
    note: 'Text serif',
    words: 'A page worth reading',
    look: { fontWeight: 400, fontSize: 64 },
  },
  {
    family: 'Bricolage Grotesque',
    note: 'Grotesque with character',
    words: 'Made from what was there',
    look: { fontWeight: 800, fontSize: 60, letterSpacing: -1.5 },
  },
  {
    family: 'Inter',
    note: 'For interfaces',
    words: 'Clear at every size',
    look: { fontWeight: 600, fontSize: 62, letterSpacing: -1.5 },
  },
  {
    family: 'JetBrains Mono',
    note: 'For code',
    words: 'if (a !== b) return x => y',
    look: { fontWeight: 500, fontSize: 46 },
  },
];

const WEIGHTS = [100, 200, 300, 400, 500, 600, 700, 800, 900];

/** A layer whose name nobody uses gets one from its place. */
class Names {
  #count = 0;
  next(type: string): string {
    this.#count++;
    return `${type} ${this.#count}`;
  }
}

/** The sheet at a height, px; its content does not depend on it. */
export function specimenSheet(height: number): unknown {
  const names = new Names();
  const named = (type: string, more: Layer): Layer => ({ name: names.next(type), type, ...more });
  const text = (words: string, more: Layer) => named('text', { text: words, color: INK, ...more });
  const small = (words: string, more: Layer = {}) =>
    text(words, { fontFamily: 'JetBrains Mono', fontSize: 13, color: QUIET, letterSpacing: 0.4, ...more });
  const column = (gap: number, children: readonly Layer[], more: Layer = {}) =>
    named('frame', { layout: { gap }, ...more, children });
  const row = (layout: Layer, children: readonly Layer[], more: Layer = {}) =>
    named('frame', { layout: { direction: 'row', ...layout }, ...more, children });
  const grid = (
    columns: readonly unknown[],
    gap: readonly [number, number],
    children: readonly Layer[],
    more: Layer = {},
  ) => named('frame', { layout: { type: 'grid', columns, gap, ...more }, width: 'fill', children });
  const rule = (thickness: number, fill = INK) => named('shape', { width: 'fill', height: thickness, fill });
  const section = (number: string, title: string, body: readonly Layer[]) =>
    column(
      30,
      [
        column(
          14,
          [
            rule(2),
            row(
              { justify: 'space-between', align: 'baseline' },
              [
                text(title, { fontFamily: 'Bricolage Grotesque', fontWeight: 700, fontSize: 22 }),
                small(number, { color: ACCENT }),
              ],
              { width: 'fill' },
            ),
          ],
          { width: 'fill' },
        ),
        ...body,
      ],
      { width: 'fill' },
    );

  const masthead = column(
    0,
    [
      row({ justify: 'space-between' }, [small('A SPECIMEN OF TYPES & SCRIPTS'), small('PNG · JPEG · WEBP · PDF')], {
        width: 'fill',
      }),
      row(
        { align: 'baseline', justify: 'space-between' },
        [
          text('Platen', {
            fontFamily: 'Playfair Display',
            fontWeight: 900,
            fontSize: 300,
            lineHeight: 1.12,
            letterSpacing: -10,
            margin: [0, 0, 0, -12],
          }),
          text('&', {
            fontFamily: 'Playfair Display',
            fontStyle: 'italic',
            fontWeight: 400,
            fontSize: 300,
            lineHeight: 1.12,
            color: ACCENT,
          }),
        ],
        { width: 'fill' },
      ),
      row({ gap: 40, align: 'end' }, [
        text(
          'The plate that presses paper onto type. What follows was shaped, broken into lines, laid out and printed from one template, without a browser.',
          {
            fontFamily: 'Source Serif 4',
            fontSize: 24,
            lineHeight: 1.4,
            width: 640,
          },
        ),
      ]),
    ],
    { width: 'fill' },
  );

  const families = FAMILIES.map(({ family, note, words, look }, i) =>
    column(
      18,
      [
        ...(i > 0 ? [rule(1, RULE)] : []),
        row(
          { gap: 24, align: 'baseline' },
          [
            column(2, [text(family, { fontFamily: family, fontWeight: 600, fontSize: 17 }), small(note)], {
              width: 240,
            }),
            text(words, { fontFamily: family, lineHeight: 1.15, ...look }),
          ],
          { width: 'fill' },
        ),
      ],
      { width: 'fill' },
    ),
  );

  const weights = grid(
    WEIGHTS.map(() => '1fr'),
    [0, 0],
    WEIGHTS.map((fontWeight) =>
      column(6, [text('Rag', { fontWeight, fontSize: 50, letterSpacing: -1.5 }), small(String(fontWeight))]),
    ),
  );

  const scripts = grid(
    ['1fr', '1fr', '1fr'],
    [40, 40],
    SCRIPTS.map(({ name, lang, word, sentence, rtl }) =>
      column(
        6,
        [
          small(name, { color: ACCENT, align: rtl ? 'right' : 'left' }),
          text(word, { lang, fontSize: 44, fontWeight: 600, lineHeight: 1.6, margin: [0, 0, 6, 0] }),
          text(sentence, { lang, fontSize: 18, lineHeight: 1.6 }),
        ],
        { direction: rtl ? 'rtl' : 'ltr' },
      ),
    ),
  );

  const emoji = row(
    { justify: 'space-between' },
    ['👩🏽‍🚀', '🧑‍🎨', '🏳️‍🌈', '🇺🇳', '🫱🏿‍🫲🏻', '🐈‍⬛', '🍋‍🟩', '❤️‍🔥', '🪐', '🦜', '5️⃣', '📐'].map((each) =>
      text(each, { fontSize: 56, lineHeight: 1.3 }),
    ),
    { width: 'fill' },
  );

  const card = (title: string, body: readonly Layer[]) =>
    column(14, [small(title), ...body], { padding: 24, background: '#fffdf8', borderRadius: 6 });
  const serif = { fontFamily: 'Source Serif 4', fontSize: 40, lineHeight: 1.25 };
  const figures = (tnum: number) =>
    text('1,171.10\n4,880.47', {
      fontSize: 27,
      fontWeight: 500,
      lineHeight: 1.25,
      align: 'right',
      fontFeatures: { tnum },
      width: 'fill',
    });
  const craft = grid(
    ['1fr', '1fr', '1fr'],
    [20, 20],
    [
      card('Ligatures', [text('office affluent\nfjord waffle', serif)]),
      card('Proportional and tabular figures', [row({ gap: 20 }, [figures(0), figures(1)], { width: 'fill' })]),
      card('Fractions, zeros, alternates', [
        text('1/2  37/64  100', { fontSize: 34, fontWeight: 500, fontFeatures: { frac: 1, zero: 1 } }),
        text('Illicit 1l a6', { fontSize: 34, fontWeight: 500, fontFeatures: { ss02: 1, cv11: 1 } }),
      ]),
      card('Justified, in the measure of a book', [
        text(
          'Printing is the preserver of all arts. The compositor sets each line and justifies it with care; the press does the rest, and the page keeps every decision for good.',
          {
            fontFamily: 'Source Serif 4',
            fontSize: 19,
            lineHeight: 1.5,
            align: 'justify',
            width: 'fill',
          },
        ),
      ]),
      card('Two directions in one line', [
        text('The word שלום means peace, and سلام does, too: 2 words, 1 wish (אחת).', {
          fontSize: 24,
          lineHeight: 1.5,
          width: 'fill',
        }),
      ]),
      card('Fitted to its box', [
        text('As large as there is room', {
          fontFamily: 'Playfair Display',
          fontWeight: 800,
          fontSize: 120,
          autoFit: { min: 10 },
          lineHeight: 1.05,
          width: 'fill',
          height: 140,
          color: ACCENT,
        }),
      ]),
      card('Gradient, stroke, shadow', [
        row(
          { gap: 12, align: 'center', justify: 'space-between' },
          [
            text('Glow', {
              fontFamily: 'Bricolage Grotesque',
              fontWeight: 800,
              fontSize: 40,
              color: { type: 'linear', angle: 90, stops: [{ color: '#c8391b' }, { color: '#e2a52b' }] },
            }),
            text('Line', {
              fontFamily: 'Source Serif 4',
              fontWeight: 700,
              fontSize: 40,
              color: '#fffdf8',
              stroke: INK,
              strokeWidth: 3,
            }),
            text('Lift', {
              fontFamily: 'Bricolage Grotesque',
              fontWeight: 800,
              fontSize: 40,
              color: '#fffdf8',
              shadow: { y: 3, blur: 7, color: 'rgb(0 0 0 / 55%)' },
            }),
          ],
          { width: 'fill' },
        ),
      ]),
      card('Marked line by line', [
        text('Every line carries a label of its own', {
          fontSize: 26,
          fontWeight: 700,
          margin: [0, 9, 0, 9],
          lineHeight: 1.55,
          width: 'fill',
          color: '#ffffff',
          background: { color: ACCENT, padding: [2, 9, 2, 9], borderRadius: 4 },
        }),
      ]),
      card('Spans, decoration, case', [
        named('text', {
          fontFamily: 'Source Serif 4',
          fontSize: 26,
          lineHeight: 1.5,
          width: 'fill',
          color: INK,
          spans: [
            { text: 'Set in ' },
            { text: 'italic', fontStyle: 'italic' },
            { text: ', ' },
            { text: 'bold', fontWeight: 700 },
            { text: ', ' },
            { text: 'struck', textDecoration: 'line-through' },
            { text: ', ' },
            { text: 'underlined', textDecoration: 'underline' },
            { text: ' and ' },
            { text: 'capitals', textTransform: 'uppercase', letterSpacing: 2, fontSize: 22 },
          ],
        }),
      ]),
    ],
  );

  const sheet = named('frame', {
    layout: { gap: 64 },
    width: WIDTH,
    padding: [56, MARGIN, 60, MARGIN],
    children: [
      masthead,
      section('I', 'Families', families),
      section('II', 'Weights', [weights]),
      section('III', `Scripts`, [scripts, emoji]),
      section('IV', 'Craft', [craft]),
      column(
        14,
        [
          rule(2),
          row(
            { justify: 'space-between' },
            [small('Set, shaped and printed by Platen'), small('HarfBuzz · UAX #9 · UAX #14')],
            { width: 'fill' },
          ),
        ],
        { width: 'fill' },
      ),
    ],
  });
  return { name: 'Specimen', width: WIDTH, height, background: PAPER, layers: [sheet] };
}
