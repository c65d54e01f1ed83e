// What this room keeps in the address.

import { type Change, one, type Values } from '../route.js';

/** Texts of fields: `get` with what stands there at first, `set` as somebody writes. */
export function fieldsOf(values: Values, change: Change) {
  return {
    get: (key: string, fallback: string) => one(values, key) ?? fallback,
    set: (key: string, text: string) => change({ [key]: text }),
  };
}

export type Fields = ReturnType<typeof fieldsOf>;

/** A column that a budget is for. */
export interface SplitColumn {
  readonly name: string;
  readonly adjacency: string;
  /** How far its values may be off, on average. */
  readonly error: string;
  /** Its part of the whole ε, beside the parts of the others. */
  readonly share: string;
}

const AT_FIRST = ['visits:5:2', 'age:10:8'];

/** As in split=visits:5:2 or, with a share, split=visits:5:2:3. */
export function columnsOf(values: Values): SplitColumn[] {
  return (values.split ?? AT_FIRST).map((text) => {
    const [name = '', adjacency = '', error = '', share = '1'] = text.split(':');
    return { name: name.replaceAll('%3A', ':').replaceAll('%25', '%'), adjacency, error, share };
  });
}

export function writeColumn({ name, adjacency, error, share }: SplitColumn): string {
  const own = name.replaceAll('%', '%25').replaceAll(':', '%3A');
  return [own, adjacency, error, ...(share === '1' ? [] : [share])].join(':');
}
