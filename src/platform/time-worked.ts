// The processor time of the calling thread: what it did itself, without what it waited for.

/** ms; as much as time has passed where Node does not tell (before 23.9). */
export function timeWorked(): number {
  if (!process.threadCpuUsage) return performance.now();
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1e3;
}
