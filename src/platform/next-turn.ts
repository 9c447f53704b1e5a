// Lets other work of the thread go on.

export { setImmediate as nextTurn } from 'node:timers/promises';
