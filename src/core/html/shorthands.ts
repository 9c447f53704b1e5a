// Expands CSS shorthands to the properties that they stand for (CSS 2, Backgrounds 3, Flexbox 1, Grid 1 and others).

import { BLACK } from '../color.ts';
import { parseCssColor } from '../css/css-color.ts';
import { closing } from '../css/css-text.ts';
import type { Sides } from '../resolve/scene.ts';

export type Longhands = readonly (readonly [property: string, value: string])[];

export const SIDES = ['top', 'right', 'bottom', 'left'] as const;
export const eachSide = <T>(of: (side: (typeof SIDES)[number]) => T): Sides<T> => ({
  ...{ top: of('top'), right: of('right'), bottom: of('bottom'), left: of('left') },
});
export const evenly = <T>(each: T): Sides<T> => eachSide(() => each);

/** A table that knows no word but its own: an object has `constructor`, too. */
export const tableOf = <T>(entries: Readonly<Record<string, T>>): ReadonlyMap<string, T> =>
  new Map(Object.entries(entries));

/** The text between quotation marks, or all of it. */
export function unquoted(text: string): string {
  const trimmed = text.trim();
  const [first] = trimmed;
  const isQuoted = trimmed.length > 1 && (first === '"' || first === "'") && trimmed.endsWith(first);
  return isQuoted ? trimmed.slice(1, -1).trim() : trimmed;
}

const isSpace = (code: number): boolean =>
  code === 32 || (code >= 9 && code <= 13) || (code > 127 && /\s/.test(String.fromCharCode(code)));

/**
 * Divides a value at white space, commas or slashes outside brackets and strings. Where it is divided at white space, a bracket or
 * a string that ends is a part of its own without any after it, too, and so is one before a string (CSS Syntax 3, 4.3).
 */
export function splitValue(value: string, at: ' ' | ',' | '/' = ' '): string[] {
  const text = value.trim();
  const separator = at.charCodeAt(0);
  const parts: string[] = [];
  let [depth, quote, from] = [0, 0, 0];
  for (let i = 0; i < text.length; i += 1) {
    const code = text.charCodeAt(i);
    let isEnd = false;
    if (quote !== 0) {
      if (code === 0x5c) i += 1;
      isEnd = code === quote;
      if (isEnd) quote = 0;
    } else if (code === 0x22 || code === 0x27) {
      quote = code;
      if (depth === 0 && at === ' ' && i > from) {
        parts.push(text.slice(from, i).trim());
        from = i;
      }
    } else if (code === 0x28) depth += 1;
    else if (code === 0x29) {
      depth -= 1;
      isEnd = true;
    } else if (depth === 0 && (at === ' ' ? isSpace(code) : code === separator)) {
      parts.push(text.slice(from, i).trim());
      from = i + 1;
    }
    if (isEnd && depth === 0 && at === ' ' && !/[\s,/)]/.test(text[i + 1] ?? ' ')) {
      parts.push(text.slice(from, i + 1).trim());
      from = i + 1;
    }
  }
  parts.push(text.slice(from).trim());
  return at === ' ' ? parts.filter((part) => part !== '') : parts;
}

/** One to four values, as of the sides or corners, clockwise. */
export function fourOf<T>(values: readonly T[], initial: T): readonly [T, T, T, T] {
  const [first = initial, second = first, third = first, fourth = second] = values;
  return [first, second, third, fourth];
}
const sides = (name: (side: string) => string, value: string): Longhands =>
  fourOf(splitValue(value), '0').map((each, i) => [name(SIDES[i] ?? ''), each] as const);

