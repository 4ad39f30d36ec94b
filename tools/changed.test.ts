import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { journeysOf, walkedBy } from './changed.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const journeys = readdirSync(join(root, 'e2e', 'journeys')).map((name) => name.replace('.spec.ts', ''))
/** They walk no one feature, and follow changes of what all pages share. */
const ofAll = ['keyboard', 'offline', 'pages', 'phone', 'requests', 'widths']

describe('the journeys of what was changed', () => {
  it('name journeys that there are, and leave none out', () => {
    const named = new Set(Object.values(walkedBy).flat())
    const features = readdirSync(join(root, 'web', 'src', 'features')).filter((feature) => !(feature in walkedBy))
    expect([...named].filter((word) => !journeys.includes(word))).toEqual([])
    expect(journeys.filter((word) => !named.has(word) && !ofAll.includes(word) && !features.includes(word))).toEqual([])
  })

  it('are those of the feature, the changed journey itself, all of them, or none', () => {
    expect(journeysOf(['server/src/core/usage/store.ts', 'README.md'])).toEqual(['e2e/journeys/usage.spec.ts'])
    expect(journeysOf(['e2e/journeys/audit.spec.ts'])).toEqual(['e2e/journeys/audit.spec.ts'])
    expect(journeysOf(['web/src/ui/button.tsx', 'server/src/core/usage/store.ts'])).toBeNull()
    expect(journeysOf(['docs/fields.md'])).toEqual([])
  })
})
