// Parses dates and times of ISO 8601, with or without a zone, and months.

const DAY = 86_400_000;
/** Years from 1000 on: `Date.UTC` takes those below 100 to be of the last century. */
const MOMENT =
  /^([1-9]\d{3})-(\d\d)-(\d\d)(?:(?:Z|[+-]\d\d:\d\d)|[T ](\d\d):(\d\d)(?::(\d\d)(?:\.\d{1,9})?)?(Z|[+-]\d\d:?\d\d)?)?$/;
/** As e-invoices write them: UN/CEFACT's 102 and 610. */
const COMPACT = /^([1-9]\d{3})(\d\d)(\d\d)?$/;
const MONTH = /^[1-9]\d{3}-?\d\d$/;

interface Moment {
  /** ms since 1970. */
  readonly time: number;
  /** Without a zone that counts: then as if in UTC. A day has none, whatever is written behind it (XML Schema's `date`). */
  readonly isLocal: boolean;
  /** Whether it has no day; then it is the first. */
  readonly isMonth: boolean;
}

/** Parses a date or time of ISO 8601, as XML Schema, too, and the UN's electronic invoices write them. Null if it is none. */
export function parseMoment(text: string): Moment | null {
  const isMonth = MONTH.test(text);
  const match = MOMENT.exec(
    isMonth ? `${text.replace('-', '')}01`.replace(COMPACT, '$1-$2-$3') : text.replace(COMPACT, '$1-$2-$3'),
  );
  if (!match) return null;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match
    .slice(1, 7)
    .map((part) => Number(part ?? 0));
  const days = (Date.UTC(year, month, 1) - Date.UTC(year, month - 1, 1)) / DAY;
  const isReal = month >= 1 && month <= 12 && day >= 1 && day <= days && hour < 24 && minute < 60 && second < 60;
  if (!isReal) return null;
  const time = Date.UTC(year, month - 1, day, hour, minute, second);
  const zone = match[7];
  if (zone === undefined) return { time, isLocal: true, isMonth };
  const [, sign, hours, minutes] = /^([+-])(\d\d):?(\d\d)$/.exec(zone) ?? [];
  const offset = (Number(hours ?? 0) * 60 + Number(minutes ?? 0)) * (sign === '-' ? -1 : 1);
  return { time: time - offset * 60_000, isLocal: false, isMonth };
}
