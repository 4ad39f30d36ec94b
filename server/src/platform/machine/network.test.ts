import type { NetworkInterfaceInfo } from 'node:os'
import { expect, test } from 'vitest'
import { listInterfaces } from './network.ts'

const address = (fields: Partial<NetworkInterfaceInfo> = {}) =>
  ({
    address: '10.0.0.2',
    netmask: '255.0.0.0',
    family: 'IPv4',
    mac: '02:00:00:00:00:01',
    internal: false,
    cidr: '10.0.0.2/8',
    ...fields,
  }) as NetworkInterfaceInfo

const counters = `Inter-|   Receive                                                |  Transmit
 face |bytes    packets errs drop fifo frame compressed multicast|bytes    packets errs drop fifo colls carrier compressed
    lo: 33997427422 8814108    0    0    0     0          0         0 33997427422 8814108    0    0    0     0       0          0
  eth0:1200 2 0 0 0 0 0 0 3400 5 0 0 0 0 0 0
  ifb0:       0       0    0    0    0     0          0         0        7       0    0    0    0     0       0          0
 broken: 1 2
`

test('interfaces have addresses and counters, and nothing else of them is told', () => {
  expect(listInterfaces({ eth0: [address()], tun0: [address()] }, counters)).toEqual([
    {
      name: 'eth0',
      addresses: [{ address: '10.0.0.2', family: 'IPv4', cidr: '10.0.0.2/8', internal: false }],
      receivedBytes: 1200,
      transmittedBytes: 3400,
    },
    { name: 'tun0', addresses: [{ address: '10.0.0.2', family: 'IPv4', cidr: '10.0.0.2/8', internal: false }] },
    { name: 'lo', addresses: [], receivedBytes: 33_997_427_422, transmittedBytes: 33_997_427_422 },
    { name: 'ifb0', addresses: [], receivedBytes: 0, transmittedBytes: 7 },
  ])
})

test('of a thousand interfaces with a thousand addresses come 64 with 16', () => {
  const many = Array.from({ length: 1000 }, (_, n) => address({ address: `10.0.${n >> 8}.${n & 255}` }))
  const found = listInterfaces(Object.fromEntries(Array.from({ length: 1000 }, (_, n) => [`veth${n}`, many])), counters)
  expect(found).toHaveLength(64)
  expect(found.map(({ addresses }) => addresses.length)).toEqual(found.map(() => 16))
  expect(found[63]?.name).toBe('veth63')
})
