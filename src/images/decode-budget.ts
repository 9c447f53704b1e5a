// How many pixels are decoded at the same time, in the whole process.
//
// A progressive JPEG, an interlaced PNG or an AVIF is held whole while it is read. One of 50 million pixels is allowed;
// as many of them at once as there are threads would not be.

/** Pixels of all images that are being decoded. */
const BUDGET = 150_000_000;

let underWay = 0;
const waiting: { readonly pixels: number; readonly start: () => void }[] = [];

function admit(): void {
  for (let next = waiting[0]; next !== undefined; next = waiting[0]) {
    // One always may, however large it is.
    if (underWay > 0 && underWay + next.pixels > BUDGET) return;
    waiting.shift();
    underWay += next.pixels;
    next.start();
  }
}

/** Runs `work`, which decodes so many pixels, when its turn has come. First come, first served. */
export async function withinBudget<T>(pixels: number, work: () => Promise<T>): Promise<T> {
  await new Promise<void>((start) => {
    waiting.push({ pixels, start });
    admit();
  });
  try {
    return await work();
  } finally {
    underWay -= pixels;
    admit();
  }
}
