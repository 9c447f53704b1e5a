// The studio's only Trusted Types policy: it allows scripts of this server, SVG that our own code wrote, and SVG to be read.

interface Policy {
  createScriptURL(url: string): string;
  createHTML(markup: string): string;
}

const rules = {
  createScriptURL(url: string): string {
    const { origin, pathname } = new URL(url, location.href);
    if (origin !== location.origin || !pathname.startsWith('/studio/')) throw new TypeError(`Not our script: ${url}`);
    return url;
  },
  createHTML: (markup: string) => markup,
};

const factory = (globalThis as { trustedTypes?: { createPolicy(name: string, rules: Policy): Policy } }).trustedTypes;
const policy: Policy = factory?.createPolicy('platen', rules) ?? rules;

/** For `new Worker`. Throws for any URL that is not on this server. */
export const scriptUrl = (url: string): string => policy.createScriptURL(url);

/** For `innerHTML` of SVG that core wrote from a display list; never for text from anywhere else. */
export const ownSvg = (markup: string): string => policy.createHTML(markup);

/** Parses SVG from anywhere, to be read: its document is shown nowhere and runs nothing. */
export const parseSvg = (markup: string): Document =>
  new DOMParser().parseFromString(policy.createHTML(markup), 'image/svg+xml');
