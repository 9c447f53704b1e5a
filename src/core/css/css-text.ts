// Splits CSS text into declarations, rules and addresses: the part of CSS Syntax 3 that this needs.
//
// Values are only located, not parsed: strings, brackets and comments are recognised because they may hide a semicolon
// or brace. Runs in linear time: the text may be hostile.

export interface Declaration {
  /** Lower case, except custom properties. */
  readonly property: string;
  readonly value: string;
  /** Line in the text, starting at 1. */
  readonly line: number;
  /** The selectors of its rule; '' in a `style` attribute. */
  readonly selectors: string;
}

export interface StyleSheetParts {
  readonly declarations: readonly Declaration[];
  /** Text before a block, or ending in a semicolon outside all blocks: selectors and at-rules. */
  readonly preludes: readonly { readonly text: string; readonly line: number }[];
}

/** A comment, a string, an escape, an unquoted address, or one character. */
const TOKEN =
  /\/\*[\s\S]*?(?:\*\/|$)|"(?:[^"\\\n]|\\[\s\S])*"?|'(?:[^'\\\n]|\\[\s\S])*'?|\\[\s\S]|url\(\s*[^"'\s)][^)]*\)?|[\s\S]/giy;

interface Chunk {
  readonly text: string;
  readonly end: ';' | '{' | '}' | '';
  readonly line: number;
  /** Number of enclosing blocks. */
  readonly depth: number;
}

/** The text between semicolons and braces, without comments. */
function* chunksOf(css: string): Generator<Chunk> {
  let text = '';
  let brackets = 0;
  let depth = 0;
  let line = 1;
  let begins = 1;
  let isBlank = true;
  for (const [token] of css.matchAll(TOKEN)) {
    if (!token.startsWith('/*')) {
      if (isBlank) begins = line;
      if (token === '(' || token === '[') brackets += 1;
      else if (token === ')' || token === ']') brackets = Math.max(0, brackets - 1);
      if (token === '{' || token === '}' || (token === ';' && brackets === 0)) {
        yield { text: text.trim(), end: token, line: begins, depth };
        if (token === '{') depth += 1;
        else if (token === '}') depth = Math.max(0, depth - 1);
        text = '';
        isBlank = true;
        brackets = 0;
      } else {
        text += token;
        isBlank &&= token.trim() === '';
      }
    }
    for (let at = token.indexOf('\n'); at >= 0; at = token.indexOf('\n', at + 1)) line += 1;
  }
  yield { text: text.trim(), end: '', line: begins, depth };
}

const DECLARATION = /^(--[\w-]+|-?[A-Za-z][A-Za-z-]*)\s*:([\s\S]*)$/;

function declarationOf({ text, line }: Chunk, selectors = ''): Declaration | null {
  const [, name = '', value = ''] = DECLARATION.exec(text) ?? [];
  if (name === '') return null;
  return { property: name.startsWith('--') ? name : name.toLowerCase(), value: value.trim(), line, selectors };
}

/** Has no white space before the mark, which would take quadratic time to look for. */
const IMPORTANT = /!\s*important$/i;

export const isImportant = (value: string): boolean => IMPORTANT.test(value.trimEnd());

/** A value without a final `!important`. */
export const withoutImportant = (value: string): string => value.trimEnd().replace(IMPORTANT, '').trimEnd();

/** The declarations of a `style` attribute. */
export function readDeclarations(css: string): readonly Declaration[] {
  return [...chunksOf(css)].flatMap((chunk) => declarationOf(chunk) ?? []);
}

export function readStyleSheet(css: string): StyleSheetParts {
  const declarations: Declaration[] = [];
  const preludes: { text: string; line: number }[] = [];
  /** Selectors of the blocks around, those of at-rules being what stands around them. */
  const around: string[] = [];
  for (const chunk of chunksOf(css)) {
    const isDeclaration = chunk.end !== '{' && chunk.depth > 0 && !chunk.text.startsWith('@');
    const selectors = around.at(-1) ?? '';
    const declaration = isDeclaration ? declarationOf(chunk, selectors) : null;
    if (declaration) declarations.push(declaration);
    else if (chunk.text !== '') preludes.push({ text: chunk.text, line: chunk.line });
    if (chunk.end === '{') around.push(chunk.text.startsWith('@') ? selectors : chunk.text);
    else if (chunk.end === '}') around.pop();
  }
  return { declarations, preludes };
}

/** A block of declarations, or an at-rule without a block. */
export interface StyleRule {
  /** The selectors of the rules around it and its own, outer ones first. */
  readonly selectors: readonly string[];
  /** The at-rules around it, or the one that it is, outer ones first. */
  readonly atRules: readonly string[];
  readonly declarations: readonly Declaration[];
}

