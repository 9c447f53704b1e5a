// How a template names its brand.

import { z } from 'zod';

/** Names of brands: as they stand in addresses. */
export const BRAND_NAME = /^[a-z0-9][a-z0-9-]{0,59}$/;

export const BrandReference = z
  .string()
  .regex(/^[a-z0-9][a-z0-9-]{0,59}(@[1-9]\d{0,8})?$/, 'must be the name of a brand, such as "acme", or "acme@2"')
  .meta({
    description:
      'The name of a brand, whose colours, fonts, text styles, pictures and numbers stand as `$name` in values; without a version, the newest when the template is saved.',
  });
