// The plans that accounts may have.

import type { Plan } from './quota.ts';

export type Plans = Readonly<Record<string, Plan>>;
