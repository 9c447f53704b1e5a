// Sets any value that a schema describes: with the control of its kind, and nested controls for composed values.

import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { z } from 'zod';
import { arrowUp, plus } from '../../parts/icons.ts';
import { texts } from '../../texts/editor.ts';
import { isReference } from '../core/state/brand-names.ts';
import { NumberNames } from './brand-fields.tsx';
import { FieldButton, Select, Toggle } from './controls.tsx';
import { DimensionField } from './dimension-field.tsx';
import type { Shown, ValueFieldProps } from './field-look.ts';
import type { FillValue } from './fill.ts';
import { FillField } from './fill-field.tsx';
import { useBrand } from './inspector-context.ts';
import { JsonField } from './json-field.tsx';
import { NumberInput } from './number-input.tsx';
import { bare, labelOf, misfit, propertyOf, startOf } from './schema.ts';
import { AddButton, RemoveButton, Segments } from './segments.tsx';
import { SidesField } from './sides-field.tsx';
import { TypedField } from './typed-field.tsx';

export function ValueField(props: ValueFieldProps) {
  const { name, schema, value, isMixed = false, onValue, swatches, look = {} } = props;
  const property = propertyOf(schema);
  const { control } = property;
  const label = look.label ?? labelOf(name);
  const shown = isMixed ? undefined : (value ?? property.initial);
  const brand = useBrand();
  // A name of the brand may be typed, too.
  const isName = (text: string) => isReference(text) && Object.hasOwn(brand?.numbers ?? {}, text.slice(1));
  const names = brand && <NumberNames label={label} schema={schema} value={shown} onValue={onValue} />;
  const absent = property.isNullable ? texts.value.common.auto : '';
  const placeholder = isMixed ? texts.value.common.mixed : (look.placeholder ?? absent);
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
          {...(isReference(shown) && { shown })}
          words={isName}
          onWord={onValue}
          after={scale === 1 && names}
          placeholder={placeholder}
          onNumber={(next) => onValue(next / scale)}
          onEmpty={() => onValue(property.isNullable ? null : undefined)}
        />
      );
    }
    case 'boolean':
      return <Toggle label={label} isOn={shown === true} isMixed={isMixed} onToggle={onValue} />;
    case 'choice':
      return look.icons ? (
        <Segments
          label={label}
          // In the order of their icons.
          options={Object.keys(look.icons)}
          icons={look.icons}
          names={look.names ?? {}}
          value={shown}
          onValue={onValue}
        />
      ) : (
        <Select
          label={label}
          value={isMixed ? '' : String(shown ?? '')}
          options={[
            (isMixed || property.isNullable || (shown === undefined && property.isOptional)) && [
              '',
              isMixed ? texts.value.common.mixed : texts.value.common.auto,
            ],
            ...control.options.map((option) => [option, look.names?.[option] ?? labelOf(option)] as const),
          ]}
          onChoose={(next) => onValue(next === '' ? null : next)}
        />
      );
    case 'choices':
      return <ChoicesField {...props} label={label} shown={shown} options={control.options} />;
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
          isName={isName}
          onValue={onValue}
        />
      );
    case 'length':
      return (
        <NumberInput
          label={label}
          prefix={look.prefix}
          value={typeof shown === 'number' ? shown : null}
          {...(typeof shown === 'string' && { shown })}
          placeholder={placeholder}
          words={(text) => isName(text) || (Number.isNaN(Number(text)) && misfit(schema, text) === null)}
          onWord={onValue}
          after={names}
          onNumber={(next) => misfit(schema, next) === null && onValue(next)}
          onEmpty={() => onValue(property.isNullable ? null : undefined)}
        />
      );
    case 'edges':
    case 'corners':
      return (
        <SidesField
          kind={control.kind}
          label={label}
          value={shown}
          isMixed={isMixed}
          isWord={(text) => isName(text) || misfit(schema, text) === null}
          onValue={onValue}
        />
      );
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

function ObjectField(
  props: Shown & { readonly properties: Readonly<Record<string, z.ZodType>>; readonly isNullable: boolean },
) {
  const { label, shown, schema, properties, isNullable, swatches, isMixed } = props;
  // What is added and not valid before its fields are filled in is no part of the document until then.
  const [draft, setDraft] = useState<unknown>(null);
  const add = (next: unknown) => {
    const isWhole = misfit(schema, next) === null;
    setDraft(isWhole ? null : next);
    if (isWhole) props.onValue(next);
  };
  const isAbsent = shown === null || shown === undefined;
  const object = isAbsent ? draft : shown;
  if (isMixed || object === null) return <AddButton label={label} onAdd={() => add(startOf(bare(schema)))} />;
  const remove = () => {
    setDraft(null);
    if (!isAbsent) props.onValue(propertyOf(schema).isNullable ? null : undefined);
  };
  return (
    <fieldset class="group">
      <legend>
        <span>{label}</span>
        {isNullable && <RemoveButton label={label} onRemove={remove} />}
      </legend>
      <PropertyFields
        properties={properties}
        object={object as Properties}
        swatches={swatches}
        onObject={isAbsent ? add : props.onValue}
      />
    </fieldset>
  );
}

type Properties = Readonly<Record<string, unknown>>;

