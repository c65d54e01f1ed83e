// The little of jsdom that is used.

declare module 'jsdom' {
  export class JSDOM {
    constructor(html: string);
    readonly window: unknown;
  }
}
