import { describe, expect, it } from 'vitest'
import { createLogSync, type LogFile } from './log-sync.ts'

/** A disk whose answers are given by hand. */
const openLog = () => {
  const syncs: ((error: Error | null) => void)[] = []
  const told: string[] = []
  const log: LogFile = {
    sync: (done) => void syncs.push(done),
    syncNow: () => void told.push('synced at once'),
    close: () => void told.push('closed'),
  }
  const failures: Error[] = []
  const sync = createLogSync(log, (error) => void failures.push(error))
  return { syncs, told, failures, sync, request: (name: string) => sync.request(() => void told.push(name)) }
}

describe('the write-ahead log', () => {
  it('is confirmed to nobody before the disk has taken it', () => {
    const { request, syncs, told } = openLog()
    request('first')
    expect(told).toEqual([])
    syncs[0]?.(null)
    expect(told).toEqual(['first'])
  })

  it('is put on the disk once for all who committed meanwhile, and again for them and not with the one under way', () => {
    const { request, syncs, told } = openLog()
    for (const name of ['first', 'second', 'third']) request(name)
    expect(syncs).toHaveLength(1)
    syncs[0]?.(null)
    expect(told).toEqual(['first'])
    expect(syncs).toHaveLength(2)
    syncs[1]?.(null)
    expect(told).toEqual(['first', 'second', 'third'])
    expect(syncs).toHaveLength(2)
  })

  it('is confirmed to nobody any more once the disk did not take it', () => {
    const { failures, request, syncs, told } = openLog()
    request('first')
    request('second')
    syncs[0]?.(new Error('broken disk'))
    request('third')
    expect(told).toEqual([])
    expect(syncs).toHaveLength(1)
    expect(failures).toEqual([expect.objectContaining({ message: 'broken disk' })])
  })

  it('is put on the disk before it is closed, which waits for the disk', () => {
    const { request, sync, syncs, told } = openLog()
    request('first')
    request('second')
    sync.close()
    expect(told).toEqual(['synced at once', 'second'])
    syncs[0]?.(null)
    expect(told).toEqual(['synced at once', 'second', 'closed', 'first'])
  })
})
