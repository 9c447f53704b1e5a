// The rules of HTML's default style sheet that satori lacks, in a cascade layer, so that any rule of a page overrides
// them.
//
// The page and its body are as high as the canvas, as in chromium/draw-html.ts, so that percentage heights work.

export const USER_AGENT_STYLE = `@layer platen-ua {
html, body { height: 100% }
body { margin: 0 }
a[href] { color: #0000ee; text-decoration: underline }
ins { text-decoration: underline }
del, strike { text-decoration: line-through }
cite, dfn, var { font-style: italic }
samp, tt { font-family: monospace }
sub, sup { font-size: smaller }
}`;
