// Lists, page by page, where a viewer or an extractor is at fault, so that the viewer tests ignore it.
//
// Versions: poppler 22.12, MuPDF 1.21, Ghostscript 10.00, PDFium of @hyzyla/pdfium 2.1, pdf.js 6.5 in Chromium.

import type { Found } from './judge-text.ts';

type ByProgram<T> = Readonly<Record<string, T>>;

/**
 * Pages with blocks that are too far from the PNG, and what the viewer does to them. Each was inspected in all five
 * viewers. Letters at whole px were also measured: with eight times the pixels, all viewers have them where the PNG
 * does.
 */
export const KNOWN_PIXELS: Readonly<Record<string, ByProgram<string>>> = {
  'samples/invoice': {
    Ghostscript: 'sets letters at whole px',
    'pdf.js': 'Chromium sets letters at whole px',
  },
  'barcode/gs1-128': { Ghostscript: 'widens bars that begin between px' },
  'barcode/pdf417': { Ghostscript: 'widens bars that begin between px' },
  'chart/long': { Ghostscript: 'sets letters at whole px', 'pdf.js': 'Chromium sets letters at whole px' },
  'modifications/barcode': { Ghostscript: 'widens bars that begin between px' },
  'modifications/format': {
    Ghostscript: 'sets letters at whole px',
    'pdf.js': 'Chromium sets letters at whole px',
  },
  'effects/blend-hue-saturation': { poppler: 'loses the middle channel when it sets the saturation' },
  'effects/blend-text': {
    poppler: 'widens pictures to whole px: the photo lies up to a px lower',
    MuPDF: 'widens pictures to whole px: the photo lies up to a px lower',
  },
  'frame/border': { PDFium: 'leaves out the last dot of a dotted line' },
  'frame/border-sides': { PDFium: 'leaves out the last dot of a dotted line' },
  'frame/text-pushes': { 'pdf.js': 'Chromium sets letters at whole px' },
  'image/border-sides': { MuPDF: 'widens pictures to whole px: the photo lies up to a px higher' },
  'image/fit-contain': { poppler: 'widens pictures to whole px' },
  'image/focus-contain': { poppler: 'widens pictures to whole px' },
  'mask/backdrop': { MuPDF: 'leaves out a translucent fill below a mask' },
  'mask/luminance': { Ghostscript: 'masks twice where a mask has one of its own' },
  'pages/footnotes': { PDFium: 'sets letters at whole px vertically' },
  'pages/flow': {
    poppler: 'sets letters at whole px vertically',
    Ghostscript: 'sets letters at whole px',
    PDFium: 'sets letters at whole px vertically',
    'pdf.js': 'Chromium sets letters at whole px',
  },
  'pdf/structure': {
    poppler: 'widens bars that begin between px',
    Ghostscript: 'widens bars that begin between px',
  },
  'table/contents': {
    poppler: 'widens bars that begin between px',
    Ghostscript: 'widens bars that begin between px',
    PDFium: 'widens bars that begin between px',
    'pdf.js': 'Chromium sets letters at whole px',
  },
  'table/sums': { 'pdf.js': 'Chromium sets letters at whole px' },
  'table/wide-shrunk': {
    Ghostscript: 'sets letters at whole px',
    PDFium: 'sets letters at whole px vertically',
    'pdf.js': 'Chromium sets letters at whole px',
  },
  'table/wrapping': {
    poppler: 'sets letters at whole px vertically',
    Ghostscript: 'sets letters at whole px',
    'pdf.js': 'Chromium sets letters at whole px',
  },
  'text/decoration': { poppler: 'draws thin lines at whole px', PDFium: 'draws thin lines at whole px' },
  'text/hyphens-auto': {
    Ghostscript: 'sets letters at whole px',
    'pdf.js': 'Chromium sets letters at whole px',
  },
  'text/lists': { PDFium: 'sets letters at whole px vertically' },
  'text/values': {
    poppler: 'widens bars that begin between px',
    MuPDF: 'widens bars that begin between px',
    Ghostscript: 'widens bars that begin between px',
  },
  'text/spans-family': {
    poppler: 'sets letters at whole px vertically',
    PDFium: 'sets letters at whole px vertically',
  },
  'text/spans-wrap': { PDFium: 'draws thin lines at whole px' },
  'text/vertical-spans': {
    Ghostscript: 'sets letters at whole px',
    MuPDF: 'sets letters at whole px',
    'pdf.js': 'Chromium sets letters at whole px',
  },
  'text/vertical-orientations': {
    poppler: 'sets letters at whole px',
    MuPDF: 'sets letters at whole px',
    Ghostscript: 'sets letters at whole px',
    PDFium: 'sets letters at whole px',
    'pdf.js': 'Chromium sets letters at whole px',
  },
};

