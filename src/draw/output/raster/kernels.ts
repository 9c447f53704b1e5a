// The interface of the WebAssembly kernels. Each kernel is documented at its source, in kernels/.
//
// Addresses and strides are numbers; a stride counts pixels, or bytes for a mask. The caller passes compiled bytes, so
// that this works wherever WebAssembly does.

import type { BlendMode } from '#core/blend-mode.ts';

/** The numbers of kernels/blend-modes.ts. */
export const BLEND_NUMBERS: Readonly<Record<BlendMode, number>> = {
  normal: 0,
  multiply: 1,
  screen: 2,
  overlay: 3,
  darken: 4,
  lighten: 5,
  'hard-light': 6,
  difference: 7,
  exclusion: 8,
  'color-dodge': 9,
  'color-burn': 10,
  'soft-light': 11,
  hue: 12,
  saturation: 13,
  color: 14,
  luminosity: 15,
};

export interface Kernels {
  readonly memory: WebAssembly.Memory;

  cover(path: number, pathEnd: number, x: number, y: number, columns: number, rows: number, isEvenOdd: boolean): number;
  coverLetter(
    path: number,
    pathEnd: number,
    scale: number,
    slant: number,
    originX: number,
    originY: number,
    most: number,
  ): number;
  intersectMasks(mask: number, other: number, length: number): void;
  addMask(mask: number, stride: number, other: number, pitch: number, width: number, height: number): number;

  indexColors(pixels: number, count: number, slots: number, found: number, to: number): number;
  digestRows(pixels: number, stride: number, width: number, height: number, key: number, to: number): void;
  packOnWhite(pixels: number, stride: number, width: number, height: number, to: number): void;

  fillRect(pixels: number, stride: number, width: number, height: number, color: number): void;
  layColor(
    pixels: number,
    stride: number,
    mask: number,
    pitch: number,
    width: number,
    height: number,
    color: number,
  ): void;
  layMasks(list: number, count: number, stride: number, color: number): void;
  layPixels(
    pixels: number,
    stride: number,
    source: number,
    pitch: number,
    width: number,
    height: number,
    mask: number,
    maskPitch: number,
    opacity: number,
  ): void;
  blend(
    mode: number,
    pixels: number,
    stride: number,
    source: number,
    pitch: number,
    color: number,
    width: number,
    height: number,
    mask: number,
    maskPitch: number,
    opacity: number,
  ): void;
  layPicture(
    pixels: number,
    stride: number,
    width: number,
    height: number,
    picture: number,
    pitch: number,
    right: number,
    bottom: number,
    u: number,
    v: number,
    uAcross: number,
    vAcross: number,
    uDown: number,
    vDown: number,
    mask: number,
    maskPitch: number,
    opacity: number,
  ): void;
  recolor(pixels: number, count: number, columns: number): void;

  fillGradient(
    isRadial: boolean,
    pixels: number,
    width: number,
    rows: number,
    x: number,
    y: number,
    axes: number,
    slopes: number,
    isOpaque: boolean,
  ): void;
  fillLinear(
    pixels: number,
    width: number,
    rows: number,
    x: number,
    y: number,
    axis: number,
    slopes: number,
    isOpaque: boolean,
  ): void;

  shrinkMask: Shrink;
  shrinkPixels: Shrink;
  convolveColumns(from: number, to: number, columns: number, rows: number, weights: number, radius: number): void;
  transpose(from: number, columns: number, rows: number, to: number): void;
  transposePixels(from: number, columns: number, rows: number, to: number): void;
  layBlurredMask(
    pixels: number,
    stride: number,
    width: number,
    height: number,
    plane: number,
    pitch: number,
    shift: number,
    left: number,
    top: number,
    mask: number,
    maskPitch: number,
    color: number,
    alpha: number,
    row: number,
  ): void;
  layBlurredPixels(
    pixels: number,
    stride: number,
    width: number,
    height: number,
    plane: number,
    pitch: number,
    shift: number,
    left: number,
    top: number,
    mask: number,
    maskPitch: number,
    opacity: number,
    row: number,
  ): void;
}

type Shrink = (
  source: number,
  width: number,
  height: number,
  shift: number,
  left: number,
  top: number,
  plane: number,
  pitch: number,
  sums: number,
) => void;

/** Instantiates the kernels with their own memory. */
export function instantiateKernels(compiled: WebAssembly.Module): Kernels {
  return new WebAssembly.Instance(compiled).exports as unknown as Kernels;
}
