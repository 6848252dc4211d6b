import type { Setting } from '../connectors/port/setting.ts'

/** Settings of the tools for assistants. */
export const assistantSettings = {
  mcp: {
    value: 'whether',
    help: 'on or off: tools for assistants at /mcp, by the Model Context Protocol',
    fallback: 'on'
  },
  'mcp-write': { help: 'let assistants create, change and remove alerts of their key', fallback: 'false' },
  'mcp-origin': {
    value: 'origins',
    help: 'web origins whose pages may call /mcp, separated by commas, in addition to those of the service (default: none)'
  }
} as const satisfies Record<string, Setting>
