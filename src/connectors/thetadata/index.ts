import type { ConnectorDeclaration } from '../port/declaration.ts'
import type { ConnectorSettings } from '../port/setting.ts'
import { readAddress, readSocket } from '../port/setting-text.ts'
import { thetadataPlans, thetadataTerms } from './thetadata-settings.ts'

const settings = {
  'thetadata-url': {
    value: 'address',
    help: 'address of the Theta Terminal, which holds the login',
    fallback: 'http://127.0.0.1:25503/v3',
    parse: readAddress,
    expected: 'an http or https address'
  },
  'thetadata-plan': {
    value: 'name',
    help: 'plan of the account, free, value, standard or pro: how much is requested at a time, and whether there are prints',
    fallback: 'value',
    parse: (text) => thetadataPlans.find((plan) => plan === text),
    expected: 'free, value, standard or pro'
  },
  'thetadata-stream': {
    value: 'address',
    help: 'where the Theta Terminal streams prints, which the plan pro has',
    fallback: 'ws://127.0.0.1:25520/v1/events',
    parse: readSocket,
    expected: 'a ws or wss address'
  }
} as const satisfies ConnectorSettings

export const thetadata: ConnectorDeclaration<typeof settings> = {
  name: 'thetadata',
  provides: ['chains', 'bars', 'prints'],
  synthetic: false,
  terms: thetadataTerms,
  settings,
  refusal({ 'thetadata-plan': plan }, { asOf, capabilities }) {
    if (asOf !== undefined) return '--as-of needs recorded data: ThetaData goes on with the clock'
    const hasPrints = plan === 'pro' || plan === 'standard'
    if (hasPrints || capabilities.includes('chains') || !capabilities.includes('prints')) return undefined
    return `prints of thetadata are part of its plans standard and pro, and --thetadata-plan is ${plan}: the account and its log-in are those of the Theta Terminal, see thetadata.net`
  },
  async create(values, { budget, onAnswer, onFrame }) {
    const { createThetaData } = await import('./thetadata-connector.ts')
    return createThetaData({
      url: values['thetadata-url'],
      plan: values['thetadata-plan'],
      stream: values['thetadata-stream'],
      budget,
      onAnswer,
      onFrame
    })
  }
}