/** The verdict on what is extracted, and the cause. */
export const KNOWN_TEXT: Readonly<Record<string, ByProgram<readonly [Found, string]>>> = {
  'samples/product-ad': { pdftotext: ['spacing', 'takes kerning on a slope for a space'] },
  'samples/quote-card': {
    pdftotext: ['lost', 'leaves out what stands beyond the page'],
    'pdf.js': ['lost', 'leaves out what stands beyond the page'],
  },
  'samples/welcome-poster': {
    MuPDF: ['lost', '1.21 splits emoji into halves of their surrogates'],
    'pdf.js': ['order', 'takes a vowel sign at the end of a word for one of its own'],
  },
  'chart/long': { pdftotext: ['spacing', 'takes labels beside each other for one line'] },
  'effects/flip': {
    pdftotext: ['lost', 'reads words in a mirror backwards'],
    MuPDF: ['twice', 'has the sign of a list, which the test does not expect'],
    'pdf.js': ['twice', 'has the sign of a list, which the test does not expect'],
  },
  'table/contents': {
    pdftotext: ['lost', 'reads what is in a row beside a picture after the next column'],
    MuPDF: ['twice', 'has the digits below codes, which the test does not expect'],
    'pdf.js': ['twice', 'has the digits below codes, which the test does not expect'],
  },
  'table/right-to-left': {
    pdftotext: ['order', 'reads a full stop that stands at the left before its words'],
    MuPDF: ['order', 'reads a full stop that stands at the left before its words'],
    'pdf.js': ['order', 'reads a full stop that stands at the left before its words'],
  },
  'table/wrapping': {
    pdftotext: ['lost', 'leaves out what stands beyond the page'],
    MuPDF: ['lost', 'leaves out what stands beyond the page'],
    'pdf.js': ['lost', 'leaves out what stands beyond the page'],
  },
  'text/lists': {
    pdftotext: ['twice', 'has the signs of lists, which the test does not expect'],
    MuPDF: ['twice', 'has the signs of lists, which the test does not expect'],
    'pdf.js': ['twice', 'has the signs of lists, which the test does not expect'],
  },
  'fonts/arabic-marks': { 'pdf.js': ['spacing', 'takes a vowel sign at the end of a word for one of its own'] },
  'fonts/emoji-flag': { MuPDF: ['lost', '1.21 splits emoji into halves of their surrogates'] },
  'fonts/emoji-skin-tone': { MuPDF: ['lost', '1.21 splits emoji into halves of their surrogates'] },
  'fonts/emoji-zwj': { MuPDF: ['lost', '1.21 splits emoji into halves of their surrogates'] },
  'fonts/mixed-scripts': {
    pdftotext: ['spacing', 'drops the space between runs of both directions'],
    'pdf.js': ['order', 'reads runs of both directions from left to right'],
  },
  'fonts/symbols': { pdftotext: ['spacing', 'sees no gap between wide symbols'] },
  'pages/footnotes': { pdftotext: ['order', 'reads the marks of notes, which are raised, as lines of their own'] },
  'pages/sheets': { pdftotext: ['order', 'reads pages that are drawn side by side line by line'] },
  'pdf/structure': {
    pdftotext: ['lost', 'leaves out what stands beyond the page'],
    'pdf.js': ['lost', 'leaves out what stands beyond the page'],
  },
  'table/align': { pdftotext: ['spacing', 'joins letters that stand alone'] },
  'table/keep': { pdftotext: ['spacing', 'joins letters that stand alone'] },
  'text/font-synthesis': { pdftotext: ['spacing', 'sees no gap between wide symbols'] },
  'text/arc-decorated': {
    MuPDF: ['spacing', 'takes letters on a circle one by one'],
    'pdf.js': ['spacing', 'takes letters on a circle one by one'],
  },
  'text/arc': {
    pdftotext: ['order', 'takes letters on a circle one by one'],
    MuPDF: ['spacing', 'takes letters on a circle one by one'],
    'pdf.js': ['order', 'takes letters on a circle one by one'],
  },
  'text/bidi-numbers': {
    pdftotext: ['spacing', 'drops the space between runs of both directions'],
    MuPDF: ['order', 'reads runs of both directions from left to right'],
    'pdf.js': ['order', 'reads runs of both directions from left to right'],
  },
  'text/brackets-mirrored': {
    MuPDF: ['order', 'reads runs of both directions from left to right'],
    'pdf.js': ['order', 'reads runs of both directions from left to right'],
  },
  'text/direction-auto': {
    pdftotext: ['order', 'reads runs of both directions from left to right'],
    MuPDF: ['order', 'reads runs of both directions from left to right'],
    'pdf.js': ['order', 'reads runs of both directions from left to right'],
  },
  'text/direction-ltr': { pdftotext: ['order', 'reads runs of both directions from left to right'] },
  'text/direction-rtl': {
    pdftotext: ['order', 'reads runs of both directions from left to right'],
    MuPDF: ['order', 'reads runs of both directions from left to right'],
    'pdf.js': ['order', 'reads runs of both directions from left to right'],
  },
  'text/font-variants': { pdftotext: ['order', 'reads columns by their place'] },
  'text/rotated': { pdftotext: ['order', 'reads turned lines from left to right'] },
  'text/spans-image-optional': {
    pdftotext: ['spacing', 'puts a space where a picture stands in the line'],
    MuPDF: ['spacing', 'puts a space where a picture stands in the line'],
    'pdf.js': ['spacing', 'puts a space where a picture stands in the line'],
  },
  'text/vertical-bidi': {
    pdftotext: ['order', 'reads runs of both directions from left to right'],
    MuPDF: ['order', 'reads runs of both directions from left to right'],
    'pdf.js': ['order', 'reads runs of both directions from left to right'],
  },
  'text/vertical-justify': {
    pdftotext: ['spacing', 'takes the turn between upright and lying letters for a space'],
    'pdf.js': ['spacing', 'takes the turn between upright and lying letters for a space'],
  },
  'text/vertical-mixed': { MuPDF: ['lost', '1.21 splits emoji into halves of their surrogates'] },
  'text/vertical-spans': {
    pdftotext: ['order', 'reads columns by their place'],
    MuPDF: ['spacing', 'puts a space where a picture stands in the line'],
    'pdf.js': ['spacing', 'puts a space where a picture stands in the line'],
  },
};
