// The worker for text files, which is what most have.

import { serve } from '../engine/serve.js';
import { callsFor } from './calls.js';
import { textFormats } from './text-source.js';

serve(callsFor(textFormats));
