// Chromium's headless shell, already running. It draws "Page i of n" in the margins that CSS gives it.

import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import puppeteer from 'puppeteer-core';
import { findChromium } from '../peers/chromium.ts';
import { htmlOf } from './html.ts';
import type { OpenWriter } from './writer.ts';

export const open: OpenWriter = async (fonts) => {
  const executablePath = await findChromium();
  const browser = await puppeteer.launch({
    executablePath,
    headless: executablePath.includes('headless-shell') ? 'shell' : true,
    protocolTimeout: 1_200_000,
    args: ['--disable-dev-shm-usage', ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])],
  });
  return async (rows, file) => {
    const page = await browser.newPage();
    await page.setContent(htmlOf(rows, fonts), { waitUntil: 'load', timeout: 0 });
    const pdf = await page.createPDFStream({ preferCSSPageSize: true, printBackground: true, timeout: 0 });
    await pipeline(pdf, createWriteStream(file));
    await page.close();
  };
};
