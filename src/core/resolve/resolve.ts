// Resolves any template and modifications to a scene.
//
// An editor opens without the code of layers that most templates lack, and loads this file when one needs it.

import type { Template } from '../template/template.ts';
import type { Modifications } from './apply-modifications.ts';
import { Completion } from './calculate.ts';
import { resolveChart } from './resolve-chart.ts';
import { type RarerLayers, resolveWith } from './resolve-layers.ts';
import { resolveTable } from './resolve-table.ts';
import type { Scene } from './scene.ts';
import { valueNames } from './table-values.ts';

export const RARER_LAYERS: RarerLayers = { resolveTable, resolveChart, Completion, valueNames };

/** As `resolveWith` does. @throws ValidationError as that */
export const resolve = (template: Template, modifications: Modifications): Scene =>
  resolveWith(RARER_LAYERS, template, modifications);
