// Turns an SVG file, such as Figma exports, into layers that can be edited one by one: groups, shapes, texts, pictures,
// gradients, clips, shadows. What layers cannot express is left out, and listed.
//
// Transforms are applied to what they are on: a layer has a place, a size and a rotation. So a frame is the box around
// the layers of its group. Unlike read-svg.ts, this reads files as people have them, once their CSS is plain attributes.

import { BLEND_MODES } from '#core/blend-mode.ts';
import { ValidationError } from '#core/diagnostics.ts';
import {
  centreOf,
  IDENTITY,
  type Matrix,
  multiply,
  type Point,
  type Rect,
  type Size,
  transformPoint,
  transformRect,
  union,
} from '#core/geometry.ts';
import { type PathData, pathBounds, transformPath, withPoints } from '#core/path.ts';
import { parsePathData } from '#core/path-data.ts';
import { naturalSizeOf, parseViewBox, viewBoxMatrix } from '#core/svg/natural-size.ts';
import { FAR, plainSvg } from '#core/svg/plain-svg.ts';
import { elementsIn, FIXED_STROKE, type SvgElement } from '#core/svg/read-attributes.ts';
import { type SvgStyle, styleLength, styleOf } from '#core/svg/style.ts';
import { pathString } from '#core/svg/syntax.ts';
import { transformIn } from '#core/svg/transforms.ts';
import {
  hrefOf,
  type ImportedPaint,
  idIn,
  importedEffects,
  opacityOf,
  type PaintBox,
  SvgPaints,
} from './import-paint.ts';
import { type ImportedText, textLayersOf } from './import-text.ts';

export { familyFinder } from './import-text.ts';

/** A layer as a template stores it. */
export interface ImportedLayer {
  readonly type: string;
  readonly name: string;
  readonly children?: readonly ImportedLayer[];
  readonly [property: string]: unknown;
}

export interface ImportedSvg {
  /** Of the drawing, px: whole numbers of at least 1. */
  readonly width: number;
  readonly height: number;
  /** Back to front. */
  readonly layers: readonly ImportedLayer[];
  /** What the layers do not show, a sentence each. */
  readonly omitted: readonly string[];
}

export interface ImportOptions {
  /** The family that the server has under a name of CSS, which may be generic; null = none. */
  readonly familyOf: (name: string) => string | null;
}

/** A layer with its box on the canvas, before its own rotation. */
interface Made {
  readonly box: Rect;
  readonly layer: ImportedLayer;
}

/** Layers of one drawing; parts that it may refer to over and over; frames in frames; characters of path data. */
const [MAX_LAYERS, MAX_PARTS, MAX_FRAMES, MAX_PATH, MAX_PATHS] = [2_000, 20_000, 10, 20_000, 60_000];
/** Elements in elements. */
const MAX_DEPTH = 60;
const MAX_OMITTED = 50;
const NO_STYLE: SvgStyle = new Map();
/** What shows nothing by itself. */
const UNSEEN =
  /^(defs|title|desc|metadata|style|script|symbol|clipPath|mask|filter|pattern|marker|linearGradient|radialGradient|animate\w*|set)$/;
const RESERVED = /^(sig|scale|q)$/;

/**
 * @param root the `<svg>` element
 * @throws ValidationError where the selectors of style sheets take too long to match
 */
export function importSvg(root: SvgElement, options: ImportOptions): ImportedSvg {
  const refusal = (what: string) => new ValidationError('', `The SVG file has ${what}.`);
  const { root: plain, leftOut } = plainSvg(root, naturalSizeOf(root.attributes), refusal);
  return new SvgImport(plain, leftOut, options).run();
}

class SvgImport {
  readonly #root: SvgElement;
  readonly #options: ImportOptions;
  readonly #byId = new Map<string, SvgElement>();
  readonly #paints: SvgPaints;
  readonly #names = new Set<string>();
  /** The last number of each name that repeats: counting from 2 each time would take quadratic time. */
  readonly #counts = new Map<string, number>();
  readonly #omitted = new Set<string>();
  #canvas: Rect = { x: 0, y: 0, width: 1, height: 1 };
  #parts = 0;
  #layers = 0;
  #pathCharacters = 0;

  constructor(root: SvgElement, leftOut: readonly string[], options: ImportOptions) {
    this.#root = root;
    this.#options = options;
    for (const what of leftOut) this.#omit(`${what} has no counterpart and is left out.`);
    this.#index(root);
    this.#paints = new SvgPaints(this.#byId);
  }

