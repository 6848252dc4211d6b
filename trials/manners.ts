import { parseArgs } from 'node:util'
import { tabulate } from '../src/cli/command.ts'
import { play } from './manner-run.ts'
import { manners } from './manner-table.ts'

// Bad manners of an exchange, one after the other, each between two stretches in which it is honest: what REST, the stream,
// alerts and the archive then say. A fault is a false figure that is served, streamed or recorded, an alert on one, an age or a
// mark that is not true, and a service that is not back two polls after the exchange.
//
//   npm run manners                       every manner, and every one again as the first thing the exchange ever says
//   npm run manners -- --name interest    those whose name contains a word
//   npm run manners -- --polls 40         as many bad polls of each; 12 otherwise

export async function main(args: readonly string[]): Promise<number> {
  const { values } = parseArgs({
    args: [...args],
    options: { name: { type: 'string', default: '' }, polls: { type: 'string', default: '12' } }
  })
  let faults = 0
  for (const isFirst of [false, true]) {
    const rows: (readonly string[])[] = []
    for (const manner of manners.filter(({ name }) => name.includes(values.name))) {
      if (isFirst && (manner.kind === 'clock' || manner.onlyLater)) continue
      const {
        name,
        rest,
        stream,
        alerts,
        recorded,
        verdicts,
        faults: found
      } = await play(manner, {
        badPolls: Number(values.polls),
        isFirst
      })
      rows.push([name, rest, stream, `${alerts}`, `${recorded}`, verdicts, found.join('; ') || 'none'])
      faults += found.length
    }
    console.log(isFirst ? '\nas the first thing the exchange says, with the close of yesterday in the archive\n' : '')
    console.log(tabulate(['manner', 'REST', 'stream', 'alerts', 'recorded', 'gate', 'faults'], rows))
  }
  console.log(`\n${faults} faults`)
  return faults === 0 ? 0 : 1
}
