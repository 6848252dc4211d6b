import { BlockList, isIP } from 'node:net'
import { apiError } from '../../api/error.ts'

/**
 * What of IPv4 is no address of another party on the internet.
 * Source: IANA IPv4 Special-Purpose Address Registry (RFC 6890), with multicast (RFC 5771) and what is reserved.
 */
const special = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3]
] as const
/** Global unicast is the only part of IPv6 that is allowed, but for these in it, which stand for other addresses or none. */
const specialInGlobal = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20]
] as const

const refused4 = new BlockList()
for (const [net, prefix] of special) refused4.addSubnet(net, prefix, 'ipv4')
const global6 = new BlockList()
global6.addSubnet('2000::', 3, 'ipv6')
const refused6 = new BlockList()
for (const [net, prefix] of specialInGlobal) refused6.addSubnet(net, prefix, 'ipv6')

/** Whether an address is one of the public internet. An IPv4 address written as IPv6 is not. */
export function isPublicAddress(address: string): boolean {
  const family = isIP(address)
  if (family === 4) return !refused4.check(address, 'ipv4')
  return family === 6 && global6.check(address, 'ipv6') && !refused6.check(address, 'ipv6')
}

/** The host of a URL as it is connected to: IPv6 without its brackets. */
export const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, '')

const MAX_LENGTH = 2000

/**
 * The address of a webhook, normalized. Throws the refusal of one that nothing may be sent to. Names are looked up when
 * something is sent. `allowPrivate`: addresses of the own network are let through too, and plain http.
 */
export function readWebhookUrl(text: string, allowPrivate: boolean): URL {
  const refuse = (message: string) => apiError('invalid_webhook', message, { parameter: 'webhook' })
  if (text.length > MAX_LENGTH || !URL.canParse(text)) throw refuse('webhook.url must be a URL')
  const url = new URL(text)
  const schemes = allowPrivate ? ['https:', 'http:'] : ['https:']
  if (!schemes.includes(url.protocol)) throw refuse('webhook.url must begin with https://')
  if (url.username !== '' || url.password !== '') throw refuse('webhook.url must not hold a user name or password')
  if (!allowPrivate && isIP(hostOf(url)) !== 0 && !isPublicAddress(hostOf(url))) {
    throw refuse('webhook.url must not be an address of a private network')
  }
  url.hash = ''
  return url
}
