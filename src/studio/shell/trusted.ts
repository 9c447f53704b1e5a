// The studio's only Trusted Types policy: it allows SVG that our own code wrote, and SVG to be read. It allows no script.

interface Policy {
  createHTML(markup: string): string;
}

const rules: Policy = { createHTML: (markup) => markup };
const factory = (globalThis as { trustedTypes?: { createPolicy(name: string, rules: Policy): Policy } }).trustedTypes;
const policy = factory?.createPolicy('platen', rules) ?? rules;

/** For `innerHTML` of SVG that core wrote from a display list; never for text from anywhere else. */
export const ownSvg = (markup: string): string => policy.createHTML(markup);

/** Parses SVG from anywhere, to be read: its document is shown nowhere and runs nothing. */
export const parseSvg = (markup: string): Document =>
  new DOMParser().parseFromString(policy.createHTML(markup), 'image/svg+xml');
