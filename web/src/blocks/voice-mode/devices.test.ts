import { expect, test } from 'vitest'
import { cancelsEcho, isOtherMicrophone } from './devices.ts'

const built = { deviceId: 'a', groupId: 'laptop' }
const headset = { deviceId: 'b', groupId: 'headset' }
const usual = (groupId: string) => ({ deviceId: 'default', groupId })

test.each([
  ['the chosen one is still there', 'b', 'headset', [usual('laptop'), built, headset], false],
  ['the chosen one was unplugged', 'b', 'headset', [usual('laptop'), built], true],
  ['the usual one is another now', null, 'laptop', [usual('headset'), built, headset], true],
  ['the usual one is as before', null, 'laptop', [usual('laptop'), built, headset], false],
  ['the browser names no usual one', null, 'laptop', [built, headset], false],
] as const)('another microphone is opened, or not, where %s', (_, chosen, groupId, microphones, expected) => {
  expect(isOtherMicrophone(chosen, { groupId }, microphones)).toBe(expected)
})

test.each([
  [true, true],
  ['all', true],
  ['remote-only', false],
  [false, false],
  [undefined, false],
])(
  'a microphone whose echo cancellation is %s may be listened to while it speaks: %s',
  (echoCancellation, expected) => {
    expect(cancelsEcho({ echoCancellation })).toBe(expected)
  },
)