const STYLES = /^(none|hidden|solid|dashed|dotted|double|groove|ridge|inset|outset)$/i;
const WIDTH = /^([+-]?[\d.]|thin$|medium$|thick$|calc\(|min\(|max\(|clamp\()/i;

/** `1px solid red` in any order. */
function borderParts(value: string): { readonly width: string; readonly style: string; readonly color: string } {
  let [width, style, color] = ['medium', 'none', 'currentcolor'];
  for (const part of splitValue(value)) {
    if (STYLES.test(part)) style = part;
    else if (WIDTH.test(part)) width = part;
    else color = part;
  }
  return { width, style, color };
}

const line = (name: string, value: string): Longhands =>
  Object.entries(borderParts(value)).map(([part, text]) => [`${name}-${part}`, text] as const);

const LOGICAL: Readonly<Record<string, string>> = {
  'inline-start': 'left',
  'inline-end': 'right',
  'block-start': 'top',
  'block-end': 'bottom',
};

const FONT_SIZE =
  /^(xx-small|x-small|small|medium|large|x-large|xx-large|xxx-large|smaller|larger|[\d.].*|calc\(.*|clamp\(.*|min\(.*|max\(.*)$/i;

function font(value: string): Longhands {
  const words = splitValue(splitValue(value, '/').join('/'));
  const at = words.findIndex((word) => FONT_SIZE.test(word) && !/^\d{1,4}$/.test(word));
  if (at < 0 || at === words.length - 1) return [];
  const found: [string, string][] = [
    ['font-style', 'normal'],
    ['font-weight', 'normal'],
    ['font-variant', 'normal'],
    ['line-height', 'normal'],
  ];
  for (const word of words.slice(0, at)) {
    if (/^(italic|oblique)$/i.test(word)) found.push(['font-style', word]);
    else if (/^(bold|bolder|lighter|\d+)$/i.test(word)) found.push(['font-weight', word]);
    else if (/^small-caps$/i.test(word)) found.push(['font-variant', word]);
  }
  const [size = '', height] = splitValue(words[at] ?? '', '/');
  if (height !== undefined) found.push(['line-height', height]);
  return [...found, ['font-size', size], ['font-family', words.slice(at + 1).join(' ')]];
}

function flex(value: string): Longhands {
  const words = splitValue(value);
  const of = (grow: string, shrink: string, basis: string): Longhands => [
    ['flex-grow', grow],
    ['flex-shrink', shrink],
    ['flex-basis', basis],
  ];
  const only = words.length === 1 ? words[0]?.toLowerCase() : undefined;
  if (only === 'none') return of('0', '0', 'auto');
  if (only === 'auto' || only === 'initial') return of(only === 'auto' ? '1' : '0', '1', 'auto');
  const numbers = words.filter((word) => /^[\d.]+$/.test(word));
  const basis = words.find((word) => !/^[\d.]+$/.test(word));
  return of(numbers[0] ?? '1', numbers[1] ?? '1', basis ?? (numbers.length > 0 ? '0%' : 'auto'));
}

const REPEATS = /^(no-repeat|repeat|repeat-x|repeat-y|space|round)$/i;
const BOXES = /^(border-box|padding-box|content-box|text)$/i;
const POSITION = /^(left|right|top|bottom|center|[+-]?[\d.].*|calc\(.*)$/i;
const IMAGE = /^(none$|url\(|(repeating-)?(linear|radial|conic)-gradient\(|image-set\()/i;

/** The words of a position for each axis, `right 3px` or one length (CSS Backgrounds 3, 3.6). */
export function positionAxes(value: string): readonly [across: string, down: string] {
  const words = splitValue(value.toLowerCase());
  if (words.length > 2) {
    const edge = (name: RegExp) => {
      const i = words.findIndex((word) => name.test(word));
      if (i < 0) return 'center';
      const offset = words[i + 1] ?? '';
      return /^(left|right|top|bottom|center|)$/.test(offset) ? (words[i] ?? '') : `${words[i]} ${offset}`;
    };
    return [edge(/^(left|right)$/), edge(/^(top|bottom)$/)];
  }
  const [first = 'center', second = 'center'] = words;
  const isTurned = /^(top|bottom)$/.test(first) || /^(left|right)$/.test(second);
  return isTurned ? [second, first] : [first, second];
}

/** Each layer of a background, from front to back; the last may have the colour. `background`, or `mask`, whose pictures are from the border box on. */
function background(value: string, origin = 'padding-box'): Longhands {
  const positions = origin === 'border-box' ? ['position'] : ['position-x', 'position-y'];
  const names = ['image', ...positions, 'size', 'repeat', 'attachment', 'origin', 'clip'];
  let color = 'transparent';
  const layers = splitValue(value, ',').map((layer) => {
    const [before = '', after] = splitValue(layer, '/');
    const rest = after === undefined ? [] : splitValue(after);
    const sizes = rest.slice(0, 2).findIndex((word) => !/^(auto|cover|contain|[\d.].*|calc\(.*)$/i.test(word));
    const size = rest.splice(0, sizes < 0 ? 2 : sizes);
    const own: Record<string, string> = { image: 'none', attachment: 'scroll' };
    const [position, repeat, boxes]: [string[], string[], string[]] = [[], [], []];
    for (const word of [...splitValue(before), ...rest]) {
      if (IMAGE.test(word)) own.image = word;
      else if (REPEATS.test(word)) repeat.push(word);
      else if (/^(scroll|fixed|local)$/i.test(word)) own.attachment = word;
      else if (BOXES.test(word)) boxes.push(word);
      else if (POSITION.test(word)) position.push(word);
      else color = word;
    }
    const placed = position.join(' ') || '0% 0%';
    const [across, down] = positionAxes(placed);
    return {
      ...{ ...own, position: placed, 'position-x': across, 'position-y': down, size: size.join(' ') || 'auto' },
      ...{ repeat: repeat.join(' ') || 'repeat', origin: boxes[0] ?? origin, clip: boxes.at(-1) ?? 'border-box' },
    };
  });
  const listed = (name: string) =>
    layers.map((layer: Readonly<Record<string, string>>) => layer[name] ?? '').join(', ');
  return [['background-color', color], ...names.map((name) => [`background-${name}`, listed(name)] as const)];
}

function listStyle(value: string): Longhands {
  let [type, position, image] = ['disc', 'outside', 'none'];
  for (const word of splitValue(value)) {
    if (/^(inside|outside)$/i.test(word)) position = word;
    else if (/^url\(/i.test(word)) image = word;
    else type = word;
  }
  return [
    ['list-style-type', type],
    ['list-style-position', position],
    ['list-style-image', image],
  ];
}

function textDecoration(value: string): Longhands {
  const lines: string[] = [];
  const found = { style: 'solid', color: 'currentcolor', thickness: 'auto' };
  for (const word of splitValue(value)) {
    if (/^(none|underline|overline|line-through|blink)$/i.test(word)) lines.push(word);
    else if (/^(solid|double|dotted|dashed|wavy)$/i.test(word)) found.style = word;
    else if (/^(from-font|auto|[\d.].*)$/i.test(word)) found.thickness = word;
    else found.color = word;
  }
  const all = { line: lines.join(' ') || 'none', ...found };
  return Object.entries(all).map(([name, part]) => [`text-decoration-${name}`, part] as const);
}

const pair = (names: readonly [string, string], value: string): Longhands => {
  const [first = '', second = first] = splitValue(value);
  return [
    [names[0], first],
    [names[1], second],
  ];
};

/** CSS Grid 2, 8.4: a name alone is both lines. */
const gridLines = (axis: string, value: string): Longhands => {
  const [start = 'auto', end = /^(auto|span\b.*|[+-]?\d+)$/i.test(start) ? 'auto' : start] = splitValue(value, '/');
  return [
    [`grid-${axis}-start`, start],
    [`grid-${axis}-end`, end],
  ];
};

const CORNERS = ['top-left', 'top-right', 'bottom-right', 'bottom-left'] as const;
export const eachCorner = <T>(of: (corner: (typeof CORNERS)[number]) => T) => ({
  ...{ topLeft: of('top-left'), topRight: of('top-right') },
  ...{ bottomRight: of('bottom-right'), bottomLeft: of('bottom-left') },
});

/** Properties that stand for others, by name. */
const SHORTHANDS = tableOf<(value: string) => Longhands>({
  margin: (value) => sides((side) => `margin-${side}`, value),
  padding: (value) => sides((side) => `padding-${side}`, value),
  inset: (value) => sides((side) => side, value),
  'inset-inline': (value) => pair(['left', 'right'], value),
  'inset-block': (value) => pair(['top', 'bottom'], value),
  'margin-inline': (value) => pair(['margin-left', 'margin-right'], value),
  'margin-block': (value) => pair(['margin-top', 'margin-bottom'], value),
  'padding-inline': (value) => pair(['padding-left', 'padding-right'], value),
  'padding-block': (value) => pair(['padding-top', 'padding-bottom'], value),
  border: (value) => [...SIDES.flatMap((side) => line(`border-${side}`, value)), ['border-image', 'none']],
  'border-inline': (value) => ['left', 'right'].flatMap((side) => line(`border-${side}`, value)),
  'border-block': (value) => ['top', 'bottom'].flatMap((side) => line(`border-${side}`, value)),
  ...Object.fromEntries(SIDES.map((side) => [`border-${side}`, (value: string) => line(`border-${side}`, value)])),
  ...Object.fromEntries(
    ['width', 'style', 'color'].map((part) => [
      `border-${part}`,
      (value: string) => sides((side) => `border-${side}-${part}`, value),
    ]),
  ),
  ...Object.fromEntries(
    ['width', 'style', 'color'].flatMap((part) => [
      [`border-inline-${part}`, (value: string) => pair([`border-left-${part}`, `border-right-${part}`], value)],
      [`border-block-${part}`, (value: string) => pair([`border-top-${part}`, `border-bottom-${part}`], value)],
    ]),
  ),
  '-webkit-text-stroke': (value) => line('-webkit-text-stroke', value).filter(([name]) => !name.endsWith('style')),
  outline: (value) => line('outline', value),
  mask: (value) =>
    background(value, 'border-box').flatMap(([name, part]) =>
      name === 'background-color' ? [] : [[name.replace('background', 'mask'), part] as const],
    ),
  'border-radius': (value) => {
    const [across = [], down = across] = splitValue(value, '/').map((each) => fourOf(splitValue(each), '0'));
    return CORNERS.map((name, i) => [`border-${name}-radius`, `${across[i]} ${down[i]}`] as const);
  },
  font,
  flex,
  background: (value) => background(value),
  'background-position': (value) => {
    const axes = splitValue(value, ',').map(positionAxes);
    return ['x', 'y'].map(
      (axis, i) => [`background-position-${axis}`, axes.map((each) => each[i]).join(', ')] as const,
    );
  },
  'list-style': listStyle,
  'text-decoration': textDecoration,
  'flex-flow': (value) =>
    splitValue(value).map((word) => [/wrap/i.test(word) ? 'flex-wrap' : 'flex-direction', word] as const),
  gap: (value) => pair(['row-gap', 'column-gap'], value),
  'grid-gap': (value) => pair(['row-gap', 'column-gap'], value),
  overflow: (value) => pair(['overflow-x', 'overflow-y'], value),
  'place-items': (value) => pair(['align-items', 'justify-items'], value),
  'place-content': (value) => pair(['align-content', 'justify-content'], value),
  'place-self': (value) => pair(['align-self', 'justify-self'], value),
  'grid-row': (value) => gridLines('row', value),
  'grid-column': (value) => gridLines('column', value),
  'grid-template': (value) => {
    const [rows = '', columns] = splitValue(value, '/');
    const words = splitValue(rows);
    const isArea = (word: string) => /^["']/.test(word);
    // After each row of areas is the size of its track, which is `auto` by itself.
    const sizes = words.map((word, i) => (!isArea(word) ? word : isSize(words[i + 1]) ? '' : 'auto'));
    const areas = words.filter(isArea).join(' ');
    return columns === undefined && areas === '' && !/^none$/i.test(value)
      ? []
      : [
          ['grid-template-rows', sizes.filter((size) => size !== '').join(' ')],
          ['grid-template-columns', columns ?? 'none'],
          ['grid-template-areas', areas || 'none'],
        ];
  },
  columns: (value) => {
    const words = splitValue(value).filter((word) => !/^auto$/i.test(word));
    return [
      ['column-count', words.find((word) => /^\d+$/.test(word)) ?? 'auto'],
      ['column-width', words.find((word) => !/^\d+$/.test(word)) ?? 'auto'],
    ];
  },
  'column-rule': (value) => line('column-rule', value),
  'page-break-before': (value) => [['break-before', value.replace(/^always$/i, 'page')]],
  'page-break-after': (value) => [['break-after', value.replace(/^always$/i, 'page')]],
  'page-break-inside': (value) => [['break-inside', value]],
  'word-wrap': (value) => [['overflow-wrap', value]],
  'text-combine-upright': () => [],
  'grid-row-gap': (value) => [['row-gap', value]],
  'grid-column-gap': (value) => [['column-gap', value]],
});

const isSize = (word: string | undefined): boolean => word !== undefined && !/^["'[]/.test(word);

/** Properties that Chromium takes with its old prefix, too; of masks not how they are combined, which had other words. */
const ALIAS =
  /^-webkit-(align-(content|items|self)|backface-visibility|background-(clip|origin|size)|border-(top-left-|top-right-|bottom-left-|bottom-right-)?radius|box-(shadow|sizing)|clip-path|column-[a-z-]+|columns|filter|flex(-[a-z]+)?|justify-content|line-clamp|mask(-clip|-image|-origin|-position|-repeat|-size)?|opacity|order|perspective|transform(-origin)?)$/;

/** Prefixed properties that are drawn, or named where they are not. */
const PREFIXED =
  /^-webkit-(appearance|box-(align|decoration-break|flex|orient|pack|reflect)|text-(fill-color|stroke.*))$/;

/** Whether a property with a prefix is one that browsers still take. */
export const isTaken = (prefixed: string): boolean => ALIAS.test(prefixed) || PREFIXED.test(prefixed);

/** `margin-inline-start` and the like, of text from left to right; and the property that an alias stands for. */
function physical(given: string): string {
  const property = ALIAS.test(given) ? given.slice('-webkit-'.length) : given;
  const found = /^(margin|padding|border|inset)-(inline|block)-(start|end)(-\w+)?$/.exec(property);
  if (found) {
    const side = LOGICAL[`${found[2]}-${found[3]}`] ?? '';
    return found[1] === 'inset' ? side : `${found[1]}-${side}${found[4] ?? ''}`;
  }
  const corner = /^border-(start|end)-(start|end)-radius$/.exec(property);
  if (corner) return `border-${LOGICAL[`block-${corner[1]}`]}-${LOGICAL[`inline-${corner[2]}`]}-radius`;
  return property.replace(/^(min-|max-)?inline-size$/, '$1width').replace(/^(min-|max-)?block-size$/, '$1height');
}

const DISPLAYS =
  /^(none|contents|block|inline|inline-block|flow-root|list-item|(inline-)?(flex|grid|table)|table-[a-z-]+|-webkit-(inline-)?(box|flex)|ruby(-[a-z-]+)?|math|run-in|block flow|block flow-root|inline flow-root)$/i;
const SIZED =
  /^(min-|max-)?(width|height)$|^(padding|margin)-(top|right|bottom|left)$|^(top|right|bottom|left)$|^font-size$/;
const SIZE =
  /^(auto|none|(-webkit-|-moz-)?(min-content|max-content|fit-content|fill-available|available)|stretch|content|(x{1,3}-)?(small|large)|medium|smaller|larger|[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?(%|[a-z]+)|[a-z-]+\(.*\))$/is;

/** Whether a browser would take a value: of properties for which a wrong one is known to be written. */
function isValid(property: string, value: string): boolean {
  if (WIDE.test(value)) return true;
  if (property === 'display') return DISPLAYS.test(value);
  // CSS Values 4, 9.3: of three words none is a position, but behind a box.
  if (property === 'object-position') return splitValue(value).length !== 3;
  if (property === 'border-spacing') return !/%|(^|\s)-/.test(value);
  if (SIZED.test(property)) {
    const isNegative = Number.parseFloat(value) < 0;
    const isZero = /^[+-]?[0.]+$/.test(value);
    return (isZero || SIZE.test(value)) && !(isNegative && !/^(margin|top|right|bottom|left)/.test(property));
  }
  // What is a colour to browsers, and none here, is named where it is used.
  if (/^(background-|border-\w+-)?color$/.test(property))
    return (
      /\(\s*from\s|^(color|contrast-color)\(/i.test(value) ||
      (value.length < 200 && parseCssColor(value, BLACK) !== null)
    );
  return true;
}

/** Whether a condition of `@supports` holds (CSS Conditional 3, 6): as far as values are known to be wrong. */
export function supports(condition: string): boolean {
  const text = condition.trim();
  if (/^not\b/i.test(text)) return !supports(text.slice(3));
  const parts = splitConditions(text);
  if (parts.length > 1) return /\)\s*or\b/i.test(text) ? parts.some(supports) : parts.every(supports);
  const [, inside] = /^\(([\s\S]*)\)$/.exec(text) ?? [];
  if (inside === undefined) return /^selector\(/i.test(text);
  if (/^\s*(\(|not\b|selector\()/i.test(inside)) return supports(inside);
  const [property = '', ...value] = inside.split(':');
  if (value.length === 0 || !/^\s*(--|[a-z-]*[a-z]\s*$)/i.test(property) || /^\s*unknown/i.test(property)) return false;
  return expandShorthand(property.trim().toLowerCase(), value.join(':').trim()).length > 0;
}

function splitConditions(text: string): readonly string[] {
  const parts: string[] = [];
  let from = 0;
  for (let open = text.indexOf('('); open >= 0; open = text.indexOf('(', from)) {
    const end = closing(text, open) + 1;
    const part = text.slice(from, end).replace(/^\s*(and|or)\b/i, '');
    parts.push(part.trim());
    from = end;
  }
  return parts;
}

const WIDE = /^(inherit|initial|unset|revert|revert-layer)$/i;
/** What a value stands for that can be expanded once its `var()` are known. */
const PENDING = '\u0001';

/** Sides that are those of the direction of words. */
const INLINE = /inline|-(start|end)-(start|end)-/;
const mirrored = (property: string): string =>
  property.replace(/\b(left|right)\b/, (side) => (side === 'left' ? 'right' : 'left'));

/** The same where words go from right to left. */
export function expandFromRight(property: string, value: string): Longhands {
  const found = expandShorthand(property, value);
  if (!INLINE.test(property)) return found;
  const pending = `${PENDING}${MIRRORED}`;
  return found.map(([name, text]) => [mirrored(name), text.startsWith(PENDING) ? `${pending}${text.slice(1)}` : text]);
}

/** Gradients as WebKit had them before they were CSS: from a side, and with angles that begin on the right. */
const withoutPrefix = (value: string): string =>
  value.replace(
    /-webkit-((?:repeating-)?linear-gradient)\(\s*(?:(-?[\d.]+)deg|((?:top|bottom|left|right)\b(?:\s+(?:top|bottom|left|right)\b)?))?/gi,
    (_, name: string, angle?: string, sides?: string) => {
      const to = sides?.replace(/\w+/g, (side) => OPPOSITE[side.toLowerCase()] ?? side);
      return `${name}(${angle ? `${90 - Number(angle)}deg` : to ? `to ${to}` : ''}`;
    },
  );
const OPPOSITE: Readonly<Record<string, string>> = { top: 'bottom', bottom: 'top', left: 'right', right: 'left' };
const MIRRORED = '~';

/** What a declaration sets. Of a shorthand with `var()`, each property waits for that (`expandPending`). */
export function expandShorthand(property: string, given: string): Longhands {
  const name = physical(property);
  const value = withoutPrefix(given);
  if (name === 'all' && WIDE.test(value)) return [['all', value]];
  const expand = SHORTHANDS.get(name);
  const hasVariables = /\b(var|env)\(/i.test(value);
  if (!expand) return hasVariables || isValid(name, value) ? [[name, value]] : [];
  if (WIDE.test(value)) return namesOf(name).map((each) => [each, value] as const);
  if (!hasVariables) {
    const found = expand(value);
    return found.every(([each, text]) => isValid(each, text)) ? found : [];
  }
  return namesOf(name).map((each) => [each, `${PENDING}${name}${PENDING}${value}`] as const);
}

/** The value of a property, of one that was waiting too; null = it is not in it. */
export function expandPending(property: string, value: string): string | null {
  if (!value.startsWith(PENDING)) return value;
  const [, given = '', whole = ''] = value.split(PENDING);
  const isMirrored = given.startsWith(MIRRORED);
  const [shorthand, wanted] = isMirrored ? [given.slice(1), mirrored(property)] : [given, property];
  return SHORTHANDS.get(shorthand)?.(whole).findLast(([name]) => name === wanted)?.[1] ?? null;
}

const SAMPLES: Readonly<Record<string, string>> = {
  font: 'italic bold 1px/1 a',
  'flex-flow': 'row wrap',
  columns: '1 1px',
  'grid-template': '1px / 1px',
};
/** The properties that each sets. */
const NAMES: ReadonlyMap<string, readonly string[]> = new Map(
  [...SHORTHANDS].map(([name, expand]) => [
    name,
    [...new Set(expand(SAMPLES[name] ?? '1px').map(([property]) => property))],
  ]),
);

const namesOf = (shorthand: string): readonly string[] => NAMES.get(shorthand) ?? [];