  run(): ImportedSvg {
    const size = naturalSizeOf(this.#root.attributes);
    const [width, height] = [size.width, size.height].map((side) => Math.min(16_384, Math.max(1, Math.round(side))));
    const canvas = { x: 0, y: 0, width: width ?? 1, height: height ?? 1 };
    this.#canvas = canvas;
    const matrix = viewBoxMatrix(this.#root, canvas);
    const style = styleOf(this.#root, NO_STYLE);
    const made = this.#children(this.#root, matrix, style, 0, viewOf(this.#root, canvas));
    const layers = made.map(({ layer }) => layer);
    return { width: canvas.width, height: canvas.height, layers, omitted: [...this.#omitted].slice(0, MAX_OMITTED) };
  }

  #index(element: SvgElement): void {
    const id = element.attributes.get('id');
    if (id !== undefined && !this.#byId.has(id)) this.#byId.set(id, element);
    for (const child of elementsIn(element)) this.#index(child);
  }

  #children(parent: SvgElement, matrix: Matrix, style: SvgStyle, depth: number, view: Rect): readonly Made[] {
    if (depth > MAX_DEPTH) return this.#omit('Groups nested more than 60 deep are left out.');
    return elementsIn(parent).flatMap((element) => this.#element(element, matrix, style, depth, view));
  }

  #element(element: SvgElement, outer: Matrix, around: SvgStyle, depth: number, view: Rect): readonly Made[] {
    if (UNSEEN.test(element.name)) return [];
    this.#parts += 1;
    if (this.#parts > MAX_PARTS) return this.#omit('The drawing has more than 20,000 parts: the others are left out.');
    const style = styleOf(element, around);
    if (style.get('display') === 'none' || /hidden|collapse/.test(style.get('visibility') ?? '')) return [];
    const matrix = multiply(outer, transformIn(style.get('transform')));
    const content = this.#content(element, matrix, style, depth, view);
    return this.#finished(element, content, matrix, style, view);
  }

  #content(element: SvgElement, matrix: Matrix, style: SvgStyle, depth: number, view: Rect): readonly Made[] {
    switch (element.name) {
      case 'g':
      case 'a':
        return this.#children(element, matrix, style, depth + 1, view);
      case 'svg': {
        const box = boxOf(element, view, view);
        const inner = multiply(matrix, viewBoxMatrix(element, box));
        return this.#children(element, inner, style, depth + 1, viewOf(element, box));
      }
      case 'use':
        return this.#use(element, matrix, style, depth, view);
      case 'image':
        return this.#image(element, matrix, view);
      case 'text':
        return this.#text(element, matrix, style);
      case 'rect':
      case 'circle':
      case 'ellipse':
      case 'line':
      case 'polyline':
      case 'polygon':
      case 'path':
        return this.#shape(element, matrix, style, view);
      default:
        return this.#omit(`<${element.name}> has no counterpart and is left out.`);
    }
  }

  #use(element: SvgElement, matrix: Matrix, style: SvgStyle, depth: number, view: Rect): readonly Made[] {
    const target = this.#byId.get(hrefOf(element).slice(1));
    if (!target) return this.#omit('A reference outside the file is left out.');
    if (depth > MAX_DEPTH) return [];
    const at = multiply(matrix, [1, 0, 0, 1, ownLength(element, 'x'), ownLength(element, 'y')]);
    if (target.name !== 'symbol') return this.#element(target, at, style, depth + 1, view);
    const box = { x: 0, y: 0, width: ownLength(element, 'width'), height: ownLength(element, 'height') };
    const inner = box.width > 0 && box.height > 0 ? viewBoxMatrix(target, box) : IDENTITY;
    return this.#children(target, multiply(at, inner), style, depth + 1, view);
  }

  /** Applies what an element has as a whole: opacity, blending, effects, clips. */
  #finished(
    element: SvgElement,
    content: readonly Made[],
    matrix: Matrix,
    style: SvgStyle,
    view: Rect,
  ): readonly Made[] {
    const [only] = content;
    if (!only) return [];
    const isGroup = /^(g|a|svg|use)$/.test(element.name);
    const name = nameIn(element);
    const label = name ?? String(only.layer.name);
    const look = this.#lookOf(style, matrix, label);
    const clip = this.#clipOf(style, matrix, label, view);
    const hasLook = Object.keys(look.own).length > 0 || look.shadows.length > 0;
    if (!isGroup && content.length === 1 && !clip) return [dressed(only, look.own, look.shadows)];
    if (isGroup && !clip) {
      if (content.length === 1) {
        const named = name === null || nameWasGiven(only) ? only : this.#renamed(only, name);
        return [dressed(named, look.own, look.shadows)];
      }
      // A group without anything of its own only matters for its name.
      if (!hasLook && name === null && element.name !== 'g') return content;
      if (frameDepth(content) >= MAX_FRAMES) {
        if (hasLook) this.#omit(`“${label}” is nested too deep to be a group: its opacity and effects are left out.`);
        return content;
      }
    }
    if (look.shadows.length > 0 && content.length > 1)
      this.#omit(`The shadow of “${label}” is one of each of its layers instead of one of the group.`);
    const inside = content.map((made) => dressed(made, {}, look.shadows));
    const frame = this.#frame(inside, name ?? (clip ? 'clip' : 'group'), clip, look.own);
    return frame ? [frame] : [];
  }

  #frame(
    content: readonly Made[],
    name: string,
    clip: ImportedClip | null,
    own: Readonly<Record<string, unknown>>,
  ): Made | null {
    const around =
      clip?.box ?? content.reduce<Rect | null>((before, { box }) => union(before, box), null) ?? this.#canvas;
    const box = tidyBox(around);
    const children = content.map(({ box: inner, layer }) => ({ ...layer, ...placeIn(inner, box) }));
    const { width, height } = box;
    const layer = this.#layer('frame', name, {
      ...{ x: box.x, y: box.y, width, height },
      ...(clip?.isRect && { clip: true }),
      ...(clip?.radius && { borderRadius: clip.radius }),
      ...(clip?.mask && { mask: clip.mask }),
      ...own,
      children,
    });
    return layer && { box, layer };
  }

  #lookOf(style: SvgStyle, matrix: Matrix, label: string) {
    const own: Record<string, unknown> = {};
    const opacity = opacityOf(style.get('opacity'));
    if (opacity < 1) own.opacity = tidy(opacity, 3);
    const blend = style.get('mix-blend-mode') ?? 'normal';
    if (blend !== 'normal') {
      if ((BLEND_MODES as readonly string[]).includes(blend)) own.blendMode = blend;
      else this.#omit(`The blend mode “${blend}” of “${label}” is left out.`);
    }
    const shadows: object[] = [];
    const reference = style.get('filter');
    if (reference && reference !== 'none') {
      const filter = this.#referred(reference);
      const effects = filter && importedEffects(filter, scaleOf(matrix));
      if (effects) shadows.push(...effects.shadows);
      if (effects && effects.blur > 0) own.blur = effects.blur;
      if (!effects || effects.isLost) this.#omit(`An effect of “${label}” is left out: layers have shadows and blurs.`);
    }
    return { own, shadows };
  }

  #referred(value: string | undefined): SvgElement | null {
    const id = idIn(value ?? '');
    return id === undefined ? null : (this.#byId.get(id) ?? null);
  }

  /** The clip path or mask of an element; null = none, or one as large as the canvas. */
  #clipOf(style: SvgStyle, matrix: Matrix, label: string, view: Rect): ImportedClip | null {
    const clipPath = this.#referred(style.get('clip-path'));
    const mask = this.#referred(style.get('mask'));
    if (clipPath && mask) this.#omit(`Of “${label}”, which has a clip and a mask, only the clip is kept.`);
    const holder = clipPath ?? mask;
    if (!holder) return null;
    const shapes = elementsIn(holder).filter(({ name }) => !UNSEEN.test(name));
    const [shape] = shapes;
    const isOfBox = /^objectBoundingBox$/.test(
      holder.attributes.get(clipPath ? 'clipPathUnits' : 'maskContentUnits') ?? '',
    );
    const inner = shape && styleOf(shape, NO_STYLE);
    const around = multiply(matrix, transformIn(holder.attributes.get('transform')));
    const matrixOf = (one: SvgElement) => multiply(around, transformIn(styleOf(one, NO_STYLE).get('transform')));
    const isOpaque =
      clipPath !== null ||
      (inner !== undefined && isWhite(inner, this.#isAlpha(holder)) && opacityOf(inner.get('opacity')) === 1);
    const at = shape && matrixOf(shape);
    const outline = shape && this.#outlineOf(shape, view);
    if (!shape || !at || !outline || isOfBox || !isOpaque) {
      this.#omit(`The ${clipPath ? 'clip' : 'mask'} of “${label}” is left out: layers have outlines for masks.`);
      return null;
    }
    const more = shapes.slice(1).flatMap((one) => {
      const path = this.#outlineOf(one, view)?.path;
      return path ? transformPath(path, matrixOf(one)) : [];
    });
    if (outline.kind === 'rect' && outline.rect && outline.isEven && more.length === 0 && isUpright(at)) {
      const box = transformRect(at, outline.rect);
      const radius = tidy(outline.radius * scaleOf(at));
      const isWhole =
        box.x <= 0.5 &&
        box.y <= 0.5 &&
        box.x + box.width >= this.#canvas.width - 0.5 &&
        box.y + box.height >= this.#canvas.height - 0.5;
      return isWhole && radius === 0 ? null : { box, isRect: true, radius, mask: null };
    }
    const path = [...transformPath(outline.path, at), ...more];
    const box = pathBounds(path);
    const d = box && this.#pathData(path, box);
    if (!box || d === null) return null;
    return {
      box,
      isRect: false,
      radius: 0,
      mask: { shape: 'path', d, viewBox: [0, 0, tidy(box.width), tidy(box.height)] },
    };
  }

  #isAlpha(mask: SvgElement): boolean {
    return styleOf(mask, NO_STYLE).get('mask-type') === 'alpha';
  }

  #shape(element: SvgElement, matrix: Matrix, style: SvgStyle, view: Rect): readonly Made[] {
    const outline = this.#outlineOf(element, view);
    const bounds = outline && pathBounds(outline.path);
    if (!outline || !bounds) return [];
    // The background of the root has no edges.
    if (bounds.width === 2 * FAR) return this.#shape(asRect(element, this.#canvas), IDENTITY, style, view);
    const isBox = outline.rect !== null && isTurned(matrix) && (outline.kind === 'ellipse' || outline.isEven);
    const placed = isBox && outline.rect ? placedBox(outline.rect, matrix) : null;
    const path = placed ? null : transformPath(outline.path, matrix);
    const box = placed?.box ?? (path && pathBounds(path));
    if (!box) return [];
    const toElement = placed ? placed.toElement : matrixBack(matrix, box);
    const paintBox: PaintBox = {
      width: box.width,
      height: box.height,
      toElement,
      unit: [bounds.width, 0, 0, bounds.height, bounds.x, bounds.y],
    };
    const label = nameIn(element) ?? element.name;
    const fill = element.name === 'line' ? null : this.#paints.paint('fill', style, paintBox);
    const stroke = styleLength(style.get('stroke-width'), 1) > 0 ? this.#paints.paint('stroke', style, paintBox) : null;
    this.#noteLost(fill, label);
    this.#noteLost(stroke, label);
    if (['start', 'mid', 'end'].some((side) => (style.get(`marker-${side}`) ?? 'none') !== 'none'))
      this.#omit(`The markers of “${label}” are left out.`);
    if (stroke && !isEven(matrix)) this.#omit(`The stroke of “${label}”, which is stretched, is of one width.`);
    const geometry = placed
      ? {
          shape: outline.kind === 'ellipse' ? 'ellipse' : 'rect',
          ...(placed.rotation !== 0 && { rotation: placed.rotation }),
          ...(outline.radius > 0 && { borderRadius: tidy(outline.radius * scaleOf(matrix)) }),
        }
      : this.#pathGeometry(path ?? [], box);
    if (!geometry) return this.#omit(`“${label}” is left out: its path has too many points.`);
    const made: Made[] = [];
    if (fill?.kind === 'pattern') made.push(...this.#pictureIn(fill.pattern, box, geometry, label));
    const isFilled = fill?.kind === 'fill' && box.width > 0 && box.height > 0;
    if (isFilled || stroke?.kind === 'fill') {
      const layer = this.#layer('shape', nameIn(element) ?? element.name, {
        ...tidyBox(box),
        ...geometry,
        fill: isFilled ? fill.fill : null,
        ...(isFilled && style.get('fill-rule') === 'evenodd' && { fillRule: 'evenodd' }),
        ...(stroke?.kind === 'fill' && strokeOf(style, stroke.fill, scaleOf(matrix))),
      });
      if (layer) made.push({ box: tidyBox(box), layer });
    }
    return made;
  }

  #noteLost(paint: ImportedPaint | null, label: string): void {
    if (paint?.kind === 'fill' && paint.lost) this.#omit(`Of “${label}”, ${paint.lost}.`);
  }

  /** A straight line, or a path over its box. */
  #pathGeometry(path: PathData, box: Rect) {
    const [from, to, ...more] = path;
    if (from?.[0] === 'M' && to?.[0] === 'L' && more.length === 0) {
      const point = (segment: readonly ['M' | 'L', number, number]) => [
        tidy(segment[1] - box.x),
        tidy(segment[2] - box.y),
      ];
      return { shape: 'line', points: [point(from), point(to)] };
    }
    const d = this.#pathData(path, box);
    if (d === null) return null;
    const isFlat = box.width < 0.01 || box.height < 0.01;
    return { shape: 'path', d, ...(!isFlat && { viewBox: [0, 0, tidy(box.width), tidy(box.height)] }) };
  }

  /** Path data from the corner of the box; null = too long. */
  #pathData(path: PathData, { x, y }: Rect): string | null {
    const rounded = (digits: number) =>
      pathString(
        withPoints(
          path,
          (px) => tidy(px - x, digits),
          (_, py) => tidy(py - y, digits),
        ),
      );
    const d = [2, 1].map(rounded).find((text) => text.length <= MAX_PATH);
    if (d === undefined || this.#pathCharacters + d.length > MAX_PATHS) return null;
    this.#pathCharacters += d.length;
    return d;
  }

  #outlineOf(element: SvgElement, view: Rect): Outline | null {
    const number = (name: string, whole = view.width) => styleLength(element.attributes.get(name), 0, whole);
    switch (element.name) {
      case 'rect': {
        const rect = boxOf(element, view);
        if (!(rect.width > 0 && rect.height > 0)) return null;
        const rx = styleLength(element.attributes.get('rx') ?? element.attributes.get('ry'), 0, view.width);
        const ry = styleLength(element.attributes.get('ry') ?? element.attributes.get('rx'), 0, view.height);
        const [x, y] = [Math.min(rx, rect.width / 2), Math.min(ry, rect.height / 2)];
        return { kind: 'rect', rect, radius: x, isEven: Math.abs(x - y) < 0.01, path: roundedRect(rect, x, y) };
      }
      case 'circle':
      case 'ellipse': {
        const [rx, ry] =
          element.name === 'circle' ? [number('r'), number('r')] : [number('rx'), number('ry', view.height)];
        if (!(rx > 0 && ry > 0)) return null;
        const rect = { x: number('cx') - rx, y: number('cy', view.height) - ry, width: 2 * rx, height: 2 * ry };
        return { kind: 'ellipse', rect, radius: 0, isEven: true, path: roundedRect(rect, rx, ry) };
      }
      case 'line':
        return pathOutline([
          ['M', number('x1'), number('y1', view.height)],
          ['L', number('x2'), number('y2', view.height)],
        ]);
      case 'polyline':
      case 'polygon': {
        const points = (element.attributes.get('points') ?? '').trim();
        return pathDataOutline(`M${points}${element.name === 'polygon' ? 'Z' : ''}`);
      }
      case 'path':
        return pathDataOutline(element.attributes.get('d') ?? '');
      default:
        return null;
    }
  }

  #image(element: SvgElement, matrix: Matrix, view: Rect): readonly Made[] {
    const rect = boxOf(element, view);
    const src = sourceOf(element);
    if (!(rect.width > 0 && rect.height > 0)) return [];
    if (!isPicture(src)) return this.#omit('A picture that is not in the file is left out.');
    if (!isTurned(matrix)) this.#omit(`The slant of “${nameIn(element) ?? 'image'}” is left out.`);
    const { box, rotation } = placedBox(rect, matrix);
    const ratio = element.attributes.get('preserveAspectRatio') ?? '';
    const fit = /none/.test(ratio) ? 'fill' : /slice/.test(ratio) ? 'cover' : 'contain';
    const layer = this.#layer('image', nameIn(element) ?? 'image', {
      ...tidyBox(box),
      ...(rotation !== 0 && { rotation }),
      ...(fit !== 'cover' && { fit }),
      src,
    });
    return layer ? [{ box: tidyBox(box), layer }] : [];
  }

  /** The picture of a pattern that fills a shape, as Figma writes it: cut to the shape, with its crop. */
  #pictureIn(pattern: SvgElement, box: Rect, shape: Readonly<Record<string, unknown>>, label: string): readonly Made[] {
    const [part] = elementsIn(pattern);
    const image = part?.name === 'use' ? this.#byId.get(hrefOf(part).slice(1)) : part;
    const isOfBox = pattern.attributes.get('patternContentUnits') === 'objectBoundingBox';
    const src = image?.name === 'image' ? sourceOf(image) : '';
    if (!part || !image || !isOfBox || !isPicture(src)) return this.#omit(`The pattern of “${label}” is left out.`);
    const [a, b, c, d, e, f] = multiply(
      transformIn(part.attributes.get('transform')),
      part === image ? IDENTITY : transformIn(image.attributes.get('transform')),
    );
    const size = { width: ownLength(image, 'width'), height: ownLength(image, 'height') };
    const shown = { width: a * size.width * box.width, height: d * size.height * box.height };
    const isPlain = b === 0 && c === 0 && shown.width > 0 && shown.height > 0;
    if (!isPlain) this.#omit(`The picture in “${label}” is not turned.`);
    const cover = Math.max(box.width / size.width, box.height / size.height);
    const zoom = isPlain ? Math.max(1, shown.width / size.width / cover) : 1;
    const isInProportion = Math.abs(shown.width / size.width / (shown.height / size.height) - 1) < 0.02;
    const focus = (offset: number, whole: number, side: number) =>
      whole - side > 0.5 ? tidy(Math.min(1, Math.max(0, (-offset * side) / (whole - side))), 4) : 0.5;
    const { shape: kind, borderRadius, rotation, d: path, viewBox } = shape;
    const layer = this.#layer('image', label, {
      ...tidyBox(box),
      ...(rotation !== undefined && { rotation }),
      src,
      ...(isPlain && !isInProportion && { fit: 'fill' }),
      ...(isInProportion && zoom > 1.001 && { zoom: tidy(Math.min(20, zoom), 4) }),
      ...(isPlain &&
        isInProportion && { focus: { x: focus(e, shown.width, box.width), y: focus(f, shown.height, box.height) } }),
      ...(borderRadius !== undefined && { borderRadius }),
      ...(kind === 'ellipse' && { mask: { shape: 'ellipse' } }),
      ...(kind === 'path' && { mask: { shape: 'path', d: path, ...(viewBox !== undefined && { viewBox }) } }),
    });
    return layer ? [{ box: tidyBox(box), layer }] : [];
  }

  #text(element: SvgElement, matrix: Matrix, style: SvgStyle): readonly Made[] {
    if (!isTurned(matrix)) this.#omit(`The slant of the text “${nameIn(element) ?? 'text'}” is left out.`);
    const texts = textLayersOf(element, style, scaleOf(matrix), this.#options.familyOf);
    return texts.flatMap((text) => this.#placedText(element, text, matrix, style));
  }

  #placedText(element: SvgElement, text: ImportedText, matrix: Matrix, style: SvgStyle): readonly Made[] {
    const rotation = tidy((Math.atan2(matrix[1], matrix[0]) * 180) / Math.PI);
    const { width, height } = text.box;
    const turn = (rotation * Math.PI) / 180;
    const anchor = transformPoint(matrix, text.at);
    // From the anchor to the middle of the box, before and after the rotation.
    const by = { x: text.box.x + width / 2, y: text.box.y + height / 2 };
    const centre = {
      x: anchor.x + by.x * Math.cos(turn) - by.y * Math.sin(turn),
      y: anchor.y + by.x * Math.sin(turn) + by.y * Math.cos(turn),
    };
    const box = { x: centre.x - width / 2, y: centre.y - height / 2, width, height };
    const paintBox: PaintBox = {
      ...{ width, height },
      toElement: matrixBack(matrix, box),
      unit: [width, 0, 0, height, text.at.x + text.box.x, text.at.y + text.box.y],
    };
    const name = nameIn(element) ?? 'text';
    for (const family of text.absentFamilies)
      this.#omit(
        `“${name}” is in ${family}, which the server does not have: it is set in ${text.properties.fontFamily ?? 'Inter'}.`,
      );
    const fill = this.#paints.paint('fill', text.style, paintBox);
    const stroke = this.#paints.paint('stroke', style, paintBox);
    this.#noteLost(fill, name);
    const place = tidyBox(box);
    // A hug keeps the left edge, so it is for texts that begin there and are not turned about their middle.
    const isHug = rotation === 0 && text.align === 'start';
    const layer = this.#layer('text', name, {
      ...{ x: place.x, y: place.y },
      ...(!isHug && { width: place.width, height: place.height }),
      ...(rotation !== 0 && { rotation }),
      ...(text.align !== 'start' && { align: text.align }),
      ...text.properties,
      ...(fill?.kind === 'fill' ? { color: fill.fill } : { color: 'transparent' }),
      ...(stroke?.kind === 'fill' && {
        stroke: stroke.fill,
        strokeWidth: tidy(styleLength(style.get('stroke-width'), 1) * scaleOf(matrix)),
      }),
    });
    return layer ? [{ box: place, layer }] : [];
  }

  #layer(type: string, name: string, properties: Readonly<Record<string, unknown>>): ImportedLayer | null {
    this.#layers += 1;
    if (this.#layers > MAX_LAYERS) {
      this.#omit('The drawing has more than 2,000 layers: the others are left out.');
      return null;
    }
    return { type, name: this.#fresh(name), ...properties };
  }

  #renamed({ box, layer }: Made, name: string): Made {
    this.#names.delete(layer.name);
    return { box, layer: { ...layer, name: this.#fresh(name) } };
  }

  #fresh(wanted: string): string {
    const stem = RESERVED.test(wanted) ? `${wanted}-layer` : wanted;
    let name = stem;
    let count = this.#counts.get(stem) ?? 1;
    while (this.#names.has(name)) {
      count += 1;
      name = `${stem}-${count}`;
    }
    this.#counts.set(stem, count);
    this.#names.add(name);
    return name;
  }

  #omit(sentence: string): readonly Made[] {
    this.#omitted.add(sentence);
    return [];
  }
}

