import { expect, test } from 'vitest';
import { eachAtMost, Gate } from '#base/concurrency/gate.ts';

const never = new AbortController().signal;

test('no more than the allowed number run at once, the others wait their turn', async () => {
  const gate = new Gate({ concurrency: 2, waiting: 10 });
  let running = 0;
  let most = 0;
  const order: number[] = [];
  const work = (index: number) => async () => {
    running += 1;
    most = Math.max(most, running);
    await Promise.resolve();
    order.push(index);
    running -= 1;
  };
  await Promise.all([0, 1, 2, 3, 4].map((index) => gate.pass(never, work(index))));
  expect(most).toBe(2);
  expect(order).toEqual([0, 1, 2, 3, 4]);
});

test('one too many is refused at once', async () => {
  const gate = new Gate({ concurrency: 1, waiting: 1 });
  const { promise, resolve } = Promise.withResolvers<void>();
  const running = gate.pass(never, () => promise);
  const waiting = gate.pass(never, async () => 'waited');
  await expect(gate.pass(never, async () => {})).rejects.toMatchObject({ code: 'overloaded', retryAfter: 5 });
  resolve();
  await running;
  expect(await waiting).toBe('waited');
});

test('where none may wait, one may still run', async () => {
  expect(await new Gate({ concurrency: 1, waiting: 0 }).pass(never, async () => 'ran')).toBe('ran');
});

test('whoever waits past the deadline is sent away, and never runs', async () => {
  const gate = new Gate({ concurrency: 1, waiting: 1 });
  const { promise, resolve } = Promise.withResolvers<void>();
  const running = gate.pass(never, () => promise);
  const deadline = new AbortController();
  let ran = false;
  const waiting = gate.pass(deadline.signal, async () => {
    ran = true;
  });
  deadline.abort();
  await expect(waiting).rejects.toMatchObject({ code: 'overloaded' });
  resolve();
  await running;
  expect(ran).toBe(false);
});

test('running work keeps its place after the deadline', async () => {
  const gate = new Gate({ concurrency: 1, waiting: 1 });
  const { promise, resolve } = Promise.withResolvers<void>();
  const deadline = new AbortController();
  const running = gate.pass(deadline.signal, () => promise);
  deadline.abort();
  let started = false;
  const next = gate.pass(never, async () => {
    started = true;
  });
  await Promise.resolve();
  expect(started).toBe(false);
  resolve();
  await Promise.all([running, next]);
  expect(started).toBe(true);
});

test('a failure is passed on and frees the place', async () => {
  const gate = new Gate({ concurrency: 1, waiting: 0 });
  await expect(gate.pass(never, () => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
  expect(await gate.pass(never, async () => 'next')).toBe('next');
});

/** The order in which callers ran, and who was refused, at a gate whose only place is held until all have asked. */
async function order(waiting: number, comers: readonly string[]): Promise<{ ran: string[]; refused: string[] }> {
  const gate = new Gate({ concurrency: 1, waiting });
  const { promise, resolve } = Promise.withResolvers<void>();
  const holding = gate.pass(never, () => promise, 'holder');
  const [ran, refused]: [string[], string[]] = [[], []];
  const others = comers.map((name) =>
    gate
      .pass(never, async () => void ran.push(name), name[0])
      .catch((error) => {
        expect(error).toMatchObject({ code: 'overloaded' });
        refused.push(name);
      }),
  );
  resolve();
  await Promise.all([holding, ...others]);
  expect([gate.running, gate.waiting]).toEqual([0, 0]);
  return { ran, refused: refused.toSorted() };
}

test('accounts take turns: one comes, one of each in the order of its coming', async () => {
  expect(await order(10, ['a1', 'a2', 'a3', 'b1', 'c1', 'b2'])).toEqual({
    ran: ['a1', 'b1', 'c1', 'a2', 'b2', 'a3'],
    refused: [],
  });
});

test('a freed place goes to whoever has the fewest', async () => {
  const gate = new Gate({ concurrency: 2, waiting: 10 });
  const ends = Array.from({ length: 2 }, () => Promise.withResolvers<void>());
  const ran: string[] = [];
  const work = (name: string) => gate.pass(never, async () => void ran.push(name), name[0]);
  const holding = ends.map(({ promise }) => gate.pass(never, () => promise, 'a'));
  const all = [work('a1'), work('a2'), work('b1')];
  ends[0]?.resolve();
  await Promise.all([holding[0], ...all]);
  expect(ran).toEqual(['b1', 'a1', 'a2']);
  ends[1]?.resolve();
  await Promise.all(holding);
});

test('where too many wait, whoever has most of them loses the newest', async () => {
  expect(await order(3, ['a1', 'a2', 'a3', 'b1', 'c1', 'd1'])).toEqual({
    ran: ['a1', 'b1', 'c1'],
    refused: ['a2', 'a3', 'd1'],
  });
});

test('a spare place is for whoever has none', async () => {
  const gate = new Gate({ concurrency: 1, waiting: 10, spare: 1 });
  const order: string[] = [];
  const { promise, resolve } = Promise.withResolvers<void>();
  const work = (name: string) => async () => {
    order.push(name);
    await promise;
  };
  const all = ['a1', 'a2', 'b1', 'c1', 'b2'].map((name) => gate.pass(never, work(name), name[0]));
  await Promise.resolve();
  expect(order).toEqual(['a1', 'b1']);
  resolve();
  await Promise.all(all);
  expect(order).toEqual(['a1', 'b1', 'a2', 'c1', 'b2']);
  expect([gate.running, gate.waiting]).toEqual([0, 0]);
});

test('each account runs only so many at once, and another does not wait for it', async () => {
  const gate = eachAtMost(2);
  const over = Promise.withResolvers<void>();
  const begun: string[] = [];
  const all = ['a', 'a', 'a', 'a', 'b'].map((whose) =>
    gate.pass(
      never,
      () => {
        begun.push(whose);
        return over.promise;
      },
      whose,
    ),
  );
  expect(begun).toEqual(['a', 'a', 'b']);
  over.resolve();
  await Promise.all(all);
  expect(begun).toEqual(['a', 'a', 'b', 'a', 'a']);
});
