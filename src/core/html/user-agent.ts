// What elements and their attributes look like where the page says nothing: HTML, 15 (rendering), as
// Chromium has it.

import type { Hints } from '../css/cascade.ts';
import { parseCssColor } from '../css/css-color.ts';
import type { CssElement } from '../css/selectors.ts';
import { SIDES, tableOf } from './shorthands.ts';

type Declarations = readonly (readonly [property: string, value: string])[];

const read = (css: string): Declarations =>
  css.split(';').flatMap((each) => {
    const [property = '', ...value] = each.split(':');
    return value.length > 0 ? [[property.trim(), value.join(':').trim()] as const] : [];
  });

const all = (vertical: string, more = ''): string =>
  `display:block;margin-top:${vertical};margin-bottom:${vertical};${more}`;
const heading = (size: string, margin: string) => all(margin, `font-size:${size};font-weight:bold`);
const cell =
  'display:table-cell;vertical-align:inherit;padding-top:1px;padding-right:1px;padding-bottom:1px;padding-left:1px';
const inset = (width: string, style: string, color: string) =>
  SIDES.map((side) => `border-${side}-width:${width};border-${side}-style:${style};border-${side}-color:${color}`).join(
    ';',
  );
const evenly = (property: string, [top, right = top]: readonly string[]) =>
  `${property}-top:${top};${property}-bottom:${top};${property}-left:${right};${property}-right:${right}`;
const plainText =
  'font-weight:normal;font-style:normal;letter-spacing:0;text-transform:none;text-align:start;line-height:normal';
const field = `display:inline-block;box-sizing:content-box;font-size:13.333px;font-family:sans-serif;color:#000;${plainText};${inset('2px', 'solid', '#767676')};background-color:#fff;${evenly('padding', ['1px', '2px'])};white-space:pre`;
const button = `display:inline-block;box-sizing:border-box;font-size:13.333px;font-family:sans-serif;color:#000;${plainText};text-align:center;${inset('2px', 'solid', '#767676')};background-color:#efefef;${evenly('padding', ['1px', '6px'])}`;

const BLOCK = 'display:block';
const each = (names: string, css: string): Readonly<Record<string, string>> =>
  Object.fromEntries(names.split(' ').map((name) => [name, css]));
const BLOCKS =
  'html article aside div footer header hgroup main nav search section figcaption details summary form optgroup option dt';
