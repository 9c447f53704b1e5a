// Builds the `platen` command of a checkout into `dist`: `npm run build:command`. It starts in two thirds of the
// processor time that the sources take.

import { join } from 'node:path';
import { BUILT_BY_OTHERS, buildModules } from './build-package.ts';
import { replaceFolder } from './replace-folder.ts';

await replaceFolder(join(import.meta.dirname, '..', 'dist'), BUILT_BY_OTHERS, buildModules);
