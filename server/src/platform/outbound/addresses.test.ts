import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { classifyAddress } from './addresses.ts'

describe('whose an address is', () => {
  test.each([
    '1.1.1.1',
    '8.8.8.8',
    '172.15.0.1',
    '172.32.0.1',
    '100.63.0.1',
    '100.128.0.1',
    '192.169.0.1',
    '223.255.255.254',
    '2606:4700::1111',
    '2a00:1450::1',
  ])('%s is public', (address) => expect(classifyAddress(address)).toBe('public'))

  test.each([
    '10.0.0.1',
    '10.255.255.255',
    '127.0.0.1',
    '127.255.0.1',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.0.1',
    '100.64.0.1',
    '100.127.255.255',
    '192.0.0.8',
    '192.0.2.1',
    '198.18.0.1',
    '198.19.255.255',
    '198.51.100.7',
    '203.0.113.7',
    '192.88.99.1',
    '::1',
    'fc00::1',
    'fdff::1',
    '::1%lo',
  ])('%s is private', (address) => expect(classifyAddress(address)).toBe('private'))

  test.each([
    // unspecified, link-local with the metadata services, multicast, reserved, broadcast
    '0.0.0.0',
    '0.1.2.3',
    '169.254.0.1',
    '169.254.169.254',
    '100.100.100.200',
    '168.63.129.16',
    '224.0.0.1',
    '239.255.255.255',
    '240.0.0.1',
    '255.255.255.255',
    '::',
    'fe80::1',
    'fe80::1%eth0',
    'febf::1',
    'ff02::1',
    'fec0::1',
    'fd00:ec2::254',
    // forms that carry a version 4 address
    '::ffff:127.0.0.1',
    '::ffff:7f00:1',
    '::ffff:8.8.8.8',
    '::127.0.0.1',
    '64:ff9b::7f00:1',
    '64:ff9b::808:808',
    '64:ff9b:1::1',
    '2002:7f00:1::',
    '2002:808:808::1',
    '2001:0:1::1',
    // documentation, discard, assignments
    '2001:db8::1',
    '3fff::1',
    '100::1',
    '2001:2::1',
    '5f00::1',
    '4000::1',
    // no addresses
    '',
    'localhost',
    '127.1',
    '0x7f.0.0.1',
    '1.2.3',
    '[::1]',
    '1.2.3.4.5',
  ])('%s is never called', (address) => expect(classifyAddress(address)).toBe('never'))

  test('no private version 4 address becomes public by being wrapped in version 6', () => {
    fc.assert(
      fc.property(fc.ipV4(), (address) => {
        const [a = 0, b = 0, c = 0, d = 0] = address.split('.').map(Number)
        const hex = `${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`
        for (const wrapped of [`::ffff:${address}`, `::${address}`, `64:ff9b::${hex}`, `2002:${hex}::1`]) {
          expect(classifyAddress(wrapped)).not.toBe('public')
        }
      }),
    )
  })
})
