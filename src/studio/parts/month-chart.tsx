// A month by day as bars, and as a table for screen readers.

import { count } from '../shell/format.ts';
import './month-chart.css';
import { texts } from '../texts/shell.ts';

interface Day {
  /** `2026-11-03`. */
  readonly day: string;
  readonly count: number;
}

const WIDTH = 960;
const HEIGHT = 200;
const LEFT = 44;
const BASE = 176;

interface MonthChartProps {
  /** Such as `2026-11`. */
  readonly period: string;
  /** Those that are missing count 0. */
  readonly days: readonly Day[];
  /** Says the number with what is counted: `3 renders`. */
  readonly unit: (count: number) => string;
}

export function MonthChart({ period, days, unit }: MonthChartProps) {
  const [year = 0, month = 1] = period.split('-').map(Number);
  const length = new Date(Date.UTC(year, month, 0)).getUTCDate();
  const counts = new Map(days.map((one) => [one.day, one.count]));
  const all = Array.from({ length }, (_, at) => {
    const day = `${period}-${String(at + 1).padStart(2, '0')}`;
    return { day, count: counts.get(day) ?? 0 };
  });
  const top = niceCeiling(Math.max(4, ...all.map((one) => one.count)));
  const step = (WIDTH - LEFT) / length;
  const y = (value: number) => BASE - (value / top) * (BASE - 8);
  return (
    <>
      <svg class="chart" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} aria-hidden="true">
        {[0, top / 2, top].map((value) => (
          <g key={value}>
            <line
              class="chart-line"
              x1={LEFT}
              x2={WIDTH}
              y1={Math.round(y(value)) + 0.5}
              y2={Math.round(y(value)) + 0.5}
            />
            <text class="chart-label" x={LEFT - 10} y={y(value) + 4} text-anchor="end">
              {count(value)}
            </text>
          </g>
        ))}
        {all.map((one, at) => {
          const height = one.count === 0 ? 0 : Math.max(2, BASE - y(one.count));
          const x = LEFT + at * step + step * 0.18;
          return (
            <g key={one.day} class="chart-day">
              <title>{`${one.day}: ${unit(one.count)}`}</title>
              <rect class="chart-hit" x={LEFT + at * step} y={0} width={step} height={BASE} />
              <rect
                class="chart-bar"
                x={x}
                y={BASE - height}
                width={step * 0.64}
                height={height}
                rx={Math.min(2, height)}
              />
              {(at === 0 || (at + 1) % 5 === 0) && (
                <text class="chart-label" x={x + step * 0.32} y={HEIGHT - 6} text-anchor="middle">
                  {at + 1}
                </text>
              )}
            </g>
          );
        })}
      </svg>
      <table class="visually-hidden">
        <caption>{texts.value.parts.byDay}</caption>
        <tbody>
          {all.map((one) => (
            <tr key={one.day}>
              <th scope="row">{one.day}</th>
              <td>{one.count}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}

/** The next round number of the form 1, 2, 4, 5 or 10 times a power of ten. */
function niceCeiling(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value));
  const found = [1, 2, 4, 5, 10].find((factor) => factor * power >= value) ?? 10;
  return Math.max(4, found * power);
}
