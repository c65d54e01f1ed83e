import type { Browser } from 'playwright-core';

export function browser(): Promise<Browser>;