interface Outline {
  readonly kind: 'rect' | 'ellipse' | 'path';
  /** Of a rectangle and an ellipse, in the element's coordinates. */
  readonly rect: Rect | null;
  readonly radius: number;
  /** Whether corners are parts of circles. */
  readonly isEven: boolean;
  readonly path: PathData;
}

interface ImportedClip {
  /** Canvas px. */
  readonly box: Rect;
  readonly isRect: boolean;
  readonly radius: number;
  readonly mask: object | null;
}

const tidy = (value: number, digits = 2): number => Number(value.toFixed(digits)) + 0;
const tidyBox = ({ x, y, width, height }: Rect): Rect => ({
  x: tidy(x),
  y: tidy(y),
  width: tidy(width),
  height: tidy(height),
});
const placeIn = (inner: Rect, outer: Rect) => ({ x: tidy(inner.x - outer.x), y: tidy(inner.y - outer.y) });

/** px on the canvas per unit. */
const scaleOf = ([a, b, c, d]: Matrix): number => Math.sqrt(Math.abs(a * d - b * c));

/** Whether a matrix only moves, turns and scales. */
const isTurned = ([a, b, c, d]: Matrix): boolean =>
  Math.abs(a * c + b * d) < 1e-3 * Math.max(1e-9, Math.hypot(a, b) * Math.hypot(c, d));

