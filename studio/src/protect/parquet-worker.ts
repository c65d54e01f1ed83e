// The worker that reads Parquet too; loaded where such a file is opened.

import { serve } from '../engine/serve.js';
import { callsFor } from './calls.js';
import { parquetFormat } from './parquet-source.js';
import { textFormats } from './text-source.js';

serve(callsFor([...textFormats, parquetFormat]));