const UNSEEN = 'head script style title meta link base template noscript area datalist param rp source track';
const SHEET: Readonly<Record<string, string>> = {
  ...each(BLOCKS, BLOCK),
  ...each(UNSEEN, 'display:none'),
  body: all('8px', 'margin-left:8px;margin-right:8px'),
  legend: `${BLOCK};padding-left:2px;padding-right:2px`,
  dialog: `${BLOCK};position:absolute;left:0;right:0;margin-left:auto;margin-right:auto;width:fit-content;${evenly('padding', ['1em'])};${inset('3px', 'solid', '#000')};background-color:#fff;color:#000`,
  p: all('1em'),
  dl: all('1em'),
  ...each('blockquote figure', all('1em', 'margin-left:40px;margin-right:40px')),
  center: `${BLOCK};text-align:-webkit-center`,
  dd: `${BLOCK};margin-left:40px`,
  h1: heading('2em', '0.67em'),
  h2: heading('1.5em', '0.83em'),
  h3: heading('1.17em', '1em'),
  h4: heading('1em', '1.33em'),
  h5: heading('0.83em', '1.67em'),
  h6: heading('0.67em', '2.33em'),
  ...each('ul menu dir', all('1em', 'padding-left:40px;list-style-type:disc')),
  ol: all('1em', 'padding-left:40px;list-style-type:decimal'),
  li: 'display:list-item',
  ...each('pre listing', all('1em', 'font-family:monospace;white-space:pre')),
  hr: all(
    '0.5em',
    `margin-left:auto;margin-right:auto;color:gray;overflow-x:hidden;overflow-y:hidden;${inset('1px', 'solid', '#9a9a9a')};border-right-color:#eee;border-bottom-color:#eee`,
  ),
  fieldset: `${BLOCK};margin-left:2px;margin-right:2px;padding-top:0.35em;padding-left:0.75em;padding-right:0.75em;padding-bottom:0.625em;min-width:min-content;${inset('2px', 'groove', '#c0c0c0')}`,
  table: 'display:table;border-collapse:separate;border-spacing:2px;box-sizing:border-box;text-indent:0',
  caption: 'display:table-caption;text-align:center',
  colgroup: 'display:table-column-group',
  col: 'display:table-column',
  thead: 'display:table-header-group;vertical-align:middle',
  tbody: 'display:table-row-group;vertical-align:middle',
  tfoot: 'display:table-footer-group;vertical-align:middle',
  tr: 'display:table-row;vertical-align:inherit',
  td: cell,
  th: `${cell};font-weight:bold;text-align:-platen-th`,
  ...each('b strong', 'font-weight:bolder'),
  ...each('i em cite var dfn', 'font-style:italic'),
  address: `${BLOCK};font-style:italic`,
  ...each('code kbd samp tt', 'font-family:monospace'),
  ...each('u ins', 'text-decoration-line:underline'),
  ...each('s strike del', 'text-decoration-line:line-through'),
  small: 'font-size:smaller',
  big: 'font-size:larger',
  sub: 'vertical-align:sub;font-size:smaller',
  sup: 'vertical-align:super;font-size:smaller',
  mark: 'background-color:yellow;color:black',
  nobr: 'white-space:nowrap',
  img: 'overflow-x:clip;overflow-y:clip',
  input: field,
  textarea: `${field};${inset('1px', 'solid', '#767676')};${evenly('padding', ['2px'])};white-space:pre-wrap;font-family:monospace;overflow-x:clip;overflow-y:clip;resize:both`,
  select: `${button};text-align:start;padding-top:0;padding-right:15px;padding-bottom:0;padding-left:3px;background-color:#fff;white-space:pre`,
  button,
  progress: 'display:inline-block;width:10em;height:1em;vertical-align:-0.2em',
  meter: 'display:inline-block;width:5em;height:1em;vertical-align:-0.2em',
  rt: 'font-size:50%',
};
const LINK = read('color:#0000ee;text-decoration-line:underline');
/** Quirks, 3.3: what a table does not inherit. */
const QUIRKY_TABLE =
  'font-weight:initial;font-style:initial;font-variant:initial;font-size:initial;line-height:initial;white-space:initial;text-align:initial';
/** Of elements that have no attributes. */
const RULES: ReadonlyMap<string, Hints> = new Map(
  Object.entries(SHEET).map(([name, css]) => [name, { declarations: read(css), key: '' }]),
);
const NO_RULES: Hints = { declarations: [], key: '' };
const TABLE = /^table$/;
/** Whose attributes alone do not say what else is declared for them. */
const BY_SURROUNDINGS = /^(summary|ul|ol|menu|dir|dd|td|th|bdi|bdo|input|dialog|table)$/;

const px = (text: string | undefined): string | null => {
  const [, number, unit] = /^\s*(\d{1,6}(?:\.\d{1,4})?)\s*(%|px)?/.exec(text ?? '') ?? [];
  return number === undefined ? null : `${number}${unit === '%' ? '%' : 'px'}`;
};

const WITH_UNIT = /^(\d{1,6}(\.\d{1,6})?|\.\d{1,6})(r?em|ex|ch|pt|pc|[cm]m|in|v[wh])$/i;

/** HTML, 2.4.6: the name of a colour, or its digits with or without `#`. */
function colorOf(text: string | undefined): string | null {
  if (!text) return null;
  const value = text.trim();
  // Without `#`, three digits are one of each channel.
  const color = /^[\da-f]{6}$/i.test(value)
    ? `#${value}`
    : value.replace(/^([\da-f])([\da-f])([\da-f])$/i, '#0$10$20$3');
  return /^#?\w{1,30}$/.test(color) && parseCssColor(color) ? color : null;
}

