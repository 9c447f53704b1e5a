// The other sizes of a template, drawn beside the one that is edited; one that is pressed is edited next.

import { useEffect, useRef } from 'preact/hooks';
import { sizeName } from '../../shell/views.ts';
import { texts } from '../../texts/editor.ts';
import { SvgPatcher } from '../canvas/svg-patcher.ts';
import { shownDocument } from '../core/design/shown-document.ts';
import { placesOf } from '../core/design/size-places.ts';
import { Compositor } from '../core/scene/compositor.ts';
import { showView, type ViewsBarProps } from './common-sizes.ts';

/** ms without a change after which they are drawn again. */
const PAUSE = 250;

export function OtherSizes({ editor, viewport }: ViewsBarProps) {
  const stored = editor.stored.value;
  const { size, lang } = editor.view.value;
  const zoom = viewport.zoom.value;
  const { x, y } = viewport.offset.value;
  const places = placesOf(stored, size);
  const own = places.find(({ name }) => name === size);
  return (
    <>
      {own && (
        <span
          class="other-size-name is-current truncate"
          style={{
            maxWidth: `${own.width * zoom}px`,
            transform: `translate(${x + own.x * zoom}px, ${y}px) translateY(-100%)`,
          }}
        >
          {sizeName(size)}
        </span>
      )}
      {places
        .filter(({ name }) => name !== size)
        .map((place) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the bar above the canvas does the same by keys.
          // biome-ignore lint/a11y/noStaticElementInteractions: as above.
          <div
            key={place.name}
            class="other-size"
            title={texts.value.design.edit(sizeName(place.name))}
            style={{
              width: `${place.width * zoom}px`,
              height: `${place.height * zoom}px`,
              transform: `translate(${x + place.x * zoom}px, ${y}px)`,
            }}
            onPointerDown={(event) => event.stopPropagation()}
            onClick={() => showView({ editor, viewport }, { size: place.name, lang })}
          >
            <span class="other-size-name truncate">{sizeName(place.name)}</span>
            <SizePicture {...{ editor, viewport }} size={place.name} />
          </div>
        ))}
    </>
  );
}

let pictures = 0;

function SizePicture({ editor, size }: ViewsBarProps & { readonly size: string | null }) {
  const root = useRef<SVGGElement>(null);
  const svg = useRef<SVGSVGElement>(null);
  const drawing = useRef<{ readonly compositor: Compositor; readonly patcher: SvgPatcher } | null>(null);
  const stored = editor.stored.value;
  const values = editor.values.value;
  const { lang } = editor.view.value;
  // Drawn again with the picture of the edited size, which shows files that were loaded in the meantime.
  const picture = editor.picture.value;
  // biome-ignore lint/correctness/useExhaustiveDependencies: `picture` says that something may look different.
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const draw = async () => {
      if (!root.current || !svg.current) return;
      const { fonts, images, designs } = editor.compositor;
      drawing.current ??= {
        compositor: new Compositor(fonts, images, designs, `size-${pictures++}-`),
        patcher: new SvgPatcher(root.current),
      };
      const { compositor, patcher } = drawing.current;
      const shown = shownDocument(stored, { size, lang }, designs);
      const composed = shown instanceof Promise ? shown : compositor.compose(shown.document, values);
      if (composed instanceof Promise) {
        await composed;
        timer = setTimeout(() => void draw().catch(() => {}), 0);
        return;
      }
      patcher.patch(composed.svg, composed);
      svg.current.setAttribute('viewBox', `0 0 ${composed.scene.width} ${composed.scene.height}`);
    };
    // What cannot be drawn stays as it was; the edited size says why.
    timer = setTimeout(() => void draw().catch(() => {}), drawing.current ? PAUSE : 0);
    return () => clearTimeout(timer);
  }, [editor, stored, values, lang, size, picture]);
  return (
    <svg ref={svg} class="other-size-picture" aria-hidden="true">
      <g ref={root} />
    </svg>
  );
}
