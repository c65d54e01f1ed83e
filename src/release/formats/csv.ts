// Comma-separated values, or separated by what the header shows; quotes as in [RFC 4180].

import { delimitedFormat } from './delimited.js';

export const csv = delimitedFormat('csv', ['.csv'], null);
