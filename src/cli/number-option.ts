// Numbers as they are typed after an option.

import { InvalidArgumentError, Option } from 'commander';

export function scaleOption(): Option {
  return new Option('--scale <factor>', 'device px per canvas px, 0.1 to 3')
    .default(1)
    .argParser(numberBetween(0.1, 3));
}

export function numberBetween(min: number, max: number) {
  return (text: string): number => {
    const value = Number(text);
    if (text.trim() === '' || !(value >= min && value <= max)) {
      throw new InvalidArgumentError(`It must be a number from ${min} to ${max}.`);
    }
    return value;
  };
}
