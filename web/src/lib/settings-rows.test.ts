import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const features = join(import.meta.dirname, '../features')

/** Rows of the pages of one item, which no search leads to; and what is there only while it is needed. */
const unlisted: Readonly<Record<string, readonly string[]>> = {
  connections: ['catalogue', 'definition', 'generation', 'key', 'naming', 'route', 'sharing', 'test'],
  'user-administration': ['displayName', 'email', 'picture', 'role', 'status', 'username'],
  'recovery-backup': ['pause'],
  'tool-servers': [
    'access',
    'auth',
    'changes',
    'credential',
    'description',
    'details',
    'enabled',
    'headers',
    'name',
    'size',
    'timeout',
    'trial',
  ],
  'system-diagnostics': ['setup'],
}

const filesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name))

test('the search of the settings leads to every row of their pages', () => {
  const missing = readdirSync(features).flatMap((feature) => {
    const files = filesIn(join(features, feature))
    const sections = files.find((file) => file.endsWith('sections.ts'))
    if (!sections) return []
    const listed = readFileSync(sections, 'utf8')
    const rows = files
      .filter((file) => file.endsWith('.tsx') && (feature === 'settings' || file.includes('/settings/')))
      .flatMap((file) => [...readFileSync(file, 'utf8').matchAll(/\sid="([A-Za-z]+)"/g)].map(([, id = '']) => id))
    return [...new Set(rows)]
      .filter((id) => !listed.includes(`'${id}'`) && !unlisted[feature]?.includes(id))
      .map((id) => `${feature}: ${id}`)
  })
  expect(missing).toEqual([])
})
