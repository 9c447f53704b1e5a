// The parameters of a template: the layers that its author offers to callers and forms, in their order, with the rules
// for their values. A template without them offers every named layer.

import { z } from 'zod';
import { quoted, ValidationError } from '../diagnostics.ts';
import { nearestName } from '../nearest-name.ts';
import { PARAMETER_KINDS, type ParameterKind, traitsOf } from './layer-traits.ts';

const MAX_PARAMETERS = 200;

const TemplateParameter = z
  .strictObject({
    layer: z.string().min(1).max(100).meta({ description: 'The name of the layer.' }),
    label: z
      .string()
      .trim()
      .min(1)
      .max(100)
      .optional()
      .meta({ description: 'What a form calls it; else the layer’s name.' }),
    help: z.string().trim().min(1).max(500).optional().meta({ description: 'A hint below its field.' }),
    required: z
      .boolean()
      .optional()
      .meta({ description: 'A render must give it a value; what the template shows is only an example.' }),
    hidden: z.boolean().optional().meta({ description: 'Forms do not offer it; the API takes it all the same.' }),
    kind: z.enum(PARAMETER_KINDS).optional().meta({
      description:
        'What a form asks for. Default: `text` for texts and codes, `image`, `color` for shapes, `boolean` (shown or not) for frames.',
    }),
    maxLength: z.int().min(1).max(10_000).optional().meta({ description: 'Of a text, in characters.' }),
    min: z.number().optional().meta({ description: 'Of a number.' }),
    max: z.number().optional(),
    choices: z
      .array(z.string().min(1).max(1_000))
      .min(1)
      .max(100)
      .optional()
      .meta({ description: 'The only values that it may have.' }),
  })
  .meta({ id: 'TemplateParameter' });

export type TemplateParameter = z.infer<typeof TemplateParameter>;

export const TemplateParameters = z.array(TemplateParameter).max(MAX_PARAMETERS).optional().meta({
  description:
    'The layers that callers and forms may change, in this order, and rules for their values. Absent: every layer.',
});

/**
 * Checks what the schema of one parameter cannot: that its layer exists and is named once, and that its kind and limits
 * fit the layer.
 *
 * @param types the type of each layer by name; null if they are not known before the template is drawn
 * @throws ValidationError naming `parameters[2].layer`
 */
export function checkTemplateParameters(
  parameters: readonly TemplateParameter[],
  types: ReadonlyMap<string, string> | null,
): void {
  const seen = new Set<string>();
  for (const [index, parameter] of parameters.entries()) {
    const { layer } = parameter;
    const fail = (property: string, problem: string) => {
      throw new ValidationError(`parameters[${index}].${property}`, problem);
    };
    if (seen.has(layer)) fail('layer', `${quoted(layer)} is named by a parameter before it`);
    seen.add(layer);
    const type = types === null ? 'element' : types.get(layer);
    if (type === undefined) {
      const near = nearestName(layer, types?.keys() ?? []);
      const hint = near === null ? '' : `; did you mean ${JSON.stringify(near)}?`;
      fail('layer', `the template has no layer ${quoted(layer)}${hint}`);
    }
    checkKind(parameter, traitsOf(type)?.parameters ?? [], type ?? '', fail);
  }
}

function checkKind(
  { kind: chosen, required, hidden, maxLength, min, max, choices }: TemplateParameter,
  kinds: readonly ParameterKind[],
  type: string,
  fail: (property: string, problem: string) => void,
): void {
  const kind = chosen ?? kinds[0] ?? 'text';
  if (!kinds.includes(kind))
    fail('kind', `must be one of ${kinds.map((one) => quoted(one)).join(', ')} for a layer of type "${type}"`);
  if (required && hidden) fail('hidden', 'must be false where required is true: no form could give the value');
  const isText = kind === 'text' || kind === 'paragraph' || kind === 'url';
  if (maxLength !== undefined && !isText) fail('maxLength', `is for texts; this is of kind "${kind}"`);
  if (min !== undefined && kind !== 'number') fail('min', `is for numbers; this is of kind "${kind}"`);
  if (max !== undefined && kind !== 'number') fail('max', `is for numbers; this is of kind "${kind}"`);
  if (min !== undefined && max !== undefined && min > max) fail('min', `must be at most max, ${max}`);
  if (choices !== undefined && kind === 'boolean') fail('choices', 'are not for what is true or false');
  const long = maxLength === undefined ? undefined : choices?.find((choice) => choice.length > maxLength);
  if (long !== undefined) fail('choices', `has ${quoted(long)}, which is longer than maxLength`);
}
