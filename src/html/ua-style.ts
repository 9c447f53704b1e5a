// What HTML's default style sheet says and satori does not: in a layer of its own, so that any rule of a page wins.
//
// The page and its body are as high as the canvas, as in chromium/draw-html.ts: percentages of the height count.

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
