import { expect, test } from 'vitest'
import { createSharedRead } from './file-system.ts'

test('a path that does not answer is asked once, whoever asks, and others are asked meanwhile', async () => {
  const asked: string[] = []
  const hanging = Promise.withResolvers<string>()
  const read = createSharedRead((path) => {
    asked.push(path)
    return path === '/dead' ? hanging.promise : Promise.resolve(path)
  })
  const late = [read('/dead'), read('/dead')]
  expect(await read('/alive')).toBe('/alive')
  late.push(read('/dead'))
  expect(asked).toEqual(['/dead', '/alive'])
  hanging.resolve('back')
  expect(await Promise.all(late)).toEqual(['back', 'back', 'back'])
  await read('/dead')
  expect(asked).toEqual(['/dead', '/alive', '/dead'])
})

test('a path that cannot be read is asked anew', async () => {
  let asked = 0
  const read = createSharedRead(async () => {
    asked += 1
    if (asked === 1) throw new Error('gone')
    return asked
  })
  await expect(read('/data')).rejects.toThrow('gone')
  expect(await read('/data')).toBe(2)
})
