// Sets any value that a schema describes: with the control of its kind, and nested controls for composed values.

import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { z } from 'zod';
import { Problem } from '../../parts/field.tsx';
import { arrowUp, plus } from '../../parts/icons.ts';
import { texts } from '../../texts/editor.ts';
import { patched } from '../core/document/edits.ts';
import { isReference } from '../core/state/brand-names.ts';
import { FieldButton, Labelled, Select, Toggle } from './controls.tsx';
import { DimensionField } from './dimension-field.tsx';
import type { Shown, ValueFieldProps } from './field-look.ts';
import type { FillValue } from './fill.ts';
import { FillField } from './fill-field.tsx';
import { useBrand, useTyped } from './inspector-context.ts';
import { NumberInput } from './number-input.tsx';
import { arePatches, bare, formsOf, labelOf, misfit, propertyOf, severalOf, startOf } from './schema.ts';
import { AddButton, RemoveButton, Segments } from './segments.tsx';
import { SidesField } from './sides-field.tsx';
import { TypedField } from './typed-field.tsx';

export function ValueField(props: ValueFieldProps) {
  const { name, schema, value, isMixed = false, onValue, look = {} } = props;
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
    case 'tuple':
      return <TupleField {...props} label={label} shown={shown} items={control.items} />;
    case 'record':
      return <RecordField {...props} label={label} shown={shown} item={control.value} />;
    case 'plain':
      return <PlainField {...props} label={label} shown={shown} />;
    case 'any':
      return shown !== null && typeof shown === 'object' ? (
        <RecordField {...props} label={label} shown={shown} item={schema} />
      ) : (
        <PlainField {...props} label={label} shown={shown} />
      );
    case 'constant':
      return null;
  }
}

/** A choice of the brand's numbers beside a number; nothing if none of them fits. */
function NumberNames({ label, schema, value, onValue }: Omit<ValueFieldProps, 'name'> & { label: string }) {
  const fitting = Object.entries(useBrand()?.numbers ?? {}).filter(([, number]) => schema.safeParse(number).success);
  if (fitting.length === 0) return null;
  return (
    <select
      class="unit-select"
      aria-label={texts.value.inspector.brandNumberOf(label)}
      title={texts.value.inspector.brandNumber}
      value={isReference(value) ? value : ''}
      onChange={(event) => {
        const { value: chosen } = event.currentTarget;
        const own = fitting.find(([name]) => value === `$${name}`)?.[1];
        onValue(chosen === '' ? own : chosen);
      }}
    >
      <option value="">{texts.value.inspector.ownNumber}</option>
      {fitting.map(([name, number]) => (
        <option key={name} value={`$${name}`}>
          ${name} ({String(number)})
        </option>
      ))}
    </select>
  );
}

const scaled = (bound: number | null, scale: number) => (bound === null ? null : bound * scale);