export const wordsIn = ({ children }: CssElement): string =>
  children
    .map((child) => (typeof child === 'string' ? child : wordsIn(child)))
    .join('')
    .slice(0, 1_000);

const rounded = (radius: string) =>
  ['top-left', 'top-right', 'bottom-left', 'bottom-right'].map((at) => `border-${at}-radius:${radius}`).join(';');
const choice = `width:13px;height:13px;box-sizing:border-box;margin-top:3px;margin-right:3px;${inset('1px', 'solid', '#767676')};${evenly('padding', ['0'])}`;
/** By their types. */
const INPUTS = tableOf({
  hidden: 'display:none',
  checkbox: `${choice};margin-bottom:3px;margin-left:4px;${rounded('2px')}`,
  radio: `${choice};margin-bottom:0;margin-left:5px;${rounded('50% 50%')}`,
  ...Object.fromEntries(['button', 'submit', 'reset'].map((type) => [type, button])),
  color: `${button};width:50px;height:27px`,
  range: `width:129px;height:16px;${evenly('margin', ['2px'])};${evenly('padding', ['0'])};${inset('0', 'none', '#000')};background-color:initial`,
});
/** What `type` says of a list and its entries. */
const MARKERS = tableOf({
  ...{ 1: 'decimal', a: 'lower-alpha', A: 'upper-alpha', i: 'lower-roman', I: 'upper-roman' },
  ...{ disc: 'disc', circle: 'circle', square: 'square' },
});
const CLEARS = tableOf({ all: 'both', left: 'left', right: 'right' });
const ALIGNMENTS = tableOf({ top: 'top', middle: 'middle', absmiddle: 'middle', texttop: 'text-top' });
/** Of fields that cannot be used: their edges and background, and the words of buttons. */
const DISABLED = `${SIDES.map((side) => `border-${side}-color:rgb(118 118 118 / 0.3)`).join(';')};background-color:rgb(239 239 239 / 0.3);color:#545454`;
const DISABLED_WORDS = 'color:rgb(16 16 16 / 0.3)';

const FONT_SIZES = ['x-small', 'small', 'medium', 'large', 'x-large', 'xx-large', 'xxx-large'];

/** The nearest element around of some names, that has an attribute. */
export type Around = (element: CssElement, names: RegExp, attribute?: string) => CssElement | null;

