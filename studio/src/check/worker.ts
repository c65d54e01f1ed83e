// Everything but Parquet, away from the page.

import { serve } from '../engine/serve.js';
import { callsWith, textReaders } from './calls.js';

serve(callsWith(textReaders));
