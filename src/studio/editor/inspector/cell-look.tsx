// How the cells of a table look: all of them, those of its header, those of its footer.

import { patched } from '../document/edits.ts';
import { PanelSection } from './panel-section.tsx';
import { labelOf } from './schema.ts';
import { CELL_STYLE, type PartProps } from './table-context.ts';
import { LabelledValue, ValueField } from './value-field.tsx';

/** The styles of cells that people set most; the JSON panel has all. */
const LOOK_ROWS = [['fontSize', 'fontWeight'], ['color'], ['background'], ['padding'], ['verticalAlign']] as const;

export function CellLook(
  props: PartProps & { readonly part: 'cell' | 'headerCell' | 'footerCell'; readonly title: string },
) {
  const { part, title, table, change, swatches } = props;
  const style = (table[part] ?? {}) as Readonly<Record<string, unknown>>;
  return (
    <PanelSection title={title} isOpen={part === 'cell'}>
      {LOOK_ROWS.map((row) => (
        <div key={row.join()} class={row.length === 2 ? 'row is-pair' : 'row'}>
          {row.map((name) => {
            const schema = CELL_STYLE[name];
            if (!schema) return null;
            return (
              <LabelledValue key={name} name={`${part} ${name}`} schema={schema} label={labelOf(name)}>
                <ValueField
                  name={name}
                  schema={schema}
                  value={style[name] ?? STARTS[name]}
                  swatches={swatches}
                  onValue={(value) =>
                    change(`${part} ${name}`, (before) => {
                      const next = patched((before[part] ?? {}) as Readonly<Record<string, unknown>>, {
                        [name]: value,
                      });
                      return patched(before, { [part]: Object.keys(next).length === 0 ? undefined : next });
                    })
                  }
                />
              </LabelledValue>
            );
          })}
        </div>
      ))}
    </PanelSection>
  );
}

/** What cells have where nothing is set, for fields that would otherwise be empty. */
const STARTS: Readonly<Record<string, unknown>> = { padding: 4 };
