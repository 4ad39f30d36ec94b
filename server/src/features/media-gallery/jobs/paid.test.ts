/** What was paid for is kept, whatever goes wrong beside it. */
import type { MediaItem } from '@atrium/contract/media-gallery'
import { describe, expect, test } from 'vitest'
import type { UsableCapability, UsableVideo } from '../../../core/connections/index.ts'
import type { StaticFile } from '../../../platform/http/static-file.ts'
import { ProviderFailure } from '../../../providers/types.ts'
import { testClock } from '../../../testing/clock.ts'
import { onBothDatabases, openerFor } from '../../../testing/databases.ts'
import { openMediaJobs } from '../../../testing/media-jobs.ts'
import { setReadOnly } from '../../../testing/outage.ts'
import { samplePng } from '../../../testing/sample-pictures.ts'

const about = { providerId: 'box', providerName: 'Box', model: 'any', config: {} }
const named = { model: 'any', pluginId: 'box', prompt: 'A boat' }
const context = { caller: { accountId: 'ada' }, header: () => null, signal: new AbortController().signal } as never
const page = Buffer.from('<!doctype html><script>1</script>')

const drawing = (...pictures: Uint8Array[]) => {
  const call = async () => ({
    pictures: pictures.map((bytes) => ({
      mediaType: 'image/png' as const,
      bytes,
      width: 4,
      height: 3,
      revisedPrompt: null,
    })),
    missing: null,
    inputTokens: null,
    outputTokens: null,
  })
  return { usable: { ...about, mostSources: 0, takesAvif: false, call } as unknown as UsableCapability<never> }
}
const filming = (of: Pick<UsableVideo, 'open'> & Partial<UsableVideo>) => {
  const count = () => undefined
  const usable: UsableVideo = {
    ...about,
    cancellable: true,
    lookMs: 1000,
    submit: async () => ({ handle: { id: 'film-1' }, count }),
    look: async () => ({ state: 'done', result: { found: { address: 'https://films.test/1' } } }),
    cancel: async () => true,
    recount: async () => count,
    ...of,
  }
  return { usable }
}
/** What a handler gave, which is no file here. */
const given = async <T>(answer: Promise<T>) => (await answer) as Exclude<T, StaticFile>
const none = async () => ({ unavailable: 'none' })
async function* film(): AsyncIterable<Uint8Array> {
  yield Buffer.concat([Buffer.from('\0\0\0\x10ftypisom\0\0\0\0', 'latin1'), Buffer.alloc(100)])
}
const opening = async () => ({ body: film(), discard: () => undefined })
const minute = 60_000

