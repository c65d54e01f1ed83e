// What is on the screen, in the address: a room and the options of the command, as in #/design?epsilon=2&prior=poisson:rate=5.

import { useEffect, useState } from 'preact/hooks';

export type Values = Readonly<Record<string, readonly string[]>>;

export interface Route {
  readonly room: string;
  readonly values: Values;
}

export function parseRoute(hash: string): Route {
  const [path = '', query = ''] = hash.replace(/^#\/?/, '').split(/\?(.*)/s);
  const found = new Map<string, string[]>();
  for (const [key, value] of new URLSearchParams(query)) found.set(key, [...(found.get(key) ?? []), value]);
  // Whatever they are called, and nothing that objects have by themselves.
  const values: Record<string, string[]> = Object.assign(Object.create(null), Object.fromEntries(found));
  return { room: path.replace(/\/$/, ''), values };
}

/** Colons, commas and equal signs stay as they are, for people. */
export function writeRoute({ room, values }: Route): string {
  const pairs = Object.entries(values).flatMap(([key, list]) =>
    list.map((value) => `${encodeURIComponent(key)}=${readable(value)}`),
  );
  return `#/${room}${pairs.length === 0 ? '' : `?${pairs.join('&')}`}`;
}

function readable(value: string): string {
  return encodeURIComponent(value)
    .replace(/%3A/g, ':')
    .replace(/%2C/g, ',')
    .replace(/%3D/g, '=')
    .replace(/%2F/g, '/');
}

/** The route, and how it is changed: a change of options replaces the address, one of the room is a step that can be gone back. */
export function useRoute(): [
  Route,
  (patch: Readonly<Record<string, string | readonly string[] | null>>) => void,
] {
  const [route, setRoute] = useState(() => parseRoute(location.hash));
  useEffect(() => {
    const read = () => setRoute(parseRoute(location.hash));
    addEventListener('hashchange', read);
    return () => removeEventListener('hashchange', read);
  }, []);
  return [
    route,
    (patch) => {
      // From the address itself: several changes may come before the page is drawn again.
      const now = parseRoute(location.hash);
      const values: Record<string, readonly string[]> = Object.assign(Object.create(null), now.values);
      for (const [key, value] of Object.entries(patch)) {
        const list = value === null ? [] : typeof value === 'string' ? [value] : value;
        // What somebody has emptied is empty, and not what stands there at first.
        if (list.length === 0) delete values[key];
        else values[key] = list;
      }
      const next = { room: now.room || 'protect', values };
      history.replaceState(null, '', writeRoute(next));
      setRoute(next);
    },
  ];
}

export type Change = ReturnType<typeof useRoute>[1];

/** The first value of an option. */
export function one(values: Values, key: string): string | undefined {
  return values[key]?.[0];
}

/** Options with a name each, as in adjacency=visits=5. */
export function named(values: Values, key: string): Map<string, string> {
  const found = new Map<string, string>();
  for (const text of values[key] ?? []) {
    const at = text.lastIndexOf('=');
    if (at > 0) found.set(text.slice(0, at), text.slice(at + 1));
  }
  return found;
}

/** A decimal comma is a point. */
export function decimal(text: string): string {
  const plain = text.trim().replace('−', '-');
  return /^[+-]?\d*,\d+$/.test(plain) ? plain.replace(',', '.') : plain;
}
