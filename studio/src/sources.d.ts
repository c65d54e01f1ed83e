// What the build makes of these.

declare module '*?worker-source' {
  const source: string;
  export default source;
}

declare module '*?raw' {
  const text: string;
  export default text;
}

declare module '*.css?inline' {
  const text: string;
  export default text;
}
