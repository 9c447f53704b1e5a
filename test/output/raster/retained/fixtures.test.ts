// Every fixture, drawn in one piece and from kept rasters, as often as it takes until all that can be kept is.

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parseTemplate } from '#core/template/template.ts';
import { AppError } from '#errors';
import { CASES, FIXTURES } from '../../../golden/cases.ts';
import { deviation, placeTemplate, plainly, retained } from './both-ways.ts';

const sources = {
  read: (source: string) => {
    const inline = /^data:[^,]*;base64,(.*)$/s.exec(source)?.[1];
    if (inline !== undefined) return Promise.resolve(Buffer.from(inline, 'base64'));
    return readFile(join(FIXTURES, source)).catch((cause: unknown) => {
      throw new AppError('invalid_request', `There is no file ${source}.`, { cause });
    });
  },
};

for (const { name, template, modifications } of CASES) {
  test(name, async () => {
    const placed = await placeTemplate(parseTemplate(template), modifications, sources);
    const plain = await plainly(placed);
    for (let time = 0; time < 4; time++) {
      const kept = await retained(placed);
      if (kept === null) return;
      const { most, share } = deviation(plain, kept);
      // Two stacked layers are rounded twice here, and once where the rasteriser sees both.
      expect(most).toBeLessThanOrEqual(2);
      expect(share).toBeLessThan(0.01);
    }
  });
}