/** What is declared for an element before the page's own rules, the weakest first. */
export function defaultsOf(element: CssElement, around: Around, isQuirky = false): Hints {
  const name = element.name.toLowerCase();
  const rules = RULES.get(name) ?? NO_RULES;
  if (element.attributes.size === 0) {
    if (!BY_SURROUNDINGS.test(name)) return rules;
    if ((name === 'td' || name === 'th') && !around(element, TABLE)?.attributes.size) return rules;
  }
  const found: (readonly [string, string])[] = [...rules.declarations];
  const declare = (css: string) => found.push(...read(css));
  const add = (property: string, value: string | null | undefined) => {
    if (value) found.push([property, value]);
  };
  const { attributes } = element;
  const get = (attribute: string) => attributes.get(attribute);
  const word = (attribute: string) => get(attribute)?.toLowerCase() ?? '';
  if (isQuirky && name === 'table') declare(QUIRKY_TABLE);
  if ((attributes.has('hidden') && name !== 'input') || (name === 'dialog' && !attributes.has('open')))
    declare('display:none');
  const dir = word('dir');
  if (/^(ul|ol|menu|dir|dd)$/.test(name)) {
    const writing = dir || around(element, /./, 'dir')?.attributes.get('dir')?.toLowerCase();
    const property = name === 'dd' ? 'margin' : 'padding';
    if (writing === 'rtl') declare(`${property}-left:0;${property}-right:40px`);
  }
  const direction =
    dir === 'auto' ? (/^[^\p{L}]*[\p{sc=Hebrew}\p{sc=Arabic}]/u.test(wordsIn(element)) ? 'rtl' : 'ltr') : dir;
  if (direction === 'rtl' || direction === 'ltr') declare(`direction:${direction};unicode-bidi:isolate`);
  if (dir === 'auto' || name === 'bdi') declare('unicode-bidi:plaintext');
  if (name === 'bdo') declare('unicode-bidi:isolate-override');
  const align = word('align');
  switch (name) {
    case 'a':
      if (attributes.has('href')) found.push(...LINK);
      break;
    case 'ul':
    case 'ol':
    case 'menu':
    case 'dir': {
      const outer = around(element, /^(ul|ol|menu|dir)$/);
      if (outer) declare('margin-top:0;margin-bottom:0');
      if (name !== 'ol' && outer) add('list-style-type', around(outer, /^(ul|ol|menu|dir)$/) ? 'square' : 'circle');
      if (name === 'ol' || name === 'ul') add('list-style-type', MARKERS.get(get('type') ?? ''));
      break;
    }
    case 'li':
      add('list-style-type', MARKERS.get(get('type') ?? ''));
      break;
    case 'summary':
      if (around(element, /^details$/)) declare('display:list-item;list-style-position:inside');
      add('list-style-type', around(element, /^details$/, 'open') ? 'disclosure-open' : 'disclosure-closed');
      break;
    case 'input': {
      const type = word('type');
      const isOff = attributes.has('disabled');
      const isChoice = type === 'checkbox' || type === 'radio';
      declare(INPUTS.get(type) ?? '');
      if (isChoice && attributes.has('checked')) {
        const color = isOff ? '#cecece' : '#0075ff';
        declare(inset('1px', 'solid', color));
        if (type === 'checkbox') add('background-color', color);
      } else if (isOff && type !== 'range') declare(DISABLED);
      if (isOff && /^(button|submit|reset)$/.test(type)) declare(DISABLED_WORDS);
      break;
    }
    case 'textarea':
      if (attributes.has('disabled')) declare(DISABLED);
      break;
    case 'select':
    case 'button':
      if (attributes.has('disabled')) declare(`${DISABLED};${DISABLED_WORDS}`);
      break;
    case 'body':
      add('background-color', colorOf(get('bgcolor')));
      add('color', colorOf(get('text')));
      for (const side of ['top', 'bottom']) add(`margin-${side}`, px(get('marginheight') ?? get(`${side}margin`)));
      for (const side of ['left', 'right']) add(`margin-${side}`, px(get('marginwidth') ?? get(`${side}margin`)));
      break;
    case 'font': {
      const [, sign, digits] = /^\s*([+-]?)(\d+)/.exec(get('size') ?? '') ?? [];
      const size = sign === '+' ? 3 + Number(digits) : sign === '-' ? 3 - Number(digits) : Number(digits);
      add('color', colorOf(get('color')));
      add('font-size', digits && FONT_SIZES[Math.min(7, Math.max(1, size)) - 1]);
      if (/^[\w ,'"-]{1,200}$/.test(get('face') ?? '')) add('font-family', get('face'));
      break;
    }
    case 'legend':
      if (align === 'center' || align === 'right') declare('margin-left:auto');
      if (align === 'center') declare('margin-right:auto');
      break;
    case 'hr': {
      const color = colorOf(get('color'));
      const size = Number.parseInt(get('size') ?? '', 10);
      const line = color ?? (attributes.has('noshade') ? '#808080' : null);
      add('color', color);
      for (const side of line ? SIDES : []) declare(`border-${side}-color:${line};border-${side}-style:solid`);
      add('background-color', line);
      add('width', px(get('width')));
      if (size > 1) add('height', `${size - 2}px`);
      if (size === 1) declare('border-bottom-width:0');
      if (align === 'left' || align === 'right') declare(`margin-${align}:0`);
      break;
    }
    case 'br':
      add('clear', CLEARS.get(word('clear')));
      break;
    case 'abbr':
      if (attributes.has('title')) declare('text-decoration-line:underline;text-decoration-style:dotted');
      break;
    case 'svg':
      // Their lengths have all units (SVG 2, 8.2).
      for (const side of ['width', 'height']) add(side, WITH_UNIT.exec(get(side) ?? '')?.[0] ?? px(get(side)));
      break;
    case 'img':
    case 'video':
    case 'iframe':
    case 'object':
    case 'embed': {
      const border = px(get('border'));
      add('width', px(get('width')));
      add('height', px(get('height')));
      if (align === 'left' || align === 'right') add('float', align);
      add('vertical-align', ALIGNMENTS.get(align));
      for (const side of ['top', 'bottom']) add(`margin-${side}`, px(get('vspace')));
      for (const side of ['left', 'right']) add(`margin-${side}`, px(get('hspace')));
      if (border && get('border') !== '0') declare(inset(border, 'solid', 'currentcolor'));
      break;
    }
    case 'table': {
      const color = colorOf(get('bordercolor'));
      add('width', px(get('width')));
      add('height', px(get('height')));
      add('background-color', colorOf(get('bgcolor')));
      add('border-spacing', px(get('cellspacing')));
      if (align === 'center') declare('margin-left:auto;margin-right:auto');
      else if (align === 'left' || align === 'right') add('float', align);
      if (attributes.has('border') && get('border') !== '0')
        declare(inset(px(get('border')) ?? '1px', color ? 'solid' : 'outset', color ?? 'currentcolor'));
      break;
    }
    case 'col':
    case 'colgroup':
      add('width', px(get('width')));
      break;
    default:
  }
  if (/^(body|table|td|th|tr|thead|tbody|tfoot)$/.test(name) && get('background'))
    add('background-image', `url("${get('background')?.replace(/["\\\n]/g, encodeURIComponent)}")`);
  if (/^(td|th|tr|thead|tbody|tfoot)$/.test(name)) {
    add('background-color', colorOf(get('bgcolor')));
    if (/^(top|middle|bottom|baseline)$/.test(word('valign'))) add('vertical-align', word('valign'));
    add('height', px(get('height')));
  }
  if (name === 'td' || name === 'th') {
    const table = around(element, TABLE)?.attributes;
    const padding = px(table?.get('cellpadding'));
    const border = table?.get('border');
    const color = colorOf(table?.get('bordercolor'));
    add('width', px(get('width')));
    if (attributes.has('nowrap')) declare('white-space:nowrap');
    if (padding) declare(evenly('padding', [padding]));
    if (border !== undefined && border !== '0')
      declare(inset('1px', color ? 'solid' : 'inset', color ?? 'currentcolor'));
  }
  if (/^(div|p|h[1-6]|td|th|tr|thead|tbody|tfoot|caption)$/.test(name)) {
    const isOwn = align === 'justify' || /^h/.test(name);
    if (/^(left|right|justify|center)$/.test(align)) add('text-align', isOwn ? align : `-webkit-${align}`);
    if (align === 'middle' && /^(div|t[dhr]|t(head|body|foot))$/.test(name)) declare('text-align:-webkit-center');
  }
  return found.length === rules.declarations.length ? rules : { declarations: found, key: JSON.stringify(found) };
}

/** What is replaced by a picture or the like, and has a size of its own (CSS 2, 3.1). */
export const REPLACED = /^(img|svg|video|iframe|object|embed|image)$/i;

/** The children that are shown: of closed details, the summary alone; of what is drawn in place of its words, none. */
export function renderedChildren(element: CssElement): readonly (CssElement | string)[] {
  if (/^(progress|meter)$/.test(element.name)) return [];
  if (element.name !== 'details' || element.attributes.has('open')) return element.children;
  return element.children.filter((child) => typeof child !== 'string' && child.name === 'summary').slice(0, 1);
}
