// All gestures of the canvas (move, resize, rotate, draw, select by a rectangle) in one module, which is loaded after the
// first picture is shown.

export { DrawGesture, MarqueeGesture } from './draw-gestures.ts';
export { GuideGesture } from './guide-gesture.ts';
export { MoveGesture } from './move-gesture.ts';
export { ResizeGesture } from './resize-gesture.ts';
export { RadiusGesture, RotateGesture } from './rotate-gestures.ts';
