// Sets any value that a schema describes: the control of its kind, and for what is made of others, theirs inside.

import type { ComponentChildren } from 'preact';
import { useId, useState } from 'preact/hooks';
import type { z } from 'zod';
import { Icon, type IconShapes } from '../../parts/icon.tsx';
import { arrowUp, plus, x } from '../../parts/icons.ts';
import { FillField, type FillValue } from './fill-field.tsx';
import { JsonField } from './json-field.tsx';
import { NumberInput } from './number-input.tsx';
import { labelOf, propertyOf, startOf } from './schema.ts';
import { SidesField } from './sides-field.tsx';

export interface FieldLook {
  readonly label?: string;
  readonly prefix?: ComponentChildren;
  readonly unit?: string;
  readonly step?: number;
  /** The number is shown multiplied by this: 100 for shares as percentages. */
  readonly scale?: number;
  /** Of a choice, an icon an option: shown as buttons in a row. */
  readonly icons?: Readonly<Record<string, IconShapes>>;
  /** Names of options other than their own. */
  readonly names?: Readonly<Record<string, string>>;
  readonly multiline?: boolean;
  readonly placeholder?: string;
}

export interface ValueFieldProps {
  readonly name: string;
  readonly schema: z.ZodType;
  /** undefined = it is left out, or several layers differ (`isMixed`). */
  readonly value: unknown;
  readonly isMixed?: boolean;
  /** undefined takes the property out. */
  readonly onValue: (value: unknown) => void;
  readonly swatches: readonly string[];
  readonly look?: FieldLook;
}

const MIXED = 'Mixed';

export function ValueField(props: ValueFieldProps) {
  const { name, schema, value, isMixed = false, onValue, swatches, look = {} } = props;
  const property = propertyOf(schema);
  const { control } = property;
  const label = look.label ?? labelOf(name);
  const shown = isMixed ? undefined : (value ?? property.initial);
  switch (control.kind) {
    case 'number': {
      const { scale = 1 } = look;
      const number = typeof shown === 'number' ? Math.round(shown * scale * 1e4) / 1e4 : null;
      const bounds = { min: scaled(control.min, scale), max: scaled(control.max, scale) };
      return (
        <NumberInput
          label={label}
          prefix={look.prefix}
          {...(look.unit !== undefined && { unit: look.unit })}
          value={number}
          {...bounds}
          step={look.step ?? 1}
          isInt={control.isInt}
          placeholder={isMixed ? MIXED : (look.placeholder ?? (property.isNullable ? 'Auto' : ''))}
          onNumber={(next) => onValue(next / scale)}
          onEmpty={() => onValue(property.isNullable ? null : undefined)}
        />
      );
    }
    case 'boolean':
      return (
        <label class="toggle">
          <input
            type="checkbox"
            checked={shown === true}
            ref={(element) => {
              if (element) element.indeterminate = isMixed;
            }}
            onChange={(event) => onValue(event.currentTarget.checked)}
          />
          <span>{label}</span>
        </label>
      );
    case 'choice':
      return look.icons ? (
        <Segments
          label={label}
          options={control.options}
          icons={look.icons}
          names={look.names ?? {}}
          value={shown}
          onValue={onValue}
        />
      ) : (
        <select
          class="input is-dense"
          aria-label={label}
          title={label}
          value={isMixed ? '' : String(shown ?? '')}
          onChange={(event) => onValue(event.currentTarget.value === '' ? null : event.currentTarget.value)}
        >
          {(isMixed || property.isNullable || (shown === undefined && property.isOptional)) && (
            <option value="">{isMixed ? MIXED : 'Auto'}</option>
          )}
          {control.options.map((option) => (
            <option key={option} value={option}>
              {look.names?.[option] ?? labelOf(option.replaceAll('-', ' '))}
            </option>
          ))}
        </select>
      );
    case 'fill':
    case 'color':
      return property.isNullable && (shown === null || shown === undefined) && !isMixed ? (
        <AddButton label={label} onAdd={() => onValue('#161616')} />
      ) : (
        <span class="removable">
          <FillField
            label={label}
            value={shown as FillValue | undefined}
            onFill={onValue}
            swatches={swatches}
            solid={control.kind === 'color'}
          />
          {(property.isNullable || (property.isOptional && value !== undefined)) && (
            <RemoveButton label={label} onRemove={() => onValue(property.isNullable ? null : undefined)} />
          )}
        </span>
      );
    case 'dimension':
      return (
        <DimensionField
          label={label}
          prefix={look.prefix}
          value={shown}
          isMixed={isMixed}
          isNullable={property.isNullable}
          onValue={onValue}
        />
      );
    case 'edges':
    case 'corners':
      return <SidesField kind={control.kind} label={label} value={shown} isMixed={isMixed} onValue={onValue} />;
    case 'text':
      return <TextInput {...props} label={label} shown={shown} />;
    case 'object':
      return (
        <ObjectField
          {...props}
          label={label}
          shown={shown}
          properties={control.properties}
          isNullable={property.isNullable || property.isOptional}
        />
      );
    case 'list':
      return <ListField {...props} label={label} shown={shown} item={control.item} isNullable={property.isNullable} />;
    case 'union':
      return (
        <UnionField {...props} label={label} shown={shown} options={control.options} isNullable={property.isNullable} />
      );
    case 'constant':
      return null;
    default:
      return <JsonField label={label} schema={schema} value={shown} isMixed={isMixed} onValue={onValue} />;
  }
}

