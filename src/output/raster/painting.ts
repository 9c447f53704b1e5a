// The type of painting in steps.

/**
 * Steps of painting: after each, a caller may do other work or stop. A step that ends with a promise needs what is
 * promised: the caller waits for it before the next step.
 */
export type Painting<T = void> = Generator<Promise<void> | undefined, T>;
