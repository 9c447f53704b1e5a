// Writes React's style objects as CSS.

/** CSS properties whose numbers are not px (React's list). */
const UNITLESS =
  /^(animationIterationCount|aspectRatio|borderImage\w+|columnCount|columns|fillOpacity|flex|flexGrow|flexShrink|floodOpacity|fontWeight|gridArea|gridColumn\w*|gridRow\w*|lineClamp|lineHeight|opacity|order|orphans|scale|stopOpacity|strokeDasharray|strokeDashoffset|strokeMiterlimit|strokeOpacity|strokeWidth|tabSize|WebkitLineClamp|widows|zIndex|zoom|--.*)$/;

/** The declarations of a `style` attribute. */
export function cssOfStyle(style: object): string {
  return Object.entries(style)
    .filter(([, value]) => value !== null && value !== undefined && typeof value !== 'boolean' && value !== '')
    .map(([name, value]) => {
      const property = name.startsWith('--')
        ? name
        : name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`).replace(/^webkit-/, '-webkit-');
      const isLength = typeof value === 'number' && value !== 0 && !UNITLESS.test(name);
      return `${property}:${isLength ? `${value}px` : value}`;
    })
    .join(';');
}
