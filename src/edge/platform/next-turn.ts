// Yields to other work of the thread: a page's input, another request of an isolate.

export function nextTurn(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 0));
}
