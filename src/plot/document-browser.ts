// In a browser the page's own document is there to draw in.

export async function newDocument(): Promise<unknown> {
  return (globalThis as { document?: unknown }).document;
}