const scaled = (bound: number | null, scale: number) => (bound === null ? null : bound * scale);

export function Segments(props: {
  readonly label: string;
  readonly options: readonly string[];
  readonly icons: Readonly<Record<string, IconShapes>>;
  readonly names: Readonly<Record<string, string>>;
  readonly value: unknown;
  readonly onValue: (value: string) => void;
}) {
  const { label, options, icons, names, value, onValue } = props;
  return (
    <div class="segments" role="radiogroup" aria-label={label}>
      {options.map((option) => {
        const name = names[option] ?? labelOf(option.replaceAll('-', ' '));
        const icon = icons[option];
        return (
          <button
            key={option}
            type="button"
            role="radio"
            aria-checked={value === option}
            aria-label={icon ? `${label}: ${name}` : undefined}
            title={name}
            onClick={() => onValue(option)}
          >
            {icon ? <Icon of={icon} size={14} /> : name}
          </button>
        );
      })}
    </div>
  );
}

function AddButton({ label, onAdd }: { label: string; onAdd: () => void }) {
  return (
    <button type="button" class="add-button" onClick={onAdd}>
      <Icon of={plus} size={14} />
      {label}
    </button>
  );
}

export function RemoveButton({ label, onRemove }: { label: string; onRemove: () => void }) {
  return (
    <button
      type="button"
      class="icon-button"
      aria-label={`Remove: ${label}`}
      title={`Remove: ${label}`}
      onClick={onRemove}
    >
      <Icon of={x} size={14} />
    </button>
  );
}

type Shown = ValueFieldProps & { readonly label: string; readonly shown: unknown };

function TextInput({ label, shown, schema, isMixed, onValue, look = {} }: Shown) {
  const [typed, setTyped] = useState<string | null>(null);
  const { isNullable, isOptional } = propertyOf(schema);
  const text = typeof shown === 'string' ? shown : '';
  const problem = typed !== null && typed !== '' && !schema.safeParse(typed).success;
  const set = (next: string) => {
    if (next === '' && (isNullable || isOptional)) onValue(isNullable ? null : undefined);
    else if (schema.safeParse(next).success) onValue(next);
  };
  const attributes = {
    class: 'input is-dense',
    'aria-label': label,
    title: label,
    'aria-invalid': problem,
    placeholder: isMixed ? MIXED : (look.placeholder ?? ''),
    spellcheck: false,
    value: typed ?? text,
  } as const;
  const commit = () => setTyped(null);
  if (look.multiline)
    return (
      <textarea
        {...attributes}
        rows={3}
        onInput={(event) => {
          setTyped(event.currentTarget.value);
          set(event.currentTarget.value);
        }}
        onBlur={commit}
      />
    );
  return (
    <input
      {...attributes}
      type="text"
      onInput={(event) => setTyped(event.currentTarget.value)}
      onBlur={() => {
        if (typed !== null) set(typed);
        commit();
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Enter' || typed === null) return;
        set(typed);
        commit();
      }}
    />
  );
}

