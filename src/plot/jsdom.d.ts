// The little of jsdom that is used; its full types would bring a browser's globals into Node code.

declare module 'jsdom' {
  export class JSDOM {
    constructor(html: string);
    readonly window: { readonly document: unknown };
  }
}
