// Every fixture, drawn in one piece and from kept rasters, as often as it takes until all that can be kept is.

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parseAnyTemplate } from '#core/template/any-template.ts';
import { AppError } from '#errors';
import { parseDataUri } from '#images/data-uri.ts';
import { CASES, FIXTURES } from '../../../golden/cases.ts';
import { deviation, placeTemplate, plainly, retained } from './both-ways.ts';

const sources = {
  read: (source: string) => {
    if (source.startsWith('data:')) return Promise.resolve(parseDataUri(source).bytes);
    return readFile(join(FIXTURES, source)).catch((cause: unknown) => {
      throw new AppError('invalid_request', `There is no file ${source}.`, { cause });
    });
  },
};

for (const { name, template, modifications } of CASES) {
  test(name, async () => {
    const placed = await placeTemplate(parseAnyTemplate(template), modifications, sources);
    const plain = await plainly(placed);
    for (let time = 0; time < 4; time++) {
      const kept = await retained(placed);
      if (kept === null) return;
      const { most, share } = deviation(plain, kept);
      // Where hairlines meet, and at the edges of translucent gradients, a pixel is rounded once more than in one piece.
      expect(most).toBeLessThanOrEqual(2);
      expect(share).toBeLessThan(0.0002);
    }
  });
}