onBothDatabases('what was paid for', (open) => {
  const drawn = async (pictures: Uint8Array[], quotaBytes = 0) => {
    const connections = { video: none, capability: async () => drawing(...pictures) }
    const { media, jobs } = await openMediaJobs(open, { connections, quotaBytes })
    const make = () => jobs.handlers.generateImage({ body: { ...named, n: pictures.length } } as never, context)
    return { make, media }
  }

  test('is kept where another picture of it cannot be, and the reason is told', async () => {
    const { make } = await drawn([page, samplePng(4, 3), page])
    expect(await make()).toMatchObject({
      items: [{ mimeType: 'image/png' }],
      missing: { count: 2, reason: 'wrong_type' },
    })
    const all = await drawn([page, page])
    await expect(all.make()).rejects.toMatchObject({ code: 'provider_failed' })
  })

  test('is not kept where its account was deleted meanwhile', async () => {
    let gone: (() => Promise<void>) | null = null
    const { usable } = drawing(samplePng(4, 3))
    const call = async (...asked: Parameters<typeof usable.call>) => {
      await gone?.()
      return await usable.call(...asked)
    }
    const connections = { video: none, capability: async () => ({ usable: { ...usable, call } as typeof usable }) }
    const { media, jobs } = await openMediaJobs(open, { connections })
    gone = () => jobs.removeAccount('ada')
    const made = jobs.handlers.generateImage({ body: named } as never, context)
    await expect(made).rejects.toMatchObject({ code: 'job_not_found' })
    const { items } = await given(media.handlers.list({ query: { limit: 10, sort: 'newest' } } as never, context))
    expect(items).toEqual([])
  })

  test('is kept past the quota of its account, which takes nothing more then', async () => {
    const bytes = samplePng(64, 64)
    const { make, media } = await drawn([bytes, bytes], bytes.byteLength + 10)
    expect(await make()).toMatchObject({ items: [{}, {}], missing: null })
    await expect(make()).rejects.toMatchObject({ code: 'quota_full' })
    const other = await drawn([samplePng(4, 3)], 1000)
    await other.make()
    const upload = {
      query: { name: 'a.png' },
      file: { bytes: async () => samplePng(4, 3, { more: [['ruIN', Buffer.alloc(1000)]] }) },
    }
    await expect(other.media.handlers.upload(upload as never, context)).rejects.toMatchObject({ code: 'quota_full' })
    expect(media).toBeTruthy()
  })

  describe('as a film', () => {
    const begin = async (of: Pick<UsableVideo, 'open'>, more: Partial<Parameters<typeof openMediaJobs>[1]> = {}) => {
      const clock = testClock()
      const connections = { video: async () => filming(of), capability: none }
      const opened = await openMediaJobs(open, { connections, clock, ...more })
      const { handlers } = opened.jobs
      const { id } = await given(handlers.generateVideo({ body: named } as never, context))
      const look = () => given(handlers.videoJob({ params: { jobId: id } } as never, context))
      const gallery = async (): Promise<MediaItem[]> =>
        (await given(opened.media.handlers.list({ query: { limit: 10, sort: 'newest' } } as never, context))).items
      const resume = () => handlers.resumeVideo({ params: { jobId: id } } as never, context)
      return { ...opened, clock, look, resume, gallery }
    }

    test('is fetched again once the disk has room for it', async () => {
      let free = 10
      const { look, resume, gallery } = await begin({ open: opening }, { freeBytes: () => free })
      expect(await look()).toMatchObject({ status: 'failed', error: 'no_room', media: null })
      expect(await gallery()).toEqual([])
      free = 10_000
      expect(await resume()).toMatchObject({ status: 'completed', error: null, media: { kind: 'video' } })
      expect(await gallery()).toHaveLength(1)
    })

    test('stays where its process stood still until another one had ended its job with it', async () => {
      let meanwhile: (() => Promise<unknown>) | null = null
      const announced = async (type: string) => {
        const run = type === 'media-changed' ? meanwhile : null
        meanwhile = null
        await run?.()
      }
      const begun = await begin({ open: opening }, { announced })
      meanwhile = async () => {
        begun.clock.advance(10 * minute)
        expect(await begun.look()).toMatchObject({ status: 'completed' })
      }
      const job = await begun.look()
      expect(job).toMatchObject({ status: 'completed' })
      expect((await begun.gallery()).map(({ id }) => id)).toEqual([job.galleryId])
    })

    test('is there once where another process took it up in the middle', async () => {
      let meanwhile: (() => Promise<unknown>) | null = null
      const begun = await begin({
        open: async () => {
          const run = meanwhile
          meanwhile = null
          await run?.()
          return { body: film(), discard: () => undefined }
        },
      })
      meanwhile = async () => {
        begun.clock.advance(10 * minute)
        expect(await begun.look()).toMatchObject({ status: 'completed' })
      }
      const job = await begun.look()
      expect((await begun.gallery()).map(({ id }) => id)).toEqual([job.galleryId])
    })

    test('is asked for again while it cannot be fetched, until a day has passed', async () => {
      const gone = new ProviderFailure('rejected', 'It is not there.', 404)
      const refused = new ProviderFailure('rejected', 'It is not there.', 503)
      let failure = refused
      const { look, clock } = await begin({ open: () => Promise.reject(failure) })
      expect(await look()).toMatchObject({ status: 'pending', error: null })
      clock.advance(23 * 60 * minute)
      expect(await look()).toMatchObject({ status: 'pending', error: null })
      clock.advance(60 * minute)
      failure = gone
      expect(await look()).toMatchObject({ status: 'failed', error: 'expired' })
    })
  })
})

describe('what was paid for while the database took no writes', () => {
  const open = openerFor('sqlite')

  test('is kept once it takes them again', async () => {
    let away: () => Promise<void> = async () => undefined
    const { usable } = drawing(samplePng(4, 3))
    const call = async (...asked: Parameters<typeof usable.call>) => {
      await away()
      return await usable.call(...asked)
    }
    const submit = async () => {
      await away()
      return { handle: { id: 'film-1' }, count: () => undefined }
    }
    const connections = {
      video: async () => filming({ open: opening, submit }),
      capability: async () => ({ usable: { ...usable, call } as typeof usable }),
    }
    const { media, jobs } = await openMediaJobs(open, { connections })
    const { database } = media.context
    away = async () => {
      await setReadOnly(database, true)
      setTimeout(() => void setReadOnly(database, false), 400)
    }
    expect(await jobs.handlers.generateImage({ body: named } as never, context)).toMatchObject({ items: [{}] })
    const { id } = await given(jobs.handlers.generateVideo({ body: named } as never, context))
    const film = await jobs.handlers.videoJob({ params: { jobId: id } } as never, context)
    expect(film).toMatchObject({ status: 'completed', media: { kind: 'video' } })
  })
})
