// WebAssembly is part of Node and of browsers, whose types Node's own leave out.
declare const WebAssembly: {
  readonly Module: new (bytes: Uint8Array) => object
  readonly Instance: new (module: object, imports: object) => { readonly exports: unknown }
}

/**
 * What a new instance of a module exports, with a memory of its own. The module is the base64 text that scripts/assemble.mjs
 * wrote; it is compiled in less than a millisecond.
 */
export function instantiate(wasm: string, imports: object = {}): unknown {
  const module = new WebAssembly.Module(Buffer.from(wasm, 'base64'))
  return new WebAssembly.Instance(module, imports).exports
}
