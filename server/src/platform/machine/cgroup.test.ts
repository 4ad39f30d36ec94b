import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { readControlGroup } from './cgroup.ts'

let folder = ''
afterEach(() => rm(folder, { recursive: true, force: true }))

const place = async (files: Record<string, string>) => {
  folder = await mkdtemp(join(tmpdir(), 'atrium-cgroup-'))
  for (const [path, text] of Object.entries(files)) {
    const file = join(folder, path)
    await mkdir(dirname(file), { recursive: true })
    await writeFile(file, `${text}\n`)
  }
  return { membership: join(folder, 'self'), mount: join(folder, 'fs') }
}

test('a container of version 2 sees its own group as the root', async () => {
  const places = await place({
    self: '0::/',
    'fs/memory.current': '1000',
    'fs/memory.max': '4000',
    'fs/pids.current': '7',
    'fs/pids.max': 'max',
    'fs/cpu.max': '150000 100000',
  })
  expect(await readControlGroup(places)).toEqual({
    memory: { value: 1000, limit: 4000 },
    pids: { value: 7, limit: null },
    cpuLimit: 1.5,
  })
})

test('below a slice that is tighter, the slice counts with all that is in it', async () => {
  const places = await place({
    self: '0::/system.slice/atrium.service',
    'fs/system.slice/atrium.service/memory.current': '1000',
    'fs/system.slice/atrium.service/memory.max': 'max',
    'fs/system.slice/memory.current': '9000',
    'fs/system.slice/memory.max': '12000',
    'fs/system.slice/atrium.service/cpu.max': 'max 100000',
  })
  expect(await readControlGroup(places)).toEqual({
    memory: { value: 9000, limit: 12_000 },
    pids: { value: null, limit: null },
    cpuLimit: null,
  })
})

test('groups of version 1 stand in a folder for each controller', async () => {
  const places = await place({
    self: '9:pids:/docker/abc\n4:memory:/docker/abc\n2:cpu,cpuacct:/docker/abc\n0::/',
    'fs/memory/memory.usage_in_bytes': '5000',
    'fs/memory/memory.limit_in_bytes': '9223372036854771712',
    'fs/pids/docker/abc/pids.current': '3',
    'fs/pids/docker/abc/pids.max': '100',
    'fs/cpu/docker/abc/cpu.cfs_quota_us': '50000',
    'fs/cpu/docker/abc/cpu.cfs_period_us': '100000',
  })
  expect(await readControlGroup(places)).toEqual({
    memory: { value: 5000, limit: null },
    pids: { value: 3, limit: 100 },
    cpuLimit: 0.5,
  })
})

test('without control groups nothing is known, and nothing fails', async () => {
  const nothing = { value: null, limit: null }
  expect(await readControlGroup(await place({}))).toEqual({ memory: nothing, pids: nothing, cpuLimit: null })
})
