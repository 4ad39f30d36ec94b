/** The network interfaces of the machine: their addresses, and what went through them. */
import { readFile } from 'node:fs/promises'
import { networkInterfaces } from 'node:os'

export interface NetworkAddress {
  readonly address: string
  readonly family: 'IPv4' | 'IPv6'
  readonly cidr: string | null
  /** Whether it is reachable from this machine only. */
  readonly internal: boolean
}

export interface NetworkInterface {
  readonly name: string
  readonly addresses: NetworkAddress[]
  /** Since the interface is there; absent where the system does not count. */
  readonly receivedBytes?: number
  readonly transmittedBytes?: number
}

const most = { interfaces: 64, addresses: 16 }

/** The first 64 with 16 addresses each: those that have addresses, then others that the system counts for. */
export const readNetwork = async (): Promise<NetworkInterface[]> =>
  listInterfaces(networkInterfaces(), await readFile('/proc/net/dev', 'utf8').catch(() => ''))

/** `counters` is what `/proc/net/dev` holds; empty where there is none. */
export const listInterfaces = (
  addressesByName: ReturnType<typeof networkInterfaces>,
  counters: string,
): NetworkInterface[] => {
  const countersByName = parseCounters(counters)
  const names = new Set([...Object.keys(addressesByName), ...countersByName.keys()])
  return [...names].slice(0, most.interfaces).map((name) => ({
    name,
    addresses: (addressesByName[name] ?? [])
      .slice(0, most.addresses)
      .map(({ address, family, cidr, internal }) => ({ address, family, cidr, internal })),
    ...countersByName.get(name),
  }))
}

/** One line for each interface, `name: received …7 others… transmitted …`, below two lines of headings. */
const parseCounters = (text: string) =>
  new Map(
    text.split('\n').flatMap((line) => {
      const [, name, fields] = /^\s*(\S+):\s*(\d.*)$/.exec(line) ?? []
      const numbers = fields?.split(/\s+/).map(Number) ?? []
      const [receivedBytes, transmittedBytes] = [numbers[0], numbers[8]]
      if (name === undefined || receivedBytes === undefined || transmittedBytes === undefined) return []
      return [[name, { receivedBytes, transmittedBytes }] as const]
    }),
  )
