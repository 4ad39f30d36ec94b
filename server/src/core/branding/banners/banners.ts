/** What administrators tell everybody: read by everybody, written by them alone, and told to open pages at once. */
import type { BannerBody, brandingRoutes } from '@atrium/contract/branding'
import { type AuditEntry, actorOf } from '../../../platform/audit/index.ts'
import type { AnyTransaction } from '../../../platform/db/types.ts'
import type { Context, Handlers } from '../../../platform/http/area.ts'
import { fail } from '../../../platform/http/refusal.ts'
import type { BrandingDeps } from '../context.ts'
import type { BannerRow } from '../tables.ts'
import { nextChange, stateOf } from './rules.ts'
import { createBannerStore } from './store.ts'

const mostBanners = 20

type Names = 'banners' | 'publicBanners' | 'allBanners' | 'createBanner' | 'updateBanner' | 'deleteBanner'

export const bannerHandlers = (deps: BrandingDeps): Pick<Handlers<typeof brandingRoutes>, Names> => {
  const { clock, audit, announceAll } = deps
  const store = createBannerStore(deps)

  const shown = async (rows: readonly BannerRow[]) => {
    const now = clock.now()
    const present = rows.filter((row) => stateOf(row, now) === 'shown')
    const warningsFirst = present.toSorted((a, b) => Number(b.kind === 'warning') - Number(a.kind === 'warning'))
    const changesAt = nextChange(rows, now)
    return {
      items: await store.open(warningsFirst),
      nextCursor: null,
      changesAt: changesAt === null ? null : new Date(changesAt).toISOString(),
    }
  }
  const record =
    (context: Context, action: AuditEntry['action'], id: string) =>
    (trx: AnyTransaction): Promise<void> =>
      audit.recordIn(trx, { ...actorOf(context), action, target: { type: 'banner', id } })
  const changed = () => announceAll({ type: 'banners-changed', data: {} })
  const listed = async (row: BannerRow) => {
    const [banner] = await store.openListed([row], clock.now())
    if (!banner) throw fail('banner_not_found')
    return banner
  }

  return {
    banners: async () => shown(await store.list()),
    publicBanners: async () => shown((await store.list()).filter((row) => row.public === 1)),
    async allBanners() {
      return { items: await store.openListed(await store.list(), clock.now()), nextCursor: null }
    },

    async createBanner({ body }, context) {
      const [id, now] = [clock.id(), clock.now()]
      requireSpan(body, now)
      if (!(await store.insert(id, body, now, mostBanners, record(context, 'banner.create', id))))
        throw fail('banner_limit')
      await changed()
      const made = (await store.list()).find((row) => row.id === id)
      if (!made) throw fail('banner_not_found')
      return await listed(made)
    },

    async updateBanner({ params: { id }, body }, context) {
      const now = clock.now()
      requireSpan(body, now)
      const row = await store.replace(id, body, now, record(context, 'banner.update', id))
      if (!row) throw fail('banner_not_found')
      await changed()
      return await listed(row)
    },

    async deleteBanner({ params: { id } }, context) {
      if (!(await store.remove(id, record(context, 'banner.delete', id)))) throw fail('banner_not_found')
      await changed()
      return {}
    },
  }
}

/** Refuses one that nobody would ever see. */
const requireSpan = ({ startsAt, endsAt }: BannerBody, now: number): void => {
  if (endsAt === null || Date.parse(endsAt) > Math.max(now, startsAt === null ? 0 : Date.parse(startsAt))) return
  const message = Date.parse(endsAt) <= now ? 'this time is over' : 'it must be after the start'
  throw fail('validation_failed', undefined, [{ path: 'body.endsAt', message }])
}
