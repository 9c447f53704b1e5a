// The JSON Schema of a template. The build puts it here as it is (scripts/studio/weight-plugin.ts), so that no page
// carries what writes it.

import { anyTemplateJsonSchema } from '#core/template/any-template.ts';

export const templateSchema = anyTemplateJsonSchema();
