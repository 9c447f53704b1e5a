// WeasyPrint, a program of its own (Debian's package weasyprint).

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { htmlOf } from './html.ts';
import type { OpenWriter } from './writer.ts';

export const open: OpenWriter = async (fonts) => async (rows, file) => {
  const program = spawn('weasyprint', ['-q', '-', file], { stdio: ['pipe', 'ignore', 'inherit'] });
  program.stdin.end(htmlOf(rows, fonts));
  const [code] = await once(program, 'close');
  if (code !== 0) throw new Error(`weasyprint ended with ${code}`);
};
