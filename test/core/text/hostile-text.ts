// Texts of about 100,000 UTF-16 units, each of which would take a careless algorithm quadratic time.

const LENGTH = 100_000;
const fill = (pattern: string, before = '', after = '') => before + pattern.repeat(LENGTH / pattern.length) + after;

export const HOSTILE_TEXTS: Readonly<Record<string, string>> = {
  'open brackets': fill('(', 'א'),
  'nested brackets': `א${'('.repeat(LENGTH / 2)}${')'.repeat(LENGTH / 2)}`,
  'brackets in pairs': fill('(a)', 'א'),
  'brackets that match nothing': fill(`${'('.repeat(62)}${']'.repeat(62)}`, 'א'),
  'brackets after a desert': `a${' '.repeat(LENGTH / 2)}${`${'('.repeat(60)}א${')'.repeat(60)}`.repeat(400)}`,
  embeddings: fill('\u202b'),
  'embeddings in turns': fill('\u202ba\u202ab', '', 'א'),
  isolates: fill('\u2068', '', 'א'),
  'isolates in pairs': fill('\u2067a\u2069'),
  'directions in turns': fill('aא'),
  'scripts in turns': fill('aгא日'),
  paragraphs: fill('א\n'),
  tabs: fill(' \t', 'א'),
  marks: fill('\u0301', 'a'),
  joiners: fill('👩\u200d'),
  'flag letters': fill('🇫'),
  tags: fill('\u{e0067}', '🏴'),
  numbers: fill('1,', '$('),
  quotes: fill('" '),
  'one Thai letter': fill('ก'),
  'Thai words': fill('ภาษาไทย'),
  'lone surrogates': fill('\udc00\ud800'),
};
