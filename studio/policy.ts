// What the page may do: run its own code, and reach nothing. Said in the page and, by whoever serves it, in a header.

const RULES = {
  'default-src': "'none'",
  // The solver's inner loops are WebAssembly, which is compiled and not fetched.
  'script-src': "'self' 'wasm-unsafe-eval'",
  // Workers come out of the page itself: one that is loaded by an address would not be bound by the policy of the page.
  'worker-src': 'blob:',
  // Pictures are drawn here, with their rules inside.
  'style-src': "'unsafe-inline'",
  'img-src': 'data:',
  'connect-src': "'none'",
  'base-uri': "'none'",
  'form-action': "'none'",
};

export const POLICY = Object.entries(RULES)
  .map(([name, value]) => `${name} ${value}`)
  .join('; ');

/** In a header there is one more: nobody puts the page into theirs. */
export const HEADER_POLICY = `${POLICY}; frame-ancestors 'none'`;
