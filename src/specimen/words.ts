// The text of the specimen sheet: the families of the catalogue, and a sentence in each script.
//
// The sentence is the first article of the Universal Declaration of Human Rights.

import type { Layer } from './layers.ts';

export interface Script {
  readonly name: string;
  readonly lang: string;
  readonly word: string;
  readonly sentence: string;
  readonly rtl?: boolean;
}

export const SCRIPTS: readonly Script[] = [
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

export const FAMILIES: readonly {
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
