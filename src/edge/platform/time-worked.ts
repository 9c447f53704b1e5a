// The time that passes, where no runtime tells a thread's own.

export const timeWorked = (): number => performance.now();