/** Words of which several may hold, each with a toggle; without any it is the default, which has none. */
function ChoicesField({ label, shown, schema, options, look, isMixed, onValue }: Shown & Options) {
  const { initial } = propertyOf(schema);
  const chosen = [shown ?? []].flat().filter((word) => word !== initial);
  const set = (next: readonly unknown[]) => {
    const value = next.length === 0 ? initial : next.length === 1 ? next[0] : next;
    if (misfit(schema, value) === null) onValue(value);
  };
  return (
    <fieldset class="choices" aria-label={label}>
      {options
        .filter((option) => option !== initial)
        .map((option) => (
          <Toggle
            key={option}
            label={look?.names?.[option] ?? labelOf(option)}
            isOn={chosen.includes(option)}
            isMixed={isMixed ?? false}
            onToggle={(isOn) => set(isOn ? [...chosen, option] : chosen.filter((word) => word !== option))}
          />
        ))}
    </fieldset>
  );
}

interface Options {
  readonly options: readonly string[];
}

interface PropertyFieldsProps extends Pick<ValueFieldProps, 'swatches'> {
  readonly properties: Readonly<Record<string, z.ZodType>>;
  readonly object: Properties;
  readonly onObject: (object: Properties) => void;
}

/** The fields of an object's properties. */
export function PropertyFields({ properties, object, swatches, onObject }: PropertyFieldsProps) {
  return Object.entries(properties).map(([name, schema]) => (
    <LabelledValue key={name} name={name} schema={schema}>
      <ValueField
        name={name}
        schema={schema}
        value={object[name]}
        swatches={swatches}
        onValue={(next) => {
          const { [name]: _before, ...others } = object;
          onObject(next === undefined ? others : { ...object, [name]: next });
        }}
      />
    </LabelledValue>
  ));
}

/** A label beside a control that does not show one itself. */
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
  const isPlainList = control.kind === 'list' && ['number', 'tuple'].includes(propertyOf(control.item).control.kind);
  const labelsItself =
    control.kind === 'boolean' ||
    control.kind === 'object' ||
    (control.kind === 'list' && !isPlainList) ||
    (control.kind === 'record' && !isNullable);
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

/** What is added to lists whose defaults would not show, by property. */
const STARTS: Readonly<Record<string, unknown>> = {
  shadow: { y: 4, blur: 12, color: '#00000040' },
  spans: { text: '0' },
};

function ListField(props: Shown & { readonly item: z.ZodType; readonly isNullable: boolean }) {
  const { name, label, shown, schema, item, isNullable, onValue, swatches } = props;
  const list = Array.isArray(shown) ? shown : [];
  const inner = propertyOf(item).control;
  if (inner.kind === 'number') return <NumbersField {...props} />;
  if (inner.kind === 'tuple') {
    return <JsonField label={label} schema={schema} value={shown} isMixed={props.isMixed ?? false} onValue={onValue} />;
  }
  const set = (next: readonly unknown[]) => onValue(next.length === 0 && isNullable ? null : next);
  return (
    <fieldset class="group">
      <legend>
        <span>{label}</span>
        <FieldButton
          icon={plus}
          label={texts.value.inspector.add(label)}
          onClick={() => set([...list, STARTS[name] ?? startOf(bare(item))])}
        />
      </legend>
      {list.map((value, i) => (
        <div key={i} class="list-item">
          <div class="list-item-head">
            <span class="faint">{i + 1}</span>
            <FieldButton
              icon={arrowUp}
              label={texts.value.inspector.moveUp}
              disabled={i === 0}
              onClick={() => set(list.toSpliced(i, 1).toSpliced(i - 1, 0, value))}
            />
            <RemoveButton label={`${label} ${i + 1}`} onRemove={() => set(list.toSpliced(i, 1))} />
          </div>
          {inner.kind === 'object' ? (
            <PropertyFields
              properties={inner.properties}
              object={(value ?? {}) as Properties}
              swatches={swatches}
              onObject={(next) => set(list.with(i, next))}
            />
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

/** A list of numbers as one text: `8 4`. */
function NumbersField({ label, shown, schema, isMixed, onValue }: Shown) {
  const numbersOf = (text: string) =>
    text
      .split(/[\s,]+/)
      .filter(Boolean)
      .map(Number);
  const isWrong = (numbers: readonly number[]) => numbers.some(Number.isNaN) || misfit(schema, numbers) !== null;
  return (
    <TypedField
      isMono
      aria-label={label}
      title={label}
      placeholder={isMixed ? texts.value.common.mixed : texts.value.inspector.numbersHint}
      shown={Array.isArray(shown) ? shown.join(' ') : ''}
      problemOf={(text) => (isWrong(numbersOf(text)) ? texts.value.inspector.noNumbers : null)}
      onText={(text) => {
        const numbers = numbersOf(text);
        onValue(numbers.length === 0 ? undefined : numbers);
      }}
    />
  );
}

/** An object or a list of such objects is shown as a list; every other union as JSON, or with a field of its own. */
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

// A text field for a property: checked while typing, written when valid.

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
    placeholder: isMixed ? texts.value.common.mixed : (look.placeholder ?? ''),
    spellcheck: false,
    value: typed ?? text,
  } as const;
  const commit = () => setTyped(null);
  if (look.multiline)
    return (
      <textarea
        {...attributes}
        rows={3}
        data-lines={look.multiline}
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