/** Most rules in one another; deeper ones are left out. */
const MAX_NESTED = 32;

/** The rules of a style sheet in their order; declarations after a nested rule are a rule of their own. */
export function readRules(css: string): readonly StyleRule[] {
  const rules: StyleRule[] = [];
  const around: string[] = [];
  let declarations: Declaration[] = [];
  const isAtRule = (text: string) => text.startsWith('@');
  const end = () => {
    if (declarations.length > 0 && around.length <= MAX_NESTED) {
      const selectors = around.filter((text) => !isAtRule(text));
      rules.push({ selectors, atRules: around.filter(isAtRule), declarations });
    }
    declarations = [];
  };
  for (const chunk of chunksOf(css)) {
    const declaration = chunk.end !== '{' && chunk.depth > 0 ? declarationOf(chunk) : null;
    if (declaration) declarations.push(declaration);
    else if (chunk.end === ';' && chunk.text.startsWith('@')) {
      rules.push({ selectors: [], atRules: [...around.filter(isAtRule), chunk.text], declarations: [] });
    }
    if (chunk.end === '{' || chunk.end === '}') end();
    if (chunk.end === '{') around.push(chunk.text);
    else if (chunk.end === '}') around.pop();
  }
  // What is not closed ends with the sheet (CSS Syntax 3, 5.4).
  end();
  return rules;
}

/**
 * Takes at-rules with blocks, outside all blocks, out of a style sheet.
 *
 * @returns their text, and the rest with the same line breaks
 */
export function takeAtRules(css: string, name: string): { readonly taken: string; readonly rest: string } {
  if (!css.includes(name)) return { taken: '', rest: css };
  let [taken, rest, text, plain, depth] = ['', '', '', '', 0];
  for (const [token] of css.matchAll(TOKEN)) {
    text += token;
    plain += token.startsWith('/*') ? ' ' : token;
    if (token === '{') depth += 1;
    else if (token === '}') depth = Math.max(0, depth - 1);
    if (depth > 0 || (token !== '}' && token !== ';')) continue;
    const own = plain.trimStart();
    const isTaken = own.startsWith(name) && !/^\w/.test(own.slice(name.length));
    if (isTaken) taken += text;
    rest += isTaken ? text.replace(/[^\n]+/g, '') : text;
    text = plain = '';
  }
  return { taken, rest: rest + text };
}

/**
 * A style sheet, or a `style` attribute, with other declarations.
 *
 * @param change the declarations that stand for one; null = itself
 */
export function mapDeclarations(
  css: string,
  change: (declaration: Declaration) => readonly (readonly [property: string, value: string])[] | null,
): string {
  return [...chunksOf(css)]
    .map((chunk) => {
      const declaration = chunk.end === '{' ? null : declarationOf(chunk);
      const changed = declaration && change(declaration);
      if (!changed) return `${chunk.text}${chunk.end}`;
      const text = changed.map(([property, value]) => `${property}: ${value}`).join(';');
      return changed.length === 0 && chunk.end !== '}' ? '' : `${text}${chunk.end}`;
    })
    .join('\n');
}

/** The index of the bracket that closes the one at `open`; the length of the text where there is none. */
export function closing(text: string, open: number): number {
  let depth = 0;
  for (let at = open; at < text.length; at += 1) {
    if (text[at] === '(') depth += 1;
    else if (text[at] === ')') depth -= 1;
    if (depth === 0) return at;
  }
  return text.length;
}

const STRING_OR_URL =
  /\/\*[\s\S]*?(?:\*\/|$)|url\(\s*(?:(?:"([^"\\\n]*)"|'([^'\\\n]*)'|([^"'\s()\\]+))\s*)?\)|"(?:[^"\\\n]|\\[\s\S])*"?|'(?:[^'\\\n]|\\[\s\S])*'?/gi;

/** Replaces each address of a `url()` in `css`; strings and comments are unchanged. */
export function replaceUrls(css: string, replace: (url: string) => string): string {
  return css.replace(STRING_OR_URL, (whole, double, single, bare) =>
    /^url\(/i.test(whole) ? `url("${replace((double ?? single ?? bare ?? '').trim())}")` : whole,
  );
}

/** The addresses of all `url()` functions. */
export const urlsOf = (css: string): readonly string[] =>
  [...css.matchAll(STRING_OR_URL)].flatMap(([whole, double, single, bare]) =>
    /^url\(/i.test(whole) ? [(double ?? single ?? bare ?? '').trim()] : [],
  );
