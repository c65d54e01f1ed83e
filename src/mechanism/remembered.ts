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
