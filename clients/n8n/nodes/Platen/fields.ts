// The fields that a template offers: its parameters if it names any, otherwise its layers by name.

import type { FieldType, IDataObject, ResourceMapperField } from 'n8n-workflow';

interface Layer {
  readonly name?: string;
  readonly type?: string;
  readonly visible?: boolean;
  readonly children?: readonly Layer[];
}

interface Parameter {
  readonly layer: string;
  readonly label?: string;
  readonly required?: boolean;
  readonly hidden?: boolean;
  readonly kind?: string;
  readonly choices?: readonly string[];
}

/** What a value of a layer sets, by type of layer. */
const VALUES: Readonly<Record<string, string>> = {
  text: 'text',
  image: 'picture: an address, or the ID of an image',
  qr: 'content of the code',
  barcode: 'content of the code',
  shape: 'colour',
  table: 'rows',
  chart: 'values, such as 3, 5, 8',
};

const TYPES: Readonly<Record<string, FieldType>> = { number: 'number', boolean: 'boolean' };

export function fieldsOf(template: IDataObject): ResourceMapperField[] {
  const layers = [...allLayers(template.layers as readonly Layer[] | undefined)];
  const types = new Map(layers.map(({ name, type }) => [name, type]));
  const parameters = template.parameters as readonly Parameter[] | undefined;
  if (parameters && parameters.length > 0) {
    return parameters
      .filter(({ hidden }) => hidden !== true)
      .map(({ layer, label, required = false, kind = '', choices }) => ({
        ...field(layer, label ?? layer, choices ? 'options' : (TYPES[kind] ?? typeOf(types.get(layer)))),
        required,
        ...(choices ? { options: choices.map((value) => ({ name: value, value })) } : {}),
      }));
  }
  return layers.flatMap(({ name, type = '' }) =>
    name !== undefined && VALUES[type] ? [field(name, `${name} (${VALUES[type]})`, typeOf(type))] : [],
  );
}

const typeOf = (layer: string | undefined): FieldType =>
  layer === 'table' ? 'array' : layer === 'frame' ? 'boolean' : 'string';

const field = (id: string, displayName: string, type: FieldType): ResourceMapperField => ({
  id,
  displayName,
  type,
  required: false,
  defaultMatch: false,
  display: true,
});

function* allLayers(layers: readonly Layer[] = []): Generator<Layer> {
  for (const layer of layers) {
    yield layer;
    yield* allLayers(layer.children);
  }
}
