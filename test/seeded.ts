// Numbers that look random and are the same in each run (Park and Miller's generator).

/** @param seed a whole number above 0 @returns a function that gives the next number from 0 up to below its argument */
export function seeded(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 48_271) % 2_147_483_647;
    return state % below;
  };
}
