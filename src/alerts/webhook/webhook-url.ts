import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import { apiError } from '../../api/error.ts'

/**
 * Global unicast addresses, the only IPv6 range that is assigned to networks. ipaddr.js also reports `unicast` for
 * unassigned addresses and for addresses that end in an IPv4 address, such as ::127.0.0.1.
 */
const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3')

/**
 * Whether an address belongs to the public internet. IPv6 addresses that embed an IPv4 address do not count as public.
 */
export function isPublicAddress(address: string): boolean {
  if (isIP(address) === 0) return false // ipaddr.js also accepts 127.1 and 0x7f.0.0.1
  const parsed = ipaddr.parse(address)
  if (parsed.range() !== 'unicast') return false
  return parsed instanceof ipaddr.IPv4 || parsed.match(globalUnicast)
}

/** The host of a URL; IPv6 addresses lose their brackets. */
export const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, '')

const MAX_LENGTH = 2000

/**
 * Parses and normalizes the URL of a webhook; throws if messages may not be sent there. Host names are resolved later,
 * when a message is sent. `allowPrivate` also admits private addresses and plain http.
 */
export function readWebhookUrl(text: string, allowPrivate: boolean, name = 'webhook.url'): URL {
  const refuse = (rule: string) => apiError('invalid_webhook', `${name} ${rule}`, { parameter: name.split('.')[0]! })
  if (text.length > MAX_LENGTH || !URL.canParse(text)) throw refuse('must be a URL')
  const url = new URL(text)
  const schemes = allowPrivate ? ['https:', 'http:'] : ['https:']
  if (!schemes.includes(url.protocol)) throw refuse('must begin with https://')
  if (url.username !== '' || url.password !== '') throw refuse('must not hold a user name or password')
  if (!allowPrivate && isIP(hostOf(url)) !== 0 && !isPublicAddress(hostOf(url))) {
    throw refuse('must not be an address of a private network')
  }
  url.hash = ''
  return url
}
