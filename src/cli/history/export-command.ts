import { createReadStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { Config } from '../../config/config.ts'
import { settings } from '../../config/settings.ts'
import { exportedFigures, JobError, readJob } from '../../jobs/job.ts'
import type { CliCommand } from '../command.ts'
import type { Terminal } from '../terminal.ts'
import { doJob } from './do-job.ts'

export const exportCommand: CliCommand = {
  name: 'export',
  positionals: [],
  summary: 'write the recorded quotes or prints of a symbol, or its figures at every recorded moment',
  flags: {
    symbol: { value: 'ticker', help: 'symbol to export' },
    from: { value: 'date', help: 'first session, yyyy-MM-dd' },
    to: { value: 'date', help: 'last session, included' },
    what: { value: 'name', help: `quotes, prints, series, lean, ${exportedFigures.join(', ')}`, fallback: 'quotes' },
    format: {
      value: 'name',
      help: 'quotes, prints and series: csv (default), parquet or arrow; lean: zip; the others: jsonl (default) or csv'
    },
    out: { value: 'file', help: 'file to write (default: standard output); for lean a new folder' }
  },
  settings: { data: settings.data, history: settings.history },
  async run({ config, flags, terminal }) {
    const { symbol, what, from, to = from, format, out } = flags
    if (typeof symbol !== 'string' || typeof from !== 'string') throw new JobError('export needs --symbol and --from')
    const order = { work: 'export', symbol, what, from, to, format }
    if (typeof out === 'string') {
      await doJob(readJob({ ...order, path: resolve(out) }), config, terminal)
      return
    }
    if (what === 'lean') throw new JobError('lean writes a folder of files: name it with --out')
    if (process.stdout.isTTY && (format === 'parquet' || format === 'arrow'))
      throw new JobError(`a ${format} file is binary: give --out`)
    await exportToOutput(order, config, terminal)
  }
}

/**
 * Exports to a temporary file and then copies it to the output: the database only writes whole files, and some formats
 * write their beginning last.
 */
async function exportToOutput(order: object, config: Config, terminal: Terminal): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'gammawall-export-'))
  try {
    const path = join(folder, 'quotes')
    await doJob(readJob({ ...order, path }), config, terminal)
    await pipeline(createReadStream(path), process.stdout, { end: false }).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error // the reader, such as head, has closed the pipe
    })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