/** Whether a matrix keeps proportions. */
const isEven = ([a, b, c, d]: Matrix): boolean => {
  const [x, y] = [Math.hypot(a, b), Math.hypot(c, d)];
  return Math.abs(x - y) < 0.03 * Math.max(x, y);
};

const isUpright = ([a, b, c, d]: Matrix): boolean => Math.abs(b) + Math.abs(c) < 1e-6 * (Math.abs(a) + Math.abs(d));

/** A rectangle under a matrix without slant: its box before its rotation, and the way back. */
function placedBox(rect: Rect, matrix: Matrix) {
  const [a, b, c, d] = matrix;
  const [sx, sy] = [Math.hypot(a, b), Math.hypot(c, d)];
  const isMirrored = a * d - b * c < 0;
  const centre = transformPoint(matrix, centreOf(rect));
  const [width, height] = [rect.width * sx, rect.height * sy];
  const rotation = tidy((Math.atan2(b, a) * 180) / Math.PI);
  const toElement: Matrix = isMirrored
    ? [1 / sx, 0, 0, -1 / sy, rect.x, rect.y + rect.height]
    : [1 / sx, 0, 0, 1 / sy, rect.x, rect.y];
  return { box: { x: centre.x - width / 2, y: centre.y - height / 2, width, height }, rotation, toElement };
}

