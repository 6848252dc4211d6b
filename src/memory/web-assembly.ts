// Types of WebAssembly, which is part of Node and of browsers but missing from Node's own types.
declare const WebAssembly: {
  readonly Module: new (bytes: Uint8Array) => object
  readonly Instance: new (module: object, imports: object) => { readonly exports: unknown }
}

/**
 * Instantiates a WebAssembly module and returns its exports. `wasm` is the base64 text written by scripts/assemble.mjs;
 * compiling takes less than a millisecond.
 */
export function instantiate(wasm: string, imports: object = {}): unknown {
  const module = new WebAssembly.Module(Buffer.from(wasm, 'base64'))
  return new WebAssembly.Instance(module, imports).exports
}
