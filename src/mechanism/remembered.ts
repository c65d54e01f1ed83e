// Figures of a mechanism take time, and columns share mechanisms: each figure is worked out once for each object.

/** A function that is worked out once for each object. */
export function remembered<K extends object, V>(compute: (key: K) => V): (key: K) => V {
  const known = new WeakMap<K, { readonly value: V }>();
  return (key) => {
    let found = known.get(key);
    if (!found) {
      found = { value: compute(key) };
      known.set(key, found);
    }
    return found.value;
  };
}

/** The same for each object and each text or number beside it. */
export function rememberedBy<K extends object, A extends string | number, V>(
  compute: (key: K, by: A) => V,
): (key: K, by: A) => V {
  const known = remembered((_key: K) => new Map<A, V>());
  return (key, by) => {
    const values = known(key);
    if (!values.has(by)) values.set(by, compute(key, by));
    return values.get(by)!;
  };
}
