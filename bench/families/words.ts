// Generates words from a seed, in three scripts: enough different ones that no cache of words or lines can hold them
// all.

export type Random = () => number;

export const pick = <T>(random: Random, items: readonly T[]): T => items[Math.floor(random() * items.length)] as T;
/** A whole number, both limits included. */
export const between = (random: Random, low: number, high: number) => low + Math.floor(random() * (high - low + 1));

const ONSETS = 'b br c ch cl d dr f fl g gr h k l m n p pl pr qu r s sh sl st t th tr v w y z'.split(' ');
const RIMES = 'a al an ar e el en er est i il in ist o ol on or ough u um un y ay ight ing ow'.split(' ');
const KANJI =
  '印刷紙版色文字組行間余白図形線面光影画像縦横幅高左右上下中央春夏秋冬朝夕山川海空風雨雪花鳥月火水木金土日時間分秒人名前後内外東西南北駅道町村市国世界新旧大小長短多少強弱早遅明暗赤青白黒黄緑紫銀本店車電話音楽映写真料理茶酒米魚肉野菜果物体心手足目耳口頭声言葉読書学校先生友達家族父母兄弟姉妹子犬猫馬牛森林石砂鉄橋門窓扉室庭園';
const KANA = [
  'の',
  'は',
  'を',
  'に',
  'が',
  'と',
  'で',
  'から',
  'まで',
  'より',
  'です',
  'ます',
  'した',
  'する',
  'カード',
  'テンプレート',
  'レイヤー',
];
const ARABIC =
  'طباعة ورق لون حرف سطر صورة خط ضوء ظل جديد كبير صغير مدينة شارع بحر جبل سماء مطر زهرة قمر نهار ليل كتاب مدرسة صديق بيت باب نافذة حديقة موسيقى طعام شاي قهوة سوق عمل يوم شهر سنة أول آخر بين تحت فوق أمام خلف قبل بعد كان يكون ذهب جاء كتب قرأ'.split(
    ' ',
  );

function latinWord(random: Random): string {
  let word = '';
  for (let syllables = between(random, 1, 3); syllables > 0; syllables--)
    word += pick(random, ONSETS) + pick(random, RIMES);
  return word;
}

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

/** About this many words, plus or minus a fifth; capitalised, with occasional numbers. */
export function latinPhrase(random: Random, words: number): string {
  const spread = Math.floor(words / 5);
  const count = Math.max(1, between(random, words - spread, words + spread));
  const all = Array.from({ length: count }, () =>
    random() < 0.08 ? String(between(random, 2, 9999)) : latinWord(random),
  );
  return capital(all.join(' '));
}

/** Sentences of a script until there are `characters` UTF-16 code units. */
export function passage(random: Random, script: 'latin' | 'japanese' | 'arabic', characters: number): string {
  let text = '';
  while (text.length < characters) text += SENTENCES[script](random);
  return text.slice(0, characters).trim();
}

const SENTENCES = {
  latin: (random: Random) => `${latinPhrase(random, 11)}. `,
  japanese: (random: Random) => {
    let text = '';
    for (let parts = between(random, 4, 8); parts > 0; parts--) {
      text += pick(random, [...KANJI]) + (random() < 0.7 ? pick(random, [...KANJI]) : '') + pick(random, KANA);
    }
    return `${text}。`;
  },
  arabic: (random: Random) =>
    `${Array.from({ length: between(random, 5, 11) }, () => pick(random, ARABIC)).join(' ')}. `,
} as const;