function ObjectField(
  props: Shown & { readonly properties: Readonly<Record<string, z.ZodType>>; readonly isNullable: boolean },
) {
  const { label, shown, schema, properties, isNullable, isMixed } = props;
  // What is added and not valid before its fields are filled in is no part of the document until then.
  const [draft, setDraft] = useTyped<unknown>();
  const add = (next: unknown) => {
    const isWhole = misfit(schema, next) === null;
    setDraft(isWhole ? null : next);
    if (isWhole) props.onValue(next);
  };
  const isAbsent = shown === null || shown === undefined;
  const object = isAbsent ? draft : shown;
  if (isMixed || object === null)
    return <AddButton label={label} onAdd={() => add(STARTS[props.name] ?? startOf(bare(schema)))} />;
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
      <PropertyFields properties={properties} object={object as Properties} onObject={isAbsent ? add : props.onValue} />
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

interface PropertyFieldsProps {
  readonly properties: Readonly<Record<string, z.ZodType>>;
  readonly object: Properties;
  readonly onObject: (object: Properties) => void;
}

/** Of an object with more properties, those that are set come first, and the others behind "More". */
const MANY = 12;

/** The fields of an object's properties. */
export function PropertyFields({ properties, object, onObject }: PropertyFieldsProps) {
  const all = Object.entries(properties);
  // Kept while it is edited, so that no field moves from under the pointer.
  const [first] = useState(() => new Set(Object.keys(object)));
  const field = ([name, schema]: (typeof all)[number]) => (
    <LabelledValue key={name} name={name} schema={schema}>
      <ValueField
        name={name}
        schema={schema}
        value={object[name]}
        onValue={(next) => onObject(patched(object, { [name]: next }))}
      />
    </LabelledValue>
  );
  if (all.length <= MANY) return <>{all.map(field)}</>;
  return (
    <>
      {all.filter(([name]) => first.has(name)).map(field)}
      <Folded look="more" title={texts.value.inspector.more}>
        {() => all.filter(([name]) => !first.has(name)).map(field)}
      </Folded>
    </>
  );
}

interface FoldedProps {
  readonly look: string;
  readonly title: ComponentChildren;
  /** Whether it is open at first. */
  readonly isOpen?: boolean;
  /** Called once it is open: many fields take long. */
  readonly children: () => ComponentChildren;
}

/** Fields that are there once they are wanted. */
export function Folded({ look, title, isOpen = false, children }: FoldedProps) {
  const [wasOpened, setOpened] = useState(isOpen);
  return (
    <details class={look} open={isOpen} onToggle={(event) => event.currentTarget.open && setOpened(true)}>
      <summary class={look === 'more' ? undefined : `${look}-title`}>{title}</summary>
      {(wasOpened || isOpen) && <div class="panel-section-body">{children()}</div>}
    </details>
  );
}

interface LabelledValueProps extends Pick<ValueFieldProps, 'name' | 'schema'> {
  readonly label?: string;
  readonly children: ComponentChildren;
}

/** A label beside the control of a schema that does not show one itself. */
export function LabelledValue({ name, schema, label, children }: LabelledValueProps) {
  const { control, description } = propertyOf(schema);
  const isPlainList = control.kind === 'list' && propertyOf(control.item).control.kind === 'number';
  const labelsItself =
    ['boolean', 'object', 'record', 'union'].includes(control.kind) || (control.kind === 'list' && !isPlainList);
  if (control.kind === 'constant') return null;
  if (labelsItself)
    return (
      <div class="labelled is-wide" data-property={name}>
        {children}
      </div>
    );
  return (
    <Labelled property={name} label={label ?? labelOf(name)} title={description}>
      {children}
    </Labelled>
  );
}

/** What is added where the defaults would not show, by property. */
const STARTS: Readonly<Record<string, unknown>> = {
  shadow: { y: 4, blur: 12, color: '#00000040' },
  textPath: { type: 'arc', radius: 200 },
  spans: { text: '0' },
};

function ListField(props: Shown & { readonly item: z.ZodType; readonly isNullable: boolean }) {
  const { name, label, shown, item, isNullable, onValue } = props;
  const list = Array.isArray(shown) ? shown : [];
  if (propertyOf(item).control.kind === 'number') return <NumbersField {...props} />;
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
          <InnerField name={name} schema={item} value={value} onValue={(next) => set(list.with(i, next))} />
        </div>
      ))}
    </fieldset>
  );
}

