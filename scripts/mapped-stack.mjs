// Positions in sources for the stack of an error, read from the source maps of the built program. Node would find them with
// `--enable-source-maps`, which costs each start of a command a second of processor time.
import { existsSync, readFileSync } from 'node:fs'
import { SourceMap } from 'node:module'
import { fileURLToPath } from 'node:url'

const place = /(file:\/\/[^\s()]+\.js):(\d+):(\d+)/g

export function mappedStack(stack) {
  const maps = new Map()
  return stack.replace(place, (found, url, line, column) => {
    if (!maps.has(url)) maps.set(url, mapOf(fileURLToPath(url)))
    const { originalSource, originalLine, originalColumn } = maps.get(url)?.findEntry(line - 1, column - 1) ?? {}
    if (originalSource === undefined) return found
    return `${new URL(originalSource, url)}:${originalLine + 1}:${originalColumn + 1}`
  })
}

function mapOf(file) {
  const path = `${file}.map`
  return existsSync(path) ? new SourceMap(JSON.parse(readFileSync(path, 'utf8'))) : undefined
}
