import { randomBytes } from 'node:crypto'
import { type BannerBody, brandingRoutes as routes, mostLogoBytes } from '@atrium/contract/branding'
import type { AccountEvent } from '@atrium/contract/system'
import { afterEach, expect, test } from 'vitest'
import { createAudit } from '../../platform/audit/index.ts'
import type { Environment } from '../../platform/settings/index.ts'
import { openVault } from '../../platform/vault/vault.ts'
import { testAccountMigrations } from '../../testing/accounts.ts'
import { authenticateById } from '../../testing/authenticate.ts'
import { testClock } from '../../testing/clock.ts'
import { onBothDatabases } from '../../testing/databases.ts'
import { serveAreas } from '../../testing/serve.ts'
import { savedSettings } from '../../testing/settings.ts'
import { settingsMigrations } from '../settings/index.ts'
import { brandingMigrations, brandingSettings, createBranding } from './index.ts'
import type { BrandingTables } from './tables.ts'

const png = (side: number): string => {
  const bytes = Buffer.from(`89504e470d0a1a0a0000000d49484452${'00000000'.repeat(2)}080600000000000000`, 'hex')
  bytes.writeUInt32BE(side, 16)
  bytes.writeUInt32BE(side, 20)
  return `data:image/png;base64,${bytes.toString('base64')}`
}

