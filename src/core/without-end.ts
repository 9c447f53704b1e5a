// Takes characters off the end of a text. An expression such as `/x+$/` takes quadratic time: it tries every run of x
// anew from each of its characters.

/** @param ending matches one character that is taken off, without the flags `g` and `y` */
export function withoutEnd(text: string, ending: RegExp): string {
  let end = text.length;
  while (end > 0 && ending.test(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}
