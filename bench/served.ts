// The workloads of the servers in the race: the three cards, and the sixty templates of the rotation.

import { rotationCards } from './families/templates.ts';
import { WORKLOADS, type Workload } from './workloads.ts';

export const ROTATED: readonly Workload[] = rotationCards(1).map((card, number) => ({
  name: `rotation ${number}`,
  ...card,
}));

const SERVED = new Map([...WORKLOADS, ...ROTATED].map((workload) => [workload.name, workload]));

export const servedWorkloads = (): readonly Workload[] => [...SERVED.values()];

/** @throws Error when there is no workload of that name */
export function servedWorkload(name: string): Workload {
  const workload = SERVED.get(name);
  if (!workload) throw new Error(`no workload "${name}"`);
  return workload;
}
