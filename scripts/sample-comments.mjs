// Draws doc comments of the sources at random, each with the line it describes, for a reader who has never seen them:
//
//   node scripts/sample-comments.mjs 60 7     sixty of them, with seed 7
//
// The rule of the house is that at least 56 of 60 are understood at first reading.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const [count = 60, seed = 1] = process.argv.slice(2).map(Number)
const src = fileURLToPath(new URL('../src/', import.meta.url))
const comments = readdirSync(src, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts') && !/\.wasm\.ts$|endpoint-types\.ts$/.test(file))
  .sort()
  .flatMap((file) => {
    const text = readFileSync(join(src, file), 'utf8')
    return [...text.matchAll(/^[ \t]*\/\*\*([\s\S]*?)\*\/\n([^\n]*)/gm)].map(([, comment, line], k) => ({
      file,
      line: line.trim(),
      words: comment
        .replace(/^\s*\* ?/gm, ' ')
        .replace(/\s+/g, ' ')
        .trim(),
      key: random(`${seed} ${file} ${k}`)
    }))
  })
const drawn = comments.sort((a, b) => a.key - b.key).slice(0, count)
for (const [k, { file, words, line }] of drawn.entries()) console.log(`${k + 1}. ${file}\n   ${words}\n   > ${line}\n`)
const total = comments.reduce((sum, { words }) => sum + words.split(' ').length, 0)
console.log(`${drawn.length} of ${comments.length} doc comments, ${total} words in all`)

/** A number in [0, 1) that a text always gives (FNV-1a, then mixed). */
function random(text) {
  let hash = 0x811c9dc5
  for (const char of text) hash = Math.imul(hash ^ char.charCodeAt(0), 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 16), 0x45d9f3b)
  return ((hash ^ (hash >>> 16)) >>> 0) / 2 ** 32
}
