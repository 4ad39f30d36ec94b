/** What administrators tell everybody, over every page. */
import { z } from 'zod'
import { Id, Nothing, Time } from '../common.ts'
import { routes } from '../route.ts'

export const bannerKinds = ['info', 'warning'] as const
export type BannerKind = (typeof bannerKinds)[number]

/** A banner as people see it. */
export const Banner = z.strictObject({
  id: Id,
  text: z.string(),
  kind: z.enum(bannerKinds),
  /** Whether one may put it away. */
  dismissible: z.boolean(),
  /** Changed since it was put away, it comes again. */
  updatedAt: Time,
})
export type Banner = z.infer<typeof Banner>

/** A banner as administrators see it. */
export const ListedBanner = Banner.extend({
  /** null: at once. */
  startsAt: Time.nullable(),
  /** null: until it is deleted. */
  endsAt: Time.nullable(),
  /** Whether visitors see it on the sign-in page. */
  public: z.boolean(),
  state: z.enum(['scheduled', 'shown', 'over']),
})
export type ListedBanner = z.infer<typeof ListedBanner>

const BannerBody = z.strictObject({
  text: z.string().trim().min(1).max(500),
  kind: Banner.shape.kind.default('info'),
  startsAt: Time.nullable().default(null),
  endsAt: Time.nullable().default(null),
  dismissible: z.boolean().default(true),
  public: z.boolean().default(false),
})
export type BannerBody = z.infer<typeof BannerBody>

const Shown = z.strictObject({
  items: z.array(Banner),
  nextCursor: z.null(),
  /** When one begins or ends by itself; null: none does. */
  changesAt: Time.nullable(),
})

export const banners = routes({
  banners: {
    method: 'get',
    path: '/api/banners',
    access: 'user',
    summary: 'List the banners shown now, warnings first',
    returns: Shown,
  },
  publicBanners: {
    method: 'get',
    path: '/api/banners/public',
    access: 'public',
    summary: 'List the banners shown now on the sign-in page, warnings first',
    returns: Shown,
  },
  allBanners: {
    method: 'get',
    path: '/api/banners/all',
    access: 'admin',
    summary: 'List all banners, newest first',
    returns: z.strictObject({ items: z.array(ListedBanner), nextCursor: z.null() }),
  },
  createBanner: {
    method: 'post',
    path: '/api/banners',
    access: 'admin',
    summary: 'Create a banner. Open pages show it at once, or from its start time',
    body: BannerBody,
    returns: ListedBanner,
    errors: ['banner_limit'],
  },
  updateBanner: {
    method: 'put',
    path: '/api/banners/{id}',
    access: 'admin',
    names: 'instance',
    summary: 'Replace a banner. People who dismissed it see it again',
    params: z.strictObject({ id: Id }),
    body: BannerBody,
    returns: ListedBanner,
    errors: ['banner_not_found'],
  },
  deleteBanner: {
    method: 'delete',
    path: '/api/banners/{id}',
    access: 'admin',
    names: 'instance',
    summary: 'Delete a banner. It disappears from open pages at once',
    params: z.strictObject({ id: Id }),
    returns: Nothing,
    errors: ['banner_not_found'],
  },
})
