import { assistantOperations } from '../../app/assistant-operations.ts'
import { ConfigError } from '../../config/config.ts'
import { methodPages } from '../../config/method-pages.ts'
import { packageVersion } from '../../config/package.ts'
import { settings } from '../../config/settings.ts'
import { endpoints } from '../../endpoints/index.ts'
import { serveOnStdio } from '../../server/mcp/assistant-server.ts'
import { httpBackend } from '../../server/mcp/http-backend.ts'
import type { CliCommand } from '../command.ts'
import { keyFor, serviceOf, urlFlag } from './service-client.ts'

export const assistantCommand: CliCommand = {
  name: 'mcp',
  positionals: [],
  summary: 'offer a running service to an assistant on this machine, by the Model Context Protocol on stdin and stdout',
  flags: {
    url: urlFlag,
    'replay-url': { value: 'address', help: 'historical interface of the service (default: below /replay of --url)' },
    write: { help: 'let the assistant create, change and remove alerts of the key' }
  },
  settings: { data: settings.data },
  async run({ config, flags, terminal }) {
    // Lists of programs that run show flags, so the key comes from the environment or is a demo key.
    const key = keyFor(undefined, terminal.env, config.data)
    const { url, replayUrl } = serviceOf({ flags, config })
    if (![url, replayUrl ?? url].every(isHttp))
      throw new ConfigError(['--url and --replay-url must be http or https addresses'])
    const ask = httpBackend({ url, replayUrl, key, fetch })
    const options = {
      operations: assistantOperations(endpoints, { writes: flags['write'] === true }),
      pages: methodPages(),
      version: packageVersion(),
      isPast: false,
      onError: (error: unknown) => terminal.err(`a call failed: ${error instanceof Error ? error.message : 'unknown'}`)
    }
    await serveOnStdio(options, ask)
  }
}

const isHttp = (address: string) => URL.canParse(address) && /^https?:$/.test(new URL(address).protocol)
