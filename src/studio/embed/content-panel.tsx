// In place of the inspector where only texts and pictures may be changed: a field for each, in reading order.

import { mayChangeContent } from '#design/edit-rights.ts';
import { boundsOf } from '../editor/canvas/geometry-of.ts';
import { textsOf } from '../editor/design/view.ts';
import { type RawLayer, walk } from '../editor/document/document.ts';
import { setLayer } from '../editor/document/edits.ts';
import { textOf, textPatch } from '../editor/document/text-edits.ts';
import type { EditorState } from '../editor/state/editor-state.ts';
import type { EditorParts } from '../editor/surroundings.ts';
import { Button } from '../parts/button.tsx';
import { Icon } from '../parts/icon.tsx';
import { image as imageIcon } from '../parts/icons.ts';
import { texts } from '../texts/editor.ts';

interface ContentPanelProps extends EditorParts {
  /** Names of layers that the token locks. */
  readonly locked: readonly string[];
}

export function ContentPanel({ editor, locked }: ContentPanelProps) {
  const open = openLayers(editor, locked);
  return (
    <section class="panel-section content-panel">
      <h3 class="panel-section-title">{texts.value.embed.content}</h3>
      <div class="panel-section-body">
        {open.map((layer) =>
          layer.type === 'text' ? (
            <TextRow key={layer.name} editor={editor} layer={layer} />
          ) : (
            <PictureRow key={layer.name} editor={editor} layer={layer} />
          ),
        )}
        {open.length === 0 && <p class="muted">{texts.value.embed.nothing}</p>}
      </div>
    </section>
  );
}

/** The layers whose content may be changed, from the top of the canvas to its end. */
function openLayers(editor: EditorState, locked: readonly string[]): readonly RawLayer[] {
  const document = editor.document.value;
  const boxes = editor.picture.value?.byName;
  const around = new Map<string, readonly RawLayer[]>();
  const open = [...walk(document.layers)].flatMap(({ layer, parent }) => {
    const all = [layer, ...(parent ? (around.get(parent.name) ?? []) : [])];
    around.set(layer.name, all);
    const isShown = all.every(({ visible }) => visible !== false);
    return isShown && mayChangeContent(all, { rights: 'texts-and-pictures', locked }) ? [layer] : [];
  });
  const top = ({ name }: RawLayer) => {
    const box = boxes?.get(name);
    return box ? boundsOf(box).y : 0;
  };
  return open.toSorted((a, b) => top(a) - top(b));
}

interface RowProps {
  readonly editor: EditorState;
  readonly layer: RawLayer;
}

function TextRow({ editor, layer }: RowProps) {
  const { name } = layer;
  const text = textOf(layer);
  const { lang } = editor.view.value;
  const byLanguage = textsOf(editor.stored.value)[name];
  const isMissing = lang !== null && lang !== editor.stored.value.lang && byLanguage?.[lang] === undefined;
  return (
    <label class="content-row">
      <span class="content-name">
        {name}
        {isMissing && <span class="content-missing"> {texts.value.design.notTranslated}</span>}
      </span>
      <textarea
        class="input is-dense"
        rows={1}
        dir="auto"
        {...(lang !== null && { lang })}
        value={text}
        onFocus={() => editor.select([name])}
        onInput={(event) => {
          const now = editor.layer(name);
          const next = event.currentTarget.value;
          if (now) editor.edit(setLayer(name, textPatch(now, next)), { kind: `text ${name}` });
        }}
      />
    </label>
  );
}

function PictureRow({ editor, layer }: RowProps) {
  const { name, src } = layer;
  const shown = editor.picture.value && typeof src === 'string' ? editor.compositor.images.sizeOf(src) : null;
  return (
    <div class="content-row">
      <span class="content-name">{name}</span>
      <div class="content-picture">
        <span class="content-thumb">
          {shown ? <img src={shown.address} alt="" /> : <Icon of={imageIcon} size={16} />}
        </span>
        <Button
          dense
          aria-label={texts.value.embed.replaceIn(name)}
          onClick={() => {
            editor.select([name]);
            editor.choosingPicture.value = name;
          }}
        >
          {texts.value.embed.replace}
        </Button>
      </div>
    </div>
  );
}