/** A value inside another one: the fields of an object need no head of their own there. */
function InnerField(props: ValueFieldProps) {
  const { schema, value, onValue } = props;
  const { control } = propertyOf(schema);
  if (control.kind !== 'object') return <ValueField {...props} />;
  const object = (typeof value === 'object' ? (value ?? {}) : startOf(schema)) as Properties;
  return <PropertyFields properties={control.properties} object={object} onObject={onValue} />;
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

/** Values of a fixed number: numbers as one text, others by their places. */
function TupleField(props: Shown & { readonly items: readonly z.ZodType[] }) {
  const { shown, items, onValue } = props;
  if (items.every((item) => propertyOf(item).control.kind === 'number')) return <NumbersField {...props} />;
  const byPlace = (values: readonly unknown[]) => Object.fromEntries(values.map((value, i) => [`${i + 1}`, value]));
  return (
    <PropertyFields
      properties={byPlace(items) as Readonly<Record<string, z.ZodType>>}
      object={byPlace(Array.isArray(shown) ? shown : items.map(startOf))}
      onObject={(next) => onValue(Object.values(next))}
    />
  );
}

/** Values by names that are typed: a field for each, and one for a further name. */
function RecordField({ name, label, shown, schema, item, onValue }: Shown & { readonly item: z.ZodType }) {
  const [typed, setTyped] = useTyped();
  const object = (shown ?? {}) as Properties;
  // What is not valid yet, such as a list without entries, waits for its value.
  const [draft, setDraft] = useTyped<Properties>();
  const set = (key: string, next: unknown) => {
    const whole = patched(object, { [key]: next });
    const isWhole = misfit(schema, whole) === null;
    setDraft(isWhole || next === undefined ? null : { [key]: next });
    if (isWhole) onValue(Object.keys(whole).length === 0 && propertyOf(schema).isNullable ? null : whole);
  };
  const add = () => {
    const key = (typed ?? '').trim();
    if (key !== '' && !Object.hasOwn(object, key)) set(key, arePatches(schema) ? {} : startOf(item));
    setTyped(null);
  };
  return (
    <fieldset class="group">
      <legend>
        <span>{label}</span>
      </legend>
      {Object.entries({ ...object, ...draft }).map(([key, value]) => (
        <div key={key} class="list-item">
          <div class="list-item-head">
            <span class="truncate">{key}</span>
            <RemoveButton label={key} onRemove={() => set(key, undefined)} />
          </div>
          <ValueField
            name={name}
            schema={item}
            value={value}
            look={{ label: key }}
            onValue={(next) => set(key, next)}
          />
        </div>
      ))}
      <input
        class="input is-dense"
        aria-label={`${label}: ${texts.value.inspector.addName}`}
        placeholder={texts.value.inspector.addName}
        maxLength={100}
        value={typed ?? ''}
        onInput={(event) => setTyped(event.currentTarget.value)}
        onKeyDown={(event) => event.key === 'Enter' && add()}
        onBlur={add}
      />
    </fieldset>
  );
}

/** A text, which is a number, true or false where the schema takes one. */
function PlainField({ label, shown, schema, isMixed, onValue }: Shown) {
  const read = (text: string): unknown => {
    const other = text === 'true' ? true : text === 'false' ? false : text.trim() === '' ? text : Number(text);
    return !Number.isNaN(other) && misfit(schema, other) === null ? other : text;
  };
  return (
    <TypedField
      aria-label={label}
      title={label}
      placeholder={isMixed ? texts.value.common.mixed : ''}
      shown={shown === undefined || shown === null ? '' : String(shown)}
      problemOf={(text) => misfit(schema, read(text))}
      onText={(text) => onValue(read(text))}
    />
  );
}

/** A list of what may also stand alone: one field, or several. */
function UnionField(props: Shown & { readonly options: readonly z.ZodType[]; readonly isNullable: boolean }) {
  const { shown, onValue } = props;
  const several = severalOf(props.options);
  if (!several || props.options.length > 2) return <FormsField {...props} />;
  const shownList = shown === null || shown === undefined ? [] : Array.isArray(shown) ? shown : [shown];
  return (
    <ListField
      {...props}
      shown={shownList}
      item={several.item}
      isNullable={props.isNullable}
      onValue={(next) => onValue(Array.isArray(next) && next.length === 1 ? next[0] : next)}
    />
  );
}

/** One of several forms: it is chosen, and has its own fields. Those of a form that is not valid yet stay here until it is. */
function FormsField(props: Shown & { readonly options: readonly z.ZodType[]; readonly isNullable: boolean }) {
  const { name, label, shown, schema, options, isNullable, isMixed, onValue } = props;
  const [draft, setDraft] = useTyped<{ readonly key: string; readonly value: unknown }>();
  const forms = formsOf(options);
  const several = severalOf(options);
  const value = draft ? draft.value : shown;
  const isOf = ({ schema: form, value: word }: (typeof forms)[number]) =>
    JSON.stringify(word) === JSON.stringify(value) ||
    (form !== null && misfit(form, form === several?.list ? [value].flat() : value) === null);
  const isAbsent = value === null || value === undefined;
  const form = forms.find((one) => (draft ? one.key === draft.key : !isAbsent && isOf(one)));
  const set = (key: string, next: unknown) => {
    const isWhole = misfit(schema, next) === null;
    setDraft(isWhole ? null : { key, value: next });
    if (isWhole) onValue(next);
  };
  const choose = (key: string) => {
    const next = forms.find((one) => one.key === key);
    if (next) set(key, next.schema ? startOf(next.schema) : next.value);
    else onValue(isNullable ? null : undefined);
    if (!next) setDraft(null);
  };
  return (
    <div class="forms">
      <Select
        labelled
        label={label}
        value={isMixed ? '' : (form?.key ?? '')}
        options={[
          (isMixed || isNullable || propertyOf(schema).isOptional || !form) && [
            '',
            isMixed ? texts.value.common.mixed : texts.value.common.none,
          ],
          ...forms.map((one) => [one.key, one.label] as const),
        ]}
        onChoose={choose}
      />
      <Problem of={draft && misfit(schema, draft.value)} />
      {form?.schema && !isMixed && (
        <div class="group">
          <InnerField
            name={name}
            schema={form.schema}
            value={form.schema === several?.list ? [value].flat() : value}
            look={{ label: form.label }}
            onValue={(next) => set(form.key, next)}
          />
        </div>
      )}
    </div>
  );
}

/** A text field for a property: checked while typing, written when valid. */
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
