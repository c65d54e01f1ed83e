// Names as people read them: what looks the same on paper is the same name, whatever its characters are. Letters of other
// scripts that look alike (Cyrillic а, Greek ο) are told apart: that takes a table of look-alikes, and is out of scope.

/** Two names read alike where this is equal: compatibility forms, invisible characters, white space and case do not count. */
export function readsAs(name: string): string {
  // Twice: folding case can leave characters that have another compatibility form.
  return folded(folded(name));
}

function folded(name: string): string {
  return (
    name
      .normalize('NFKC')
      .replace(/[\p{White_Space}\u2800]+/gu, ' ')
      .replace(/[\p{Default_Ignorable_Code_Point}\p{Cc}\ufff9-\ufffb]/gu, '')
      // Down and up again: ẞ, ß and SS are one, and so are Σ, σ and ς.
      .toLowerCase()
      .toUpperCase()
      .normalize('NFKC')
      .replace(/ +/g, ' ')
      .trim()
  );
}

/** Do two names look the same on paper? */
export function readsLike(a: string, b: string): boolean {
  return a === b || readsAs(a) === readsAs(b);
}

/** The name in the list that is spelt so, else the only one that reads so; undefined where there is none. */
export function nameLike(name: string, names: readonly string[]): string | undefined {
  if (names.includes(name)) return name;
  const alike = names.filter((other) => readsLike(other, name));
  return alike.length === 1 ? alike[0] : undefined;
}
