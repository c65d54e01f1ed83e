// A browser for tests: Debian's Chromium, installed where it is missing, driven by playwright-core.

import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chromium } from 'playwright-core';

const PATHS = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** The program; installs it first where there is none. */
function program() {
  const found = () => PATHS.find((path) => existsSync(path));
  if (found()) return found();
  if (process.getuid?.() !== 0)
    throw new Error('Chromium is missing; install it with: sudo apt-get install chromium');
  const options = {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  };
  spawnSync('apt-get', ['update', '-q'], options);
  const packages = ['chromium', 'fonts-dejavu-core'];
  execFileSync('apt-get', ['install', '-y', '-q', '--no-install-recommends', ...packages], options);
  if (!found()) throw new Error('Chromium is missing although its package was installed');
  return found();
}

/** A browser of one's own, to be closed. */
export function browser() {
  return chromium.launch({ executablePath: program(), args: ['--no-sandbox', '--disable-gpu'] });
}
