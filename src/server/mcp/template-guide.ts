// Shortens the JSON Schema of templates for a model: every part with its properties and their kinds, one line each, without
// descriptions and bounds. The whole schema of one part is told on demand.

type Schema = Readonly<Record<string, unknown>>;
type Schemas = Readonly<Record<string, Schema>>;

const LEGEND = `A template is a LayersTemplate; px are canvas px. "?" may be left out, "|" is or, "[…]" a list, "{…}" an object.
A part written with a capital letter has its own line. read_template_schema {"part": "TextLayer"} tells what its properties mean.`;

/** @param document the JSON Schema of templates. @returns at most 30,000 characters */
export function templateGuide(document: unknown): string {
  const parts = partsOf(document);
  const layers = Object.values(parts).filter(isLayer).map(propertiesOf);
  const [first = new Map<string, string>(), ...others] = layers;
  const shared = new Map([...first].filter(([name, kind]) => others.every((other) => other.get(name) === kind)));
  const lines = Object.entries(parts).map(([name, schema]) => {
    if (!isLayer(schema)) return `${name} = ${kindOf(schema)}`;
    const own = [...propertiesOf(schema)].filter(([property]) => !shared.has(property));
    return `${name} = AnyLayer & {${listed(own)}}`;
  });
  return [LEGEND, `AnyLayer = {${listed([...shared])}}`, ...lines].join('\n');
}

/** The JSON Schema of one part, or null where there is none of that name. */
export function templatePart(document: unknown, name: string): Schema | null {
  const parts = partsOf(document);
  return Object.hasOwn(parts, name) ? (parts[name] ?? null) : null;
}

export const partNames = (document: unknown): readonly string[] => Object.keys(partsOf(document));

/** What zod names by a number, to write it once, stands where it is used. */
const NUMBERED = /^__schema\d+$/;

/** The named parts, without references to numbered ones. */
function partsOf(document: unknown): Schemas {
  const { $defs = {} } = document as { readonly $defs?: Schemas };
  const whole = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(whole);
    if (typeof value !== 'object' || value === null) return value;
    const { $ref, ...rest } = value as Schema;
    const name = typeof $ref === 'string' ? $ref.slice($ref.lastIndexOf('/') + 1) : '';
    if (NUMBERED.test(name)) return { ...(whole($defs[name]) as Schema), ...rest };
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, whole(each)]));
  };
  const named = Object.entries($defs).filter(([name]) => !NUMBERED.test(name));
  return Object.fromEntries(named.map(([name, schema]) => [name, whole(schema) as Schema]));
}

const isLayer = ({ properties }: Schema) => {
  const { type, name, opacity } = (properties ?? {}) as Schemas;
  return typeof type?.const === 'string' && name !== undefined && opacity !== undefined;
};

/** Each property with its kind: `"fontSize?"` → `number`. */
function propertiesOf({ properties = {}, required = [] }: Schema): ReadonlyMap<string, string> {
  const isRequired = (name: string) => (required as readonly string[]).includes(name);
  return new Map(
    Object.entries(properties as Schemas).map(([name, schema]) => [
      isRequired(name) ? name : `${name}?`,
      kindOf(schema),
    ]),
  );
}

const listed = (properties: readonly (readonly [string, string])[]) =>
  properties.map(([name, kind]) => `${name}: ${kind}`).join(', ');

function kindOf(schema: Schema): string {
  const { $ref, type, anyOf, oneOf, items, prefixItems, additionalProperties } = schema;
  if (typeof $ref === 'string') return $ref.slice($ref.lastIndexOf('/') + 1);
  if ('const' in schema) return JSON.stringify(schema.const);
  if (Array.isArray(schema.enum)) return schema.enum.map((one) => JSON.stringify(one)).join('|');
  const options = (anyOf ?? oneOf) as readonly Schema[] | undefined;
  // Beside properties it says which of them are required.
  if (options && !schema.properties) return [...new Set(options.map(kindOf))].join('|');
  if (Array.isArray(prefixItems)) return `[${prefixItems.map(kindOf).join(', ')}]`;
  if (type === 'array') return `[${typeof items === 'object' ? kindOf(items as Schema) : 'any'}]`;
  if (schema.properties) return `{${listed([...propertiesOf(schema)])}}`;
  if (type === 'object') {
    return `{name: ${typeof additionalProperties === 'object' ? kindOf(additionalProperties as Schema) : 'any'}}`;
  }
  return Array.isArray(type) ? type.join('|') : ((type as string | undefined) ?? 'any');
}