/** A length, a percentage, or what layout finds out. */
function DimensionField(props: {
  readonly label: string;
  readonly prefix: ComponentChildren;
  readonly value: unknown;
  readonly isMixed: boolean;
  readonly isNullable: boolean;
  readonly onValue: (value: unknown) => void;
}) {
  const { label, prefix, value, isMixed, isNullable, onValue } = props;
  const id = useId();
  const mode =
    typeof value === 'number'
      ? 'px'
      : value === 'hug' || value === 'fill'
        ? value
        : typeof value === 'string'
          ? '%'
          : '';
  const number = typeof value === 'number' ? value : typeof value === 'string' ? Number.parseFloat(value) : Number.NaN;
  return (
    <NumberInput
      label={label}
      prefix={prefix ?? label[0]}
      value={Number.isNaN(number) ? null : number}
      {...(mode === 'hug' || mode === 'fill' ? { shown: labelOf(mode) } : mode === '%' ? { shown: String(value) } : {})}
      placeholder={isMixed ? MIXED : 'Auto'}
      min={0}
      max={100_000}
      words={(text) => /^(hug|fill|\d+(\.\d+)?%)$/i.test(text)}
      onWord={(word) => onValue(word.toLowerCase())}
      onNumber={(next) => onValue(mode === '%' ? `${Math.round(next * 100) / 100}%` : next)}
      onEmpty={() => onValue(isNullable ? null : undefined)}
      after={
        <select
          id={id}
          class="unit-select"
          aria-label={`${label}: kind`}
          title={`${label}: fixed, percentage, hug or fill`}
          value={mode}
          onChange={(event) => {
            const next = event.currentTarget.value;
            if (next === 'px') onValue(Number.isNaN(number) ? 100 : number);
            else if (next === '%') onValue('100%');
            else onValue(next === '' ? null : next);
          }}
        >
          {(isNullable || mode === '') && <option value="">Auto</option>}
          <option value="px">px</option>
          <option value="%">%</option>
          <option value="hug">Hug</option>
          <option value="fill">Fill</option>
        </select>
      }
    />
  );
}

function ObjectField(
  props: Shown & { readonly properties: Readonly<Record<string, z.ZodType>>; readonly isNullable: boolean },
) {
  const { label, shown, schema, properties, isNullable, onValue, swatches, isMixed } = props;
  if (isMixed || shown === null || shown === undefined) {
    return <AddButton label={label} onAdd={() => onValue(startOf(bare(schema)))} />;
  }
  const object = shown as Readonly<Record<string, unknown>>;
  return (
    <fieldset class="group">
      <legend>
        <span>{label}</span>
        {isNullable && (
          <RemoveButton label={label} onRemove={() => onValue(propertyOf(schema).isNullable ? null : undefined)} />
        )}
      </legend>
      {Object.entries(properties).map(([name, inner]) => (
        <LabelledValue key={name} name={name} schema={inner}>
          <ValueField
            name={name}
            schema={inner}
            value={object[name]}
            swatches={swatches}
            onValue={(next) => {
              const { [name]: _before, ...others } = object;
              onValue(next === undefined ? others : { ...object, [name]: next });
            }}
          />
        </LabelledValue>
      ))}
    </fieldset>
  );
}

/** A label beside a control that has no room for it. */
export function LabelledValue({
  name,
  schema,
  label,
  children,
}: {
  name: string;
  schema: z.ZodType;
  label?: string;
  children: ComponentChildren;
}) {
  const { control, description, isNullable } = propertyOf(schema);
  const labelsItself =
    control.kind === 'boolean' ||
    ((control.kind === 'object' || control.kind === 'list' || control.kind === 'record') && !isNullable) ||
    control.kind === 'object' ||
    control.kind === 'list';
  if (control.kind === 'constant') return null;
  if (labelsItself)
    return (
      <div class="labelled is-wide" data-property={name}>
        {children}
      </div>
    );
  return (
    <div class="labelled" data-property={name}>
      <span class="labelled-name" title={description}>
        {label ?? labelOf(name)}
      </span>
      {children}
    </div>
  );
}

