// The processor time of the calling thread, by which tests bound work that must not grow with the square of its input:
// unlike a clock, it is not late beside other work.

/** ms since the thread began. */
export function processorTime(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}
