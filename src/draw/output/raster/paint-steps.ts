// The type of painting that is done in steps, between which its caller may pause.

/**
 * Steps of painting: after each, a caller may do other work or stop. A step that ends with a promise needs what is
 * promised: the caller waits for it before the next step.
 */
export type PaintSteps<T = void> = Generator<Promise<void> | undefined, T>;