/** From px of a box on the canvas to the coordinates that `matrix` maps to the canvas. */
function matrixBack([a, b, c, d, e, f]: Matrix, { x, y }: Point): Matrix {
  const size = a * d - b * c || 1e-9;
  const back: Matrix = [d / size, -b / size, -c / size, a / size, (c * f - d * e) / size, (b * e - a * f) / size];
  return multiply(back, [1, 0, 0, 1, x, y]);
}

/** @param view what percentages are of @param absent the size of an element that has none */
function boxOf(element: SvgElement, view: Size, absent: Size = { width: 0, height: 0 }): Rect {
  const length = (name: string, side: number, missing = 0) => styleLength(element.attributes.get(name), missing, side);
  return {
    x: length('x', view.width),
    y: length('y', view.height),
    width: length('width', view.width, absent.width),
    height: length('height', view.height, absent.height),
  };
}

/** A rectangle with the attributes of another element. */
function asRect(element: SvgElement, rect: Rect): SvgElement {
  const place = Object.entries(rect).map(([name, value]) => [name, String(value)] as const);
  return { ...element, attributes: new Map([...element.attributes, ...place]) };
}

/** The part of an element's coordinates that shows in its box. */
function viewOf(element: SvgElement, box: Rect): Rect {
  const { width, height } = parseViewBox(element.attributes.get('viewBox')) ?? box;
  return { x: 0, y: 0, width, height };
}

