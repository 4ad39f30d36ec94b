/** Which network addresses are whose. Pure: no look-ups, no settings. */
import { BlockList, isIP } from 'node:net'

/**
 * `public`: anybody may be sent there. `private`: this machine or its networks, only where the operator says so.
 * `never`: nobody has business there (link-local and metadata, unspecified, multicast, addresses that wrap another).
 */
export type AddressClass = 'public' | 'private' | 'never'

/** Classifies an IP address (no brackets; a zone such as `%eth0` is ignored). What is no address is `never`. */
export const classifyAddress = (address: string): AddressClass => {
  const bare = address.replace(/%.*$/, '')
  const family = isIP(bare)
  if (family === 4) return classifyV4(bare)
  if (family === 6) return classifyV6(bare)
  return 'never'
}

const list = (ranges: readonly string[], family: 'ipv4' | 'ipv6'): BlockList => {
  const blocks = new BlockList()
  for (const range of ranges) {
    const [network = '', prefix] = range.split('/')
    blocks.addSubnet(network, Number(prefix), family)
  }
  return blocks
}

const neverV4 = list(
  [
    '0.0.0.0/8', // unspecified, "this network"
    '169.254.0.0/16', // link-local, cloud metadata
    '100.100.100.200/32', // cloud metadata
    '168.63.129.16/32', // cloud metadata
    '224.0.0.0/4', // multicast
    '240.0.0.0/4', // reserved, broadcast
  ],
  'ipv4',
)
const privateV4 = list(
  [
    '10.0.0.0/8',
    '100.64.0.0/10', // carrier-grade NAT
    '127.0.0.0/8',
    '172.16.0.0/12',
    '192.0.0.0/24', // protocol assignments
    '192.0.2.0/24', // documentation
    '192.88.99.0/24', // 6to4 relays
    '192.168.0.0/16',
    '198.18.0.0/15', // benchmarks
    '198.51.100.0/24', // documentation
    '203.0.113.0/24', // documentation
  ],
  'ipv4',
)
/** Everything public in version 6 is in here … */
const globalV6 = list(['2000::/3'], 'ipv6')
/** … except these: protocol assignments with Teredo, documentation, 6to4, which would carry us to a version 4 address. */
const neverV6 = list(['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20', 'fd00:ec2::/32'], 'ipv6')
const privateV6 = list(['::1/128', 'fc00::/7'], 'ipv6')

const classifyV4 = (address: string): AddressClass => {
  if (neverV4.check(address, 'ipv4')) return 'never'
  return privateV4.check(address, 'ipv4') ? 'private' : 'public'
}

/** Mapped (::ffff:a.b.c.d), compatible, NAT64 (64:ff9b::), link-local, multicast and the rest fall through to `never`. */
const classifyV6 = (address: string): AddressClass => {
  if (neverV6.check(address, 'ipv6')) return 'never'
  if (privateV6.check(address, 'ipv6')) return 'private'
  return globalV6.check(address, 'ipv6') ? 'public' : 'never'
}
