import { type Browser, chromium } from 'playwright-core';
import { ensureBrowser } from '../../../scripts/setup.mjs';

/** `--no-sandbox` because tests also run as root; the others keep the browser quiet and off the network. */
const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

export async function launchBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: await ensureBrowser(), args: flags });
}
