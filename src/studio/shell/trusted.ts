// The one Trusted Types policy of the studio: scripts of this server only, and SVG that we wrote ourselves.

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

/** For `new Worker`. Throws for any address but one of ours. */
export const scriptUrl = (url: string): string => policy.createScriptURL(url);

/** For `innerHTML` of SVG that core wrote of a display list; never for text that came from anywhere else. */
export const ownSvg = (markup: string): string => policy.createHTML(markup);
