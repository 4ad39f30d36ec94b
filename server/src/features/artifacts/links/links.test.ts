import { artifactsRoutes as routes } from '@atrium/contract/artifacts'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type ArtifactsHarness, openArtifacts } from '../../../testing/artifacts.ts'
import { insertAccount, until } from '../../../testing/chats.ts'
import { type Client, createClient } from '../../../testing/client.ts'
import { testClock } from '../../../testing/clock.ts'
import { onBothDatabases } from '../../../testing/databases.ts'
import type { AccountTables } from '../../../core/accounts/tables.ts'
import type { JobContext } from '../../../platform/jobs/types.ts'
import { upkeepJob } from '../index.ts'
import type { ArtifactTables } from '../tables.ts'

const hourMs = 3600_000
const dayMs = 24 * hourMs

onBothDatabases('artifacts that are shared by a link', (open) => {
  const clock = testClock()
  let harness: ArtifactsHarness
  let ann: Client
  let ben: Client
  let visitor: Client
  let allowed = true
  beforeAll(async () => {
    harness = await openArtifacts(open, { clock, linksAllowed: async () => allowed })
    await insertAccount(harness.database, 'ann')
    ann = harness.served.guest.as('ann')
    ben = harness.served.guest.as('ben')
    visitor = createClient(ann.baseUrl)
  })
  afterAll(() => harness?.served.stop())
  beforeEach(() => {
    allowed = true
  })

  type LinkBody = { expiresInDays?: number; password?: string; version?: number }
  const make = async (content = 'One') => {
    const { id } = await ann.call(routes.create, { body: { kind: 'markdown', title: 'Plan', content } })
    return { params: { artifactId: id } }
  }
  const link = async (at: { params: { artifactId: string } }, body: LinkBody = {}) => {
    const { url, link: made } = await ann.call(routes.addLink, { ...at, body })
    return { secret: url.split('#')[1] ?? '', url, made, at: { params: { ...at.params, linkId: made.id } } }
  }
  const enter = async (secret: string, password?: string): Promise<string> => {
    const opened = await visitor.call(routes.openLink, { body: { secret, password } })
    if (opened.state !== 'open') throw new Error('a password is asked for')
    return opened.visit
  }
  const see = (visit: string) => visitor.call(routes.linkedArtifact, { body: { visit } })
  const refusalOf = async (visit: string) => (await visitor.refusal(routes.linkedArtifact, { body: { visit } })).code
  const openRefusal = async (secret: string, password?: string) =>
    (await visitor.refusal(routes.openLink, { body: { secret, password } })).code

  test('show the newest version, or one alone, and nothing of the account', async () => {
    const at = await make()
    const [newest, first] = [await link(at), await link(at, { version: 1 })]
    expect(newest.url).toMatch(/^https:\/\/atrium\.example\/shared-artifact#ata_[\w-]{43}$/)
    await ann.call(routes.update, { ...at, body: { content: 'Two' } })
    const opened = await visitor.call(routes.openLink, { body: { secret: newest.secret } })
    expect(opened).toMatchObject({ state: 'open', ownerName: 'ann' })
    expect(await see(await enter(newest.secret))).toEqual({
      kind: 'markdown',
      title: 'Plan',
      language: null,
      content: 'Two',
      updatedAt: expect.any(String),
    })
    expect(await see(await enter(first.secret))).toMatchObject({ content: 'One' })
    const { items, allowed: may } = await ann.call(routes.links, at)
    expect(may).toBe(true)
    expect(new Map(items.map(({ version, openCount }) => [version, openCount]))).toEqual(
      new Map([
        [null, 2],
        [1, 1],
      ]),
    )
    const own = (await ann.call(routes.ownLinks, { query: {} })).items
    expect(own.filter(({ artifactId }) => artifactId === at.params.artifactId)).toMatchObject([
      { title: 'Plan' },
      { title: 'Plan' },
    ])
    expect((await ann.refusal(routes.addLink, { ...at, body: { version: 9 } })).code).toBe('artifact_version_not_found')
  })

  test('keep the version that they show, whatever is saved by itself later; every ten minutes leave one, too', async () => {
    const at = await make()
    const write = (content: string) => ann.call(routes.update, { ...at, body: { content, autosave: true } })
    const kept = async () => (await ann.call(routes.versions, at)).items.map(({ number }) => number)
    await write('Shown')
    const { secret } = await link(at, { version: 2 })
    await write('Later')
    expect(await kept()).toEqual([3, 2, 1])
    expect(await see(await enter(secret))).toMatchObject({ content: 'Shown' })
    clock.advance(6 * 60_000)
    await write('Six minutes later')
    expect(await kept()).toEqual([4, 2, 1])
    clock.advance(6 * 60_000)
    await write('Twelve minutes later')
    expect(await kept()).toEqual([5, 4, 2, 1])
  })

  test('are their owner’s alone, and each belongs to its artifact', async () => {
    const [at, other] = [await make(), await make()]
    const made = await link(at)
    for (const refused of [
      ben.refusal(routes.links, at),
      ben.refusal(routes.addLink, { ...at, body: {} }),
      ben.refusal(routes.updateLink, { ...made.at, body: {} }),
      ben.refusal(routes.removeLink, made.at),
    ])
      expect((await refused).code).toBe('artifact_not_found')
    const elsewhere = { params: { ...other.params, linkId: made.made.id } }
    expect((await ann.refusal(routes.removeLink, elsewhere)).code).toBe('artifact_link_not_found')
    expect((await ann.refusal(routes.updateLink, { ...elsewhere, body: { version: null } })).code).toBe(
      'artifact_link_not_found',
    )
    expect((await ben.call(routes.ownLinks, { query: {} })).items).toEqual([])
  })

  test('keep nothing of the secret or the password, and are in the audit with ids', async () => {
    const at = await make()
    const made = await link(at, { password: 'correct horse' })
    await ann.call(routes.updateLink, { ...made.at, body: { version: 1 } })
    await ann.call(routes.removeLink, made.at)
    const kept = JSON.stringify(
      await harness.database.tables<ArtifactTables>().selectFrom('artifact_links').selectAll().execute(),
    )
    expect(kept).not.toContain(made.secret)
    expect(kept).not.toContain('correct horse')
    const rows = await harness.database
      .tables<{ audit_events: { action: string; target_id: string | null } }>()
      .selectFrom('audit_events')
      .select('action')
      .where('target_id', '=', at.params.artifactId)
      .execute()
    expect(rows.map(({ action }) => action)).toEqual(['grant.create', 'grant.update', 'grant.delete'])
  })

  test('end with their time, with the artifact, with the account, and where the administrator allows none', async () => {
    const at = await make()
    const short = await link(at, { expiresInDays: 1 })
    const visit = await enter(short.secret)
    allowed = false
    expect(await refusalOf(visit)).toBe('artifact_link_not_found')
    expect(await openRefusal(short.secret)).toBe('artifact_link_not_found')
    expect((await ann.refusal(routes.addLink, { ...at, body: {} })).code).toBe('artifact_links_off')
    allowed = true
    const setStatus = (status: 'active' | 'disabled') =>
      harness.database
        .tables<Pick<AccountTables, 'accounts'>>()
        .updateTable('accounts')
        .set({ status })
        .where('id', '=', 'ann')
        .execute()
    await setStatus('disabled')
    expect(await refusalOf(visit)).toBe('artifact_link_not_found')
    await setStatus('active')
    expect(await see(visit)).toMatchObject({ content: 'One' })
    await ann.call(routes.remove, at)
    expect(await refusalOf(visit)).toBe('artifact_link_not_found')
    await harness.resources.artifact.trash?.restore('ann', at.params.artifactId)
    clock.advance(hourMs)
    expect(await refusalOf(visit)).toBe('artifact_link_not_found')
    const later = await enter(short.secret)
    clock.advance(dayMs - hourMs)
    expect(await refusalOf(later)).toBe('artifact_link_not_found')
    expect(await openRefusal(short.secret)).toBe('artifact_link_not_found')
    expect((await ann.call(routes.links, at)).items).toEqual([])
    for (const secret of ['ata_', `ata_${'a'.repeat(43)}`, `atc_${'a'.repeat(43)}`, visit, "' or 1=1 --"])
      expect(await openRefusal(secret)).toBe('artifact_link_not_found')
  })

  test('ask for their password, whose guesses are counted; a new one ends open visits', async () => {
    const at = await make()
    const made = await link(at, { password: 'correct horse' })
    expect(await visitor.call(routes.openLink, { body: { secret: made.secret } })).toEqual({ state: 'password' })
    expect(await openRefusal(made.secret, 'wrong horse')).toBe('artifact_link_password')
    const visit = await enter(made.secret, 'correct horse')
    const changed = { password: 'another horse', expiresInDays: 7 }
    const after = await ann.call(routes.updateLink, { ...made.at, body: changed })
    expect(Date.parse(after.expiresAt)).toBe(clock.now() + 7 * dayMs)
    expect(await refusalOf(visit)).toBe('artifact_link_not_found')
    expect(await openRefusal(made.secret, 'correct horse')).toBe('artifact_link_password')
    await ann.call(routes.updateLink, { ...made.at, body: { password: null } })
    expect(await see(await enter(made.secret))).toMatchObject({ content: 'One' })
    await ann.call(routes.updateLink, { ...made.at, body: { password: 'a third horse' } })
    const tries = await Promise.all(Array.from({ length: 25 }, (_, n) => openRefusal(made.secret, `guess ${n}`)))
    // Two were wrong before.
    expect(tries.filter((code) => code === 'artifact_link_password')).toHaveLength(18)
    expect(tries.filter((code) => code === 'artifact_link_locked')).toHaveLength(7)
  })

  test('tell an open page of each new version, and of the end', async () => {
    const at = await make()
    const made = await link(at)
    const visit = await enter(made.secret)
    const seen: string[] = []
    const ended = (async () => {
      for await (const { event } of visitor.follow(routes.followLink, { body: { visit } })) seen.push(event.type)
    })()
    await until(() => seen.length === 1)
    await ann.call(routes.update, { ...at, body: { content: 'Two' } })
    await until(() => seen.length === 2)
    await ann.call(routes.removeLink, made.at)
    await ended
    expect(seen).toEqual(['changed', 'changed', 'ended'])
  })

  test('are at most twenty of an artifact, and those whose time is over are removed', async () => {
    const at = await make()
    for (let n = 0; n < 20; n++) await link(at, { expiresInDays: 1 })
    expect((await ann.refusal(routes.addLink, { ...at, body: {} })).code).toBe('artifact_link_limit')
    clock.advance(2 * dayMs)
    await link(at)
    await harness.jobs[upkeepJob].prepare({})?.({ signal: new AbortController().signal } as JobContext)
    const rows = await harness.database
      .tables<ArtifactTables>()
      .selectFrom('artifact_links')
      .select('id')
      .where('artifact_id', '=', at.params.artifactId)
      .execute()
    expect(rows).toHaveLength(1)
  })
})
