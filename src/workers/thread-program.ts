const extension = import.meta.url.slice(import.meta.url.lastIndexOf('.'))

/**
 * The module that a new thread runs, named from `src` without its extension: `workers/engine-thread`. The sources name a
 * source, the built program names the file that the build made of it.
 */
export function threadProgram(name: string): URL {
  return new URL(`../${name}${extension}`, import.meta.url)
}
