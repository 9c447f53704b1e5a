// Installs, once per run, the packages that only heavy tests use.

import type { TestProject } from 'vitest/node';
import { installTools } from '../../scripts/install-tools.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** When the run began, ms since 1970. */
    begun: number;
  }
}

export default function setup(project: TestProject): void {
  project.provide('begun', Date.now());
  const folders = [
    'test/heavy/contract-tools',
    'test/heavy/edge',
    'test/heavy/pdf-viewers',
    'test/server/storage/postgres/binaries',
    'scripts/generate',
    'samples/editor',
  ];
  for (const folder of folders) installTools(folder);
}
