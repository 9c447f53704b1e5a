// Families of whole templates: many in rotation, by popularity, or each only once.

import { createHash } from 'node:crypto';
import { ALBUM } from '../assets.ts';
import { randomFrom } from '../statistics.ts';
import { type Card, cardOf } from './cards.ts';
import { type Family, type OpenFamily, seedOf } from './family.ts';
import { between } from './words.ts';

const RACE = { outputs: ['png'], renderers: ['platen', 'takumi'] } as const;

/** The cards of one seed by number, each created on first use. */
function cards(seed: number): (number: number) => Card {
  const made = new Map<number, Card>();
  return (number) => {
    const card = made.get(number) ?? cardOf(seedOf(seed, number));
    made.set(number, card);
    return card;
  };
}

const drawn = ({ template, strings }: Card, i: number) => ({ template, modifications: strings(i) });

/** `count` templates equally often, in changing order. */
function inRotation(name: string, seed: number, count: number): Family {
  const card = cards(seed);
  return {
    name,
    ...RACE,
    warmUp: count,
    rounds: 2 * count,
    draw: (i) => drawn(card(rotated(seed, i, count)), i),
  };
}

/** A permutation of 0 … count − 1 in every `count` draws: uses a step width that is coprime to `count`. */
function rotated(seed: number, i: number, count: number): number {
  const random = randomFrom(seedOf(seed, Math.floor(i / count)));
  const steps = Array.from({ length: count }, (_, step) => step).filter((step) => gcd(step, count) === 1);
  const step = steps[Math.floor(random() * steps.length)] ?? 1;
  return (between(random, 0, count - 1) + (i % count) * step) % count;
}

const gcd = (a: number, b: number): number => (b === 0 ? a : gcd(b, a % b));

const ROTATION = 60;
/** The sixty templates of the rotation. */
export function rotationCards(seed: number): readonly Card[] {
  return Array.from({ length: ROTATION }, (_, number) => cardOf(seedOf(seed, number)));
}

/** Sixty templates in rotation, with other words each time. */
export const rotation: OpenFamily = (seed) => ({
  ...inRotation('rotation', seed, ROTATION),
  outputs: ['png', 'jpeg'],
});

/** A dozen templates in rotation, as a screen of two device pixels per pixel needs them. */
export const scale2: OpenFamily = (seed) => {
  const family = inRotation('scale-2', seed, 12);
  return { ...family, warmUp: 24, rounds: 48, draw: (i) => ({ ...family.draw(i), scale: 2 }) };
};

/** The rotation with a new seed for every release, so that nothing can be tuned to it. */
export function release(version: string): OpenFamily {
  const ofVersion = createHash('sha256').update(version).digest().readUInt32LE();
  return (seed) => inRotation('release', seedOf(ofVersion, seed), ROTATION);
}

/** Templates that have not been drawn before, each with a picture that has not been decoded before. */
export const cold: OpenFamily = (seed) => ({
  name: 'cold',
  ...RACE,
  // Compiles the code that every card needs.
  warmUp: 20,
  rounds: 60,
  draw: (i) => drawn(cardOf(seedOf(seed, i), `album-${i % ALBUM}~${i}.jpg`), i),
});

const TEMPLATES = 1000;
const POPULAR = 100;
/** Of 1,000 templates, 100 get nine tenths of the requests, the n-th in proportion to 1 / n (Zipf). */
export const zipf: OpenFamily = (seed) => {
  const card = cards(seed);
  let sum = 0;
  const upTo = Array.from({ length: POPULAR }, (_, n) => {
    sum += 1 / (n + 1);
    return sum;
  });
  return {
    name: 'zipf',
    ...RACE,
    warmUp: 150,
    rounds: 200,
    draw(i) {
      const random = randomFrom(seedOf(seed, i));
      const isPopular = random() < 0.9;
      const share = random() * sum;
      const number = isPopular ? upTo.findIndex((end) => share < end) : between(random, POPULAR, TEMPLATES - 1);
      return drawn(card(number), i);
    },
  };
};
