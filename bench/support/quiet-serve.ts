import { begin } from '../../src/app/begin.ts'
import { serve } from '../../src/app/serve.ts'
import { readConfig } from '../../src/config/config.ts'

/** Runs the service with these flags in this process and keeps its banner to itself: the addresses that it prints there. */
export async function quietServe(
  flags: Readonly<Record<string, string>>
): Promise<{ readonly rest: string; readonly metrics: string; readonly replay: string | undefined }> {
  const write = process.stdout.write
  let printed = ''
  process.stdout.write = ((text: string) => {
    printed += text
    return true
  }) as typeof write
  try {
    const config = readConfig(flags, {})
    await serve(config, begin(config))
  } finally {
    process.stdout.write = write
  }
  const addressOf = (host: string) => new RegExp(`${host}\\s+(\\S+)`).exec(printed)?.[1]
  return {
    rest: addressOf('REST')!,
    metrics: addressOf('metrics')!,
    replay: addressOf('replay')
  }
}
