// Work that serves whoever asked before it began: those who ask while it is under way share the next.

/** @returns asks for the work; what comes of it, success or failure, is everybody's whom it served */
export function together(work: () => Promise<void>): () => Promise<void> {
  let underWay: Promise<void> = Promise.resolve();
  let next: Promise<void> | null = null;
  const begin = () => {
    next = null;
    underWay = work();
    return underWay;
  };
  return () => {
    next ??= underWay.then(begin, begin);
    return next;
  };
}
