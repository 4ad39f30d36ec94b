import { expect, test } from 'vitest'
import { holdAwake } from './wake-lock.ts'

/** A device and a page as a browser gives them. */
function device({ refuses = false } = {}) {
  const held = new Set<object>()
  const page = Object.assign(new EventTarget(), { visibilityState: 'visible' as DocumentVisibilityState })
  const wakeLock = {
    async request() {
      if (refuses) throw new DOMException('Low battery', 'NotAllowedError')
      const lock = { release: async () => void held.delete(lock) }
      held.add(lock)
      return lock
    },
  }
  return { held, page: page as unknown as Document, wakeLock }
}
const settled = () => new Promise((resolve) => setImmediate(resolve))

test('the screen stays awake until it is over, also where that is before the device answered', async () => {
  const { held, page, wakeLock } = device()
  const end = holdAwake({ wakeLock }, page)
  await settled()
  expect(held.size).toBe(1)
  end()
  await settled()
  expect(held.size).toBe(0)
  holdAwake({ wakeLock }, page)()
  await settled()
  expect(held.size).toBe(0)
})

test('a page that is looked at again asks again, and one that is hidden does not', async () => {
  const { held, page, wakeLock } = device()
  Object.assign(page, { visibilityState: 'hidden' })
  const end = holdAwake({ wakeLock }, page)
  await settled()
  expect(held.size).toBe(0)
  Object.assign(page, { visibilityState: 'visible' })
  page.dispatchEvent(new Event('visibilitychange'))
  await settled()
  expect(held.size).toBe(1)
  end()
  page.dispatchEvent(new Event('visibilitychange'))
  await settled()
  expect(held.size).toBe(0)
})

test('where the device refuses, or knows nothing of it, nothing happens', async () => {
  const { page, wakeLock } = device({ refuses: true })
  const ends = [holdAwake({ wakeLock }, page), holdAwake({}, page)]
  await settled()
  for (const end of ends) expect(end).not.toThrow()
})