function ListField(props: Shown & { readonly item: z.ZodType; readonly isNullable: boolean }) {
  const { name, label, shown, schema, item, isNullable, onValue, swatches } = props;
  const list = Array.isArray(shown) ? shown : [];
  const inner = propertyOf(item).control;
  // Points, dashes and the like are read best as they are written.
  if (inner.kind === 'tuple' || inner.kind === 'number') {
    return <JsonField label={label} schema={schema} value={shown} isMixed={props.isMixed ?? false} onValue={onValue} />;
  }
  const set = (next: readonly unknown[]) => onValue(next.length === 0 && isNullable ? null : next);
  return (
    <fieldset class="group">
      <legend>
        <span>{label}</span>
        <button
          type="button"
          class="icon-button"
          aria-label={`Add: ${label}`}
          title={`Add: ${label}`}
          onClick={() => set([...list, startOf(bare(item))])}
        >
          <Icon of={plus} size={14} />
        </button>
      </legend>
      {list.map((value, i) => (
        <div key={i} class="list-item">
          <div class="list-item-head">
            <span class="faint">{i + 1}</span>
            <button
              type="button"
              class="icon-button"
              aria-label="Move up"
              title="Move up"
              disabled={i === 0}
              onClick={() => set(list.toSpliced(i, 1).toSpliced(i - 1, 0, value))}
            >
              <Icon of={arrowUp} size={14} />
            </button>
            <RemoveButton label={`${label} ${i + 1}`} onRemove={() => set(list.toSpliced(i, 1))} />
          </div>
          {inner.kind === 'object' ? (
            Object.entries(inner.properties).map(([key, property]) => (
              <LabelledValue key={key} name={key} schema={property}>
                <ValueField
                  name={key}
                  schema={property}
                  value={(value as Readonly<Record<string, unknown>> | null)?.[key]}
                  swatches={swatches}
                  onValue={(next) => {
                    const { [key]: _before, ...others } = (value ?? {}) as Readonly<Record<string, unknown>>;
                    set(list.with(i, next === undefined ? others : { ...others, [key]: next }));
                  }}
                />
              </LabelledValue>
            ))
          ) : (
            <ValueField
              name={name}
              schema={item}
              value={value}
              swatches={swatches}
              onValue={(next) => set(list.with(i, next))}
            />
          )}
        </div>
      ))}
    </fieldset>
  );
}

/** One object or a list of them is a list; everything else is written as JSON, or by a field of its own. */
function UnionField(props: Shown & { readonly options: readonly z.ZodType[]; readonly isNullable: boolean }) {
  const { shown, options, schema, label, onValue, isMixed = false } = props;
  const list = options.find((option) => propertyOf(option).control.kind === 'list');
  const single = options.find((option) => propertyOf(option).control.kind === 'object');
  const item = list && propertyOf(list).control;
  if (list && single && item?.kind === 'list' && item.item === single) {
    const shownList = shown === null || shown === undefined ? [] : Array.isArray(shown) ? shown : [shown];
    return (
      <ListField
        {...props}
        shown={shownList}
        item={item.item}
        isNullable={props.isNullable}
        onValue={(next) => onValue(Array.isArray(next) && next.length === 1 ? next[0] : next)}
      />
    );
  }
  return <JsonField label={label} schema={schema} value={shown} isMixed={isMixed} onValue={onValue} />;
}

/** Without its default, which for something nullable is null. */
function bare(schema: z.ZodType): z.ZodType {
  let inner = schema;
  for (;;) {
    const def = inner.def as unknown as { readonly type: string; readonly innerType?: z.ZodType };
    if (!def.innerType || !/^(default|nullable|optional)$/.test(def.type)) return inner;
    inner = def.innerType;
  }
}
