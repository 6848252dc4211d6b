const extension = import.meta.url.slice(import.meta.url.lastIndexOf('.'))

/**
 * URL of the module that a new thread runs. `name` is its path below `src` without extension, such as
 * `workers/engine-thread`. Run from source it is the TypeScript file; in the built program, the file that the build
 * made from it.
 */
export function threadProgram(name: string): URL {
  return new URL(`../${name}${extension}`, import.meta.url)
}
