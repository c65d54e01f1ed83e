// Tab-separated values.

import { delimitedFormat } from './delimited.js';

export const tsv = delimitedFormat('tsv', ['.tsv', '.tab'], '\t');
