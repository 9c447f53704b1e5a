// Edits of the template's parameters: which layers are offered to those who fill it in, in which order, by which rules.

import type { ParameterRules } from '#core/template/parameter-rules.ts';
import type { Edit, RawDocument } from './document.ts';

/** A parameter as it is stored. */
export interface RawParameter extends ParameterRules {
  readonly layer: string;
  readonly label?: string | undefined;
  readonly help?: string | undefined;
  readonly hidden?: boolean | undefined;
}

/** undefined: the author has not chosen any, so every layer is one. */
export const parametersIn = (document: RawDocument): readonly RawParameter[] | undefined =>
  document.parameters as readonly RawParameter[] | undefined;

const withParameters = (document: RawDocument, parameters: readonly RawParameter[]): RawDocument => ({
  ...document,
  parameters,
});

/** Offers a layer, after the others. */
export const offerLayer =
  (layer: string): Edit =>
  (document) => {
    const parameters = parametersIn(document) ?? [];
    return parameters.some((one) => one.layer === layer)
      ? document
      : withParameters(document, [...parameters, { layer }]);
  };

/** Offers these layers and no others. */
export const offerLayers =
  (layers: readonly string[]): Edit =>
  (document) =>
    withParameters(
      document,
      layers.map((layer) => ({ layer })),
    );

/** Offers every layer again, without rules. */
export const offerAll: Edit = ({ parameters: _parameters, ...document }) => document as RawDocument;

/** Changes one parameter; undefined removes a property. */
export const setParameter =
  (layer: string, patch: Partial<RawParameter>): Edit =>
  (document) => {
    const change = (parameter: RawParameter): RawParameter => {
      const next = Object.entries({ ...parameter, ...patch }).filter(([, value]) => value !== undefined);
      return Object.fromEntries(next) as unknown as RawParameter;
    };
    const parameters = parametersIn(document) ?? [];
    return withParameters(
      document,
      parameters.map((one) => (one.layer === layer ? change(one) : one)),
    );
  };

/** Moves a parameter by one step. */
export const moveParameter =
  (layer: string, step: 1 | -1): Edit =>
  (document) => {
    const parameters = parametersIn(document) ?? [];
    const from = parameters.findIndex((one) => one.layer === layer);
    const moved = parameters[from];
    const to = from + step;
    if (!moved || to < 0 || to >= parameters.length) return document;
    return withParameters(document, parameters.toSpliced(from, 1).toSpliced(to, 0, moved));
  };

/** Of layers that are removed, or no longer offered. */
export const removeParameters =
  (layers: ReadonlySet<string>): Edit =>
  (document) => {
    const parameters = parametersIn(document);
    return parameters?.some(({ layer }) => layers.has(layer))
      ? withParameters(
          document,
          parameters.filter(({ layer }) => !layers.has(layer)),
        )
      : document;
  };

/** Keeps the parameter of a layer that gets another name. */
export const renameParameter =
  (from: string, to: string): Edit =>
  (document) =>
    parametersIn(document)?.some(({ layer }) => layer === from)
      ? setParameter(from, { layer: to })(document)
      : document;
