// Yields to other work of the thread, until the next turn of the event loop.

export { setImmediate as nextTurn } from 'node:timers/promises';
