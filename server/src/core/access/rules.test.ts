import { expect, test } from 'vitest'
import { decideAccess, type DecisionFacts, includesRight, widestGrants } from './rules.ts'
import type { GrantRow } from './tables.ts'

const grant = (over: Partial<GrantRow>): GrantRow => ({
  id: 'g',
  resource_type: 'collection',
  resource_id: 'r',
  principal_type: 'account',
  principal_id: 'ben',
  access_right: 'read',
  expires_at: null,
  created_at: 1,
  ...over,
})

test('of several grants on a thing the widest right counts, then the later end, then the older grant', () => {
  const cases: [string, Partial<GrantRow>[], string][] = [
    ['a wider right over a longer stay', [{ id: 'a' }, { id: 'b', access_right: 'write', expires_at: 5 }], 'b'],
    [
      'admin over write',
      [
        { id: 'a', access_right: 'admin' },
        { id: 'b', access_right: 'write' },
      ],
      'a',
    ],
    ['no end over an end', [{ id: 'a', expires_at: 9 }, { id: 'b' }], 'b'],
    [
      'the later end',
      [
        { id: 'a', expires_at: 9 },
        { id: 'b', expires_at: 8 },
      ],
      'a',
    ],
    [
      'the older of equals',
      [
        { id: 'a', created_at: 2 },
        { id: 'b', created_at: 1 },
      ],
      'b',
    ],
  ]
  for (const [name, rows, id] of cases)
    expect(
      widestGrants(rows.map(grant)).map((row) => row.id),
      name,
    ).toEqual([id])
})

test('grants on different things stand beside each other', () => {
  expect(widestGrants([grant({ resource_id: 'r' }), grant({ resource_id: 's' })])).toHaveLength(2)
})

test('the decision: owner, then there for others, then the widest grant, then support access', () => {
  const place = { ownerId: 'ann', shown: 1 } as const
  const look = { id: 'look', expiresAt: 9 }
  const base: DecisionFacts = { accountId: 'ben', place, grants: [], membership: null, breakGlass: null }
  const editors = grant({ id: 'of-group', principal_type: 'group', principal_id: 'editors', access_right: 'write' })
  const cases: [string, Partial<DecisionFacts>, string | null, string[]][] = [
    ['the owner may everything', { accountId: 'ann' }, 'owner', ['owner']],
    ['in the trash, too', { accountId: 'ann', place: { ...place, shown: 0 } }, 'owner', ['owner']],
    ['what is not there is for nobody', { place: null, grants: [grant({})] }, null, ['not-found']],
    ['the trash is for no other', { place: { ...place, shown: 0 }, grants: [grant({})] }, null, ['not-found']],
    ['not for support either', { place: { ...place, shown: 0 }, breakGlass: look }, null, ['not-found']],
    ['without a grant nothing', {}, null, ['no-grant']],
    ['an own grant', { grants: [grant({})] }, 'read', ['g']],
    ['a grant of a group', { grants: [editors] }, 'write', ['of-group']],
    ['a membership', { membership: 'admin' }, 'admin', ['member']],
    ['a membership of the trash', { place: { ...place, shown: 0 }, membership: 'admin' }, null, ['not-found']],
    ['the widest first', { grants: [grant({}), editors] }, 'write', ['of-group', 'g']],
    ['support access reads', { breakGlass: look }, 'read', ['break-glass']],
    [
      'and narrows nothing',
      { grants: [grant({ access_right: 'admin' })], breakGlass: look },
      'admin',
      ['g', 'break-glass'],
    ],
  ]
  for (const [name, facts, right, reasons] of cases) {
    const decision = decideAccess({ ...base, ...facts })
    expect([name, decision.right]).toEqual([name, right])
    expect([name, ...decision.reasons.map((it) => (it.kind === 'grant' ? it.grant.id : it.kind))]).toEqual([
      name,
      ...reasons,
    ])
  }
})

test('a right holds those below it', () => {
  const rights = ['read', 'write', 'admin', 'owner'] as const
  for (const [at, right] of rights.entries())
    for (const [below, needed] of rights.entries()) expect(includesRight(right, needed)).toBe(below <= at)
})
