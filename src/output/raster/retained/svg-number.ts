// Numbers in, what the rasteriser reads of them out: rounded as SVG text spells them, in single precision.

/** A length: three decimals. */
export const lengthRead = (px: number): number => Math.fround(Math.round(px * 1000) / 1000);

/** A factor, an offset or an opacity: seven decimals. */
export const factorRead = (value: number): number => Math.fround(Math.round(value * 1e7) / 1e7);
