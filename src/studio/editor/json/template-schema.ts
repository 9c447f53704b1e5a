// The JSON Schema of a template. The build generates it (scripts/studio/weight-plugin.ts), so that no page loads the
// code that writes it.

import { anyTemplateJsonSchema } from '#core/template/any-template.ts';

export const templateSchema = anyTemplateJsonSchema();
