// Finds invalid colours in CSS declarations.
//
// Satori accepts any word as a colour and draws unknown ones black or not at all, so a misspelt colour would go
// unnoticed. Values that only the cascade could resolve (`var()`, `calc()`, `from`) are left to satori.

import { parseColor } from '#core/color.ts';
import { withoutImportant } from '#core/css/css-text.ts';

const words = (text: string) => new Set(text.trim().split(/\s+/));

/** Properties whose value consists of colours only. */
const COLORS =
  /^((border(-(top|right|bottom|left|block|inline)(-(start|end))?)?|background|outline|text-decoration)-)?color$|^-webkit-text-(fill|stroke)-color$/;
/** Properties with colours among lengths, and the keywords that are neither. */
const WITH_COLORS: readonly (readonly [RegExp, ReadonlySet<string>])[] = [
  [/^(box|text)-shadow$/, words('inset none')],
  [/^-webkit-text-stroke$/, words('thin medium thick')],
];
const MAY_HOLD_GRADIENTS = /^(background|background-image|list-style|list-style-image|content)$/;
const OF_GRADIENTS = words(
  `to at from in top right bottom left center circle ellipse closest-side closest-corner farthest-side farthest-corner
  srgb srgb-linear display-p3 a98-rgb prophoto-rgb rec2020 lab oklab xyz xyz-d50 xyz-d65 hsl hwb lch oklch
  shorter longer increasing decreasing hue`,
);
const ANYWHERE = words('currentcolor inherit initial unset revert revert-layer');

/** Characters of a color, at most: the patterns of the color parser take quadratic time on longer ones. */
const LONGEST_COLOR = 200;

/** A function with its arguments, a string, or a word. */
const COMPONENT = /[\w-]*\((?:[^()]|\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\))*\)|"[^"]*"|'[^']*'|[^\s,/()"']+/g;
const componentsOf = (value: string): readonly string[] => value.match(COMPONENT) ?? [];

/** The first invalid colour in a value, or null. */
export function wrongColor(property: string, value: string): string | null {
  const bare = withoutImportant(value).replace(/\s+/g, ' ');
  if (COLORS.test(property)) return firstWrong(componentsOf(bare), new Set());
  const [, others] = WITH_COLORS.find(([properties]) => properties.test(property)) ?? [];
  if (others) return firstWrong(componentsOf(bare), others);
  if (!MAY_HOLD_GRADIENTS.test(property)) return null;
  for (const component of componentsOf(bare)) {
    const [, inside] =
      /^(?:-webkit-)?(?:repeating-)?(?:linear|radial|conic)-gradient\(([\s\S]*)\)$/i.exec(component) ?? [];
    const wrong = inside === undefined ? null : firstWrong(componentsOf(inside), OF_GRADIENTS);
    if (wrong !== null) return wrong;
  }
  return null;
}

function firstWrong(components: readonly string[], others: ReadonlySet<string>): string | null {
  return components.find((each) => !isKnown(each.toLowerCase(), others)) ?? null;
}

function isKnown(component: string, others: ReadonlySet<string>): boolean {
  // A number, a length, an angle.
  if (/^[+-]?\.?\d/.test(component) || others.has(component) || ANYWHERE.has(component)) return true;
  const isFunction = component.endsWith(')');
  if (isFunction && !/^(rgba?|hsla?|hwb|lab|lch|oklab|oklch|color)\(/.test(component)) return true;
  if (isFunction && /\b(var|calc|min|max|clamp)\(|\bfrom\b/.test(component)) return true;
  return component.length <= LONGEST_COLOR && parseColor(component) !== null;
}
