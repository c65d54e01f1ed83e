// Any noise, away from the page: its figures and curves, and many releases of it.

import { serve } from '../engine/serve.js';
import { curves } from './curves.js';
import { figures } from './figures.js';
import { growth, many } from './many.js';

const calls = { figures, curves, many, growth };
export type ExploreCalls = typeof calls;
serve(calls);