const ownLength = (element: SvgElement, name: string): number => styleLength(element.attributes.get(name), 0);

const pathOutline = (path: PathData): Outline => ({ kind: 'path', rect: null, radius: 0, isEven: false, path });

/** Of a path with an error, what comes before it, as SVG asks for. */
function pathDataOutline(d: string): Outline | null {
  let parsed = parsePathData(d);
  if ('at' in parsed) parsed = parsePathData(d.slice(0, parsed.at).replace(/[a-z][^a-z]*$/i, ''));
  return 'path' in parsed && parsed.path.length > 1 ? pathOutline(parsed.path) : null;
}

/** An ellipse, if the radii are half the sides. */
function roundedRect({ x, y, width, height }: Rect, rx: number, ry: number): PathData {
  const [right, bottom] = [x + width, y + height];
  if (rx <= 0 || ry <= 0) return [['M', x, y], ['L', right, y], ['L', right, bottom], ['L', x, bottom], ['Z']];
  // The distance of control points that makes a cubic nearest to a quarter of an ellipse.
  const [kx, ky] = [rx * 0.447715, ry * 0.447715];
  return [
    ['M', x + rx, y],
    ['L', right - rx, y],
    ['C', right - kx, y, right, y + ky, right, y + ry],
    ['L', right, bottom - ry],
    ['C', right, bottom - ky, right - kx, bottom, right - rx, bottom],
    ['L', x + rx, bottom],
    ['C', x + kx, bottom, x, bottom - ky, x, bottom - ry],
    ['L', x, y + ry],
    ['C', x, y + ky, x + kx, y, x + rx, y],
    ['Z'],
  ];
}