onBothDatabases('branding', (open) => {
  const stops: (() => Promise<void> | void)[] = []
  afterEach(async () => {
    for (const stop of stops.splice(0)) await stop()
  })

  /** Ann is administrator, Ben is not. */
  const settled = async (environment: Environment = {}) => {
    const clock = testClock()
    const database = await open([...testAccountMigrations, ...settingsMigrations, ...brandingMigrations])
    const vault = await openVault({ database, instanceKey: randomBytes(32), clock })
    const told: AccountEvent[] = []
    const saved = savedSettings({ database, vault, clock }, environment)
    const { branding: settings } = saved.bind(brandingSettings)
    const announceAll = async (event: AccountEvent) => void told.push(event)
    const audit = createAudit({ database, vault, clock })
    const branding = createBranding({ database, vault, clock, audit, settings, announceAll })
    const served = await serveAreas({ areas: [branding.area], clock, authenticate: authenticateById() })
    stops.push(served.stop, saved.close)
    const { guest } = served
    return { clock, database, branding, told, guest, ann: guest.as('ann'), ben: guest.as('ben') }
  }
  const banner = (more: Partial<BannerBody> = {}) => ({ body: Object.assign({ text: 'Down at nine' }, more) })
  const textsOf = ({ items }: { items: readonly { text: string }[] }) => items.map(({ text }) => text)

  test('a banner is on every open page at once, and on the sign-in page only where that is said', async () => {
    const { ann, ben, guest, told } = await settled()
    const { id } = await ann.call(routes.createBanner, banner())
    await ann.call(routes.createBanner, banner({ text: 'Careful', kind: 'warning', public: true }))
    expect(told).toEqual([1, 2].map(() => ({ type: 'banners-changed', data: {} })))
    expect(textsOf(await ben.call(routes.banners, {}))).toEqual(['Careful', 'Down at nine'])
    expect(textsOf(await guest.call(routes.publicBanners, {}))).toEqual(['Careful'])
    expect((await guest.refusal(routes.banners, {})).code).toBe('unauthenticated')
    await ann.call(routes.deleteBanner, { params: { id } })
    expect(textsOf(await ben.call(routes.banners, {}))).toEqual(['Careful'])
    expect((await ann.refusal(routes.deleteBanner, { params: { id } })).code).toBe('banner_not_found')
  })

  test('one begins and ends by itself, and who reads is told when', async () => {
    const { ann, ben, clock } = await settled()
    const at = (minutes: number) => new Date(clock.now() + minutes * 60_000).toISOString()
    const [startsAt, endsAt] = [at(10), at(20)]
    const made = await ann.call(routes.createBanner, banner({ startsAt, endsAt }))
    expect(made.state).toBe('scheduled')
    expect(await ben.call(routes.banners, {})).toMatchObject({ items: [], changesAt: startsAt })
    clock.advance(10 * 60_000)
    expect(await ben.call(routes.banners, {})).toMatchObject({ items: [{ id: made.id }], changesAt: endsAt })
    clock.advance(10 * 60_000)
    expect(await ben.call(routes.banners, {})).toMatchObject({ items: [], changesAt: null })
    expect((await ann.call(routes.allBanners, {})).items).toMatchObject([{ id: made.id, state: 'over' }])
  })

  test('a changed one has another time, so that those who put it away see it again', async () => {
    const { ann, clock } = await settled()
    const made = await ann.call(routes.createBanner, banner())
    clock.advance(5)
    const changed = await ann.call(routes.updateBanner, { params: { id: made.id }, body: { text: 'Up again' } })
    expect(changed.text).toBe('Up again')
    expect(changed.updatedAt).not.toBe(made.updatedAt)
  })

  test('one that nobody would see is refused, and the twenty-first', async () => {
    const { ann, clock } = await settled()
    const past = new Date(clock.now() - 1000).toISOString()
    const later = new Date(clock.now() + 5000).toISOString()
    for (const body of [{ endsAt: past }, { startsAt: later, endsAt: later }, { text: '   ' }])
      expect((await ann.refusal(routes.createBanner, banner(body))).code).toBe('validation_failed')
    for (let i = 0; i < 20; i++) await ann.call(routes.createBanner, banner())
    expect((await ann.refusal(routes.createBanner, banner())).code).toBe('banner_limit')
  })

  test('only administrators write them, and the audit says which, without the text', async () => {
    const { ann, ben, database } = await settled()
    expect((await ben.refusal(routes.createBanner, banner())).status).toBe(403)
    expect((await ben.refusal(routes.allBanners, {})).status).toBe(403)
    const { id } = await ann.call(routes.createBanner, banner())
    await ann.call(routes.updateBanner, { params: { id }, body: { text: 'Other' } })
    await ann.call(routes.deleteBanner, { params: { id } })
    const written = await database
      .tables<{ audit_events: { seq: number; action: string; target_id: string | null } }>()
      .selectFrom('audit_events')
      .select(['action', 'target_id'])
      .where('action', 'like', 'banner.%')
      .orderBy('seq')
      .execute()
    expect(written).toEqual(['create', 'update', 'delete'].map((verb) => ({ action: `banner.${verb}`, target_id: id })))
  })

  test('its text lies sealed on the disk', async () => {
    const { ann, database } = await settled()
    await ann.call(routes.createBanner, banner())
    const row = await database.tables<BrandingTables>().selectFrom('banners').selectAll().executeTakeFirstOrThrow()
    expect(Buffer.from(row.text).includes('Down')).toBe(false)
  })

  test('the workspace is called what an administrator says, also for visitors', async () => {
    const { ann, ben, guest, branding, told } = await settled()
    expect((await guest.call(routes.branding, {})).name).toBe('Atrium')
    await ann.call(routes.updateBranding, { body: { name: '  Harbour House ' } })
    expect(await guest.call(routes.branding, {})).toEqual({ name: 'Harbour House', logos: { light: null, dark: null } })
    expect(await branding.workspaceName()).toBe('Harbour House')
    expect(told).toEqual([{ type: 'branding-changed', data: {} }])
    expect((await ben.refusal(routes.updateBranding, { body: { name: 'Mine' } })).status).toBe(403)
    for (const name of ['', 'two\nlines', 'x'.repeat(61)])
      expect((await ann.refusal(routes.updateBranding, { body: { name } })).code).toBe('validation_failed')
  })

  test('a name that the environment says stays', async () => {
    const { ann, guest } = await settled({ WORKSPACE_NAME: 'Fixed' })
    expect((await guest.call(routes.branding, {})).name).toBe('Fixed')
    expect((await ann.refusal(routes.updateBranding, { body: { name: 'Other' } })).code).toBe('setting_locked')
  })

  test('a logo is seen by visitors, under an address that changes with it', async () => {
    const { ann, guest } = await settled()
    const set = (logo: string | null) => ann.call(routes.setLogo, { params: { variant: 'light' }, body: { logo } })
    const before = (await set(png(64))).logos.light ?? ''
    const shown = await guest.raw(before)
    expect(Object.fromEntries(shown.headers)).toMatchObject({
      'content-type': 'image/png',
      'cache-control': 'private, max-age=31536000, immutable',
      'content-security-policy': expect.stringContaining('sandbox'),
    })
    const after = (await set(png(65))).logos.light
    expect(after).not.toBe(before)
    expect((await guest.raw(before)).status).toBe(404)
    expect((await set(null)).logos).toEqual({ light: null, dark: null })
  })

  test('what could run, and what is too large, is no logo', async () => {
    const { ann, ben, guest } = await settled()
    const refused = async (logo: string) =>
      (await ann.refusal(routes.setLogo, { params: { variant: 'dark' }, body: { logo } })).code
    const drawing = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>').toString('base64')
    expect(await refused(`data:image/svg+xml;base64,${drawing}`)).toBe('logo_unsupported')
    expect(await refused(png(1025))).toBe('logo_unsupported')
    expect(await refused(`data:image/png;base64,${'A'.repeat(2 * mostLogoBytes)}`)).toBe('validation_failed')
    expect((await guest.call(routes.branding, {})).logos.dark).toBeNull()
    const body = { logo: png(9) }
    expect((await ben.refusal(routes.setLogo, { params: { variant: 'dark' }, body })).status).toBe(403)
  })
})
