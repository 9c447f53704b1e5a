// Parses dates and times of ISO 8601, with or without a zone.

const DAY = 86_400_000;
/** Years from 1000 on: `Date.UTC` takes those below 100 to be of the last century. */
const MOMENT = /^([1-9]\d{3})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:\.\d{1,9})?)?(Z|[+-]\d\d:?\d\d)?)?$/;

/** Parses a date or time of ISO 8601 as ms since 1970; local = without a zone, then as if in UTC. Null if it is none. */
export function parseMoment(text: string): { readonly time: number; readonly isLocal: boolean } | null {
  const match = MOMENT.exec(text);
  if (!match) return null;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match
    .slice(1, 7)
    .map((part) => Number(part ?? 0));
  const days = (Date.UTC(year, month, 1) - Date.UTC(year, month - 1, 1)) / DAY;
  const isReal = month >= 1 && month <= 12 && day >= 1 && day <= days && hour < 24 && minute < 60 && second < 60;
  if (!isReal) return null;
  const time = Date.UTC(year, month - 1, day, hour, minute, second);
  const zone = match[7];
  if (zone === undefined) return { time, isLocal: true };
  const [, sign, hours, minutes] = /^([+-])(\d\d):?(\d\d)$/.exec(zone) ?? [];
  const offset = (Number(hours ?? 0) * 60 + Number(minutes ?? 0)) * (sign === '-' ? -1 : 1);
  return { time: time - offset * 60_000, isLocal: false };
}