function strokeOf(style: SvgStyle, stroke: string | object, scale: number) {
  const cap = style.get('stroke-linecap') ?? 'butt';
  const join = style.get('stroke-linejoin') ?? 'miter';
  const dash = (style.get('stroke-dasharray') ?? '').split(/[\s,]+/).map((part) => tidy(styleLength(part, 0) * scale));
  return {
    stroke,
    strokeWidth: tidy(Math.min(1_000, styleLength(style.get('stroke-width'), 1) * scale)),
    ...(dash.some((length) => length > 0) && { strokeDash: dash.slice(0, 16).map((length) => Math.max(0, length)) }),
    ...(/^(round|square)$/.test(cap) && { strokeCap: cap }),
    ...(/^(round|bevel)$/.test(join) && { strokeJoin: join }),
  };
}

/** Whether what a mask shows is all there or not there. */
function isWhite(style: SvgStyle, isAlpha: boolean): boolean {
  if (opacityOf(style.get('fill-opacity')) < 1) return false;
  const fill = style.get('fill') ?? '#000000';
  return isAlpha ? !/^(none|url)/.test(fill) : /^#(ffffff|d9d9d9)$/.test(fill);
}

/** Sets properties of a layer that an element around it, or it itself, has. */
function dressed({ box, layer }: Made, own: Readonly<Record<string, unknown>>, shadows: readonly object[]): Made {
  if (Object.keys(own).length === 0 && shadows.length === 0) return { box, layer };
  const opacity =
    own.opacity === undefined ? {} : { opacity: tidy(Number(layer.opacity ?? 1) * Number(own.opacity), 3) };
  // A shadow of a frame is one of its box; what casts a shadow here are the layers in it.
  const children =
    shadows.length > 0 ? layer.children?.map((child) => dressed({ box, layer: child }, {}, shadows).layer) : undefined;
  const before = layer.shadow === undefined ? [] : [layer.shadow].flat();
  const all = [...before, ...shadows].slice(0, 8);
  const cast =
    layer.type === 'text' || layer.type === 'image' ? all.map(withoutSpread).filter((shadow) => shadow !== null) : all;
  const shadow =
    shadows.length > 0 && !layer.children && cast.length > 0 ? { shadow: cast.length === 1 ? cast[0] : cast } : {};
  return { box, layer: { ...layer, ...own, ...opacity, ...shadow, ...(children && { children }) } };
}

