import { expect, test } from 'vitest'
import { WorkFailure } from './failure.ts'
import { createRunWatch } from './watch-runs.ts'

test('what is built in is unused, busy while any run is under way, and then as the last one ended', async () => {
  const runs = createRunWatch()
  expect(runs.state).toBe('unused')
  const first = Promise.withResolvers<string>()
  const second = Promise.withResolvers<string>()
  const both = [runs.watch(first.promise), runs.watch(second.promise)]
  expect(runs.state).toBe('busy')
  first.resolve('read')
  expect(await both[0]).toBe('read')
  expect(runs.state).toBe('busy')
  second.reject(new WorkFailure('memory', 'It took more than 640 MB.'))
  await expect(both[1]).rejects.toThrow('640 MB')
  expect(runs.state).toBe('failed')
  await expect(runs.watch(Promise.reject(new WorkFailure('aborted', 'Called off.')))).rejects.toThrow('Called off')
  expect(runs.state).toBe('failed')
  await runs.watch(Promise.resolve('read'))
  expect(runs.state).toBe('ready')
})

test('a run that was called off leaves what was unused as it was', async () => {
  const runs = createRunWatch()
  await expect(runs.watch(Promise.reject(new WorkFailure('aborted', 'Called off.')))).rejects.toThrow('Called off')
  expect(runs.state).toBe('unused')
})