/** Texts and pictures cast shadows of their silhouette, without spread and never inside. */
function withoutSpread(shadow: unknown): object | null {
  const { spread: _, inset, ...others } = shadow as { spread?: number; inset?: boolean };
  return inset ? null : others;
}

const frameDepth = (content: readonly { readonly layer: ImportedLayer }[]): number =>
  Math.max(0, ...content.map(({ layer }) => depthOf(layer)));
const depthOf = ({ children }: ImportedLayer): number => (children ? 1 + Math.max(0, ...children.map(depthOf)) : 0);

/** The address of a picture; base64 may be written in lines. */
function sourceOf(image: SvgElement): string {
  const href = hrefOf(image);
  return /^data:[^,]*;base64,/i.test(href) ? href.replace(/\s+/g, '') : href;
}

/** Not a picture from elsewhere: a file that the drawing embeds, or an address. */
const isPicture = (src: string): boolean =>
  /^data:image\/(png|jpe?g|webp|gif|svg\+xml)[;,]/i.test(src) || /^https?:\/\//i.test(src);

/** Names that the importer gives where a file has none. */
const GIVEN_BY_US = /^(rect|circle|ellipse|line|polyline|polygon|path|image|text|group|clip)(-\d+)?$/;
const nameWasGiven = ({ layer }: Made): boolean => !GIVEN_BY_US.test(layer.name);

/** An element's id as a layer's name; null = none, or one that an editor made up. */
function nameIn({ attributes, name }: SvgElement): string | null {
  const id =
    attributes.get('{http://www.inkscape.org/namespaces/inkscape}label') ??
    attributes.get('data-name') ??
    attributes.get('id');
  const read = (id ?? '')
    .replace(/_x([0-9a-f]{2,4})_/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    // biome-ignore lint/suspicious/noControlCharactersInRegex: names may not hold them
    .replace(/[\u0000-\u001f\u007f]+/g, ' ')
    .trim()
    .slice(0, 80);
  const isMadeUp = [name, FIXED_STROKE].some((by) => read.startsWith(by) && /^\d+$/.test(read.slice(by.length)));
  return read === '' || isMadeUp ? null : read;
}
