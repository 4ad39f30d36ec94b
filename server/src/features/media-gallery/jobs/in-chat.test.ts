import { expect, test } from 'vitest'
import type { MadeInChat } from '../../../core/generation/index.ts'
import { type Open, withDatabase } from '../../../testing/databases.ts'
import { openMediaJobs } from '../../../testing/media-jobs.ts'

/** Models that are asked for nothing, as far as they are not to be; `asked`: each time that one is looked up or asked. */
const begin = async (open: Open) => {
  const asked: string[] = []
  const about = { providerId: 'box', providerName: 'Box', model: 'any', config: {} }
  const refuse = (name: string) => async (): Promise<never> => {
    asked.push(name)
    throw new Error('was not to be asked')
  }
  const connections = {
    async capability() {
      asked.push('model')
      return { usable: { ...about, mostSources: 0, takesAvif: false, call: refuse('call') } }
    },
    async video() {
      asked.push('model')
      const [submit, look, openFilm, cancel, recount] = ['submit', 'look', 'open', 'cancel', 'recount'].map(refuse)
      if (!submit || !look || !openFilm || !cancel || !recount) throw new Error('unreachable')
      return { usable: { ...about, cancellable: true, lookMs: 1000, submit, look, open: openFilm, cancel, recount } }
    },
  }
  const { jobs, store } = await openMediaJobs(open, { connections })
  return { inChat: jobs.inChat, store, asked }
}
const wish = (kind: MadeInChat['kind']): MadeInChat => ({
  kind,
  model: 'any',
  pluginId: 'box',
  prompt: 'A boat',
  chosen: null,
  usual: {},
  sources: [],
  mask: null,
  chatId: 'chat-1',
})

withDatabase('what is made in a chat', (open) => {
  test.each(['image', 'video', 'speech'] as const)(
    'is asked of nobody where its answer is stopped before its job is stored (%s)',
    async (kind) => {
      const { inChat, store, asked } = await begin(open)
      const stop = new AbortController()
      stop.abort()
      const told: string[] = []
      const begun = async (jobId: string) => void told.push(jobId)
      const made = inChat.make('ada', wish(kind), { signal: stop.signal, begun, drawn: () => undefined })
      await expect(made).rejects.toMatchObject({ code: 'media_stopped' })
      expect(asked).toEqual(['model'])
      expect(await store.read('ada', told[0] ?? '')).toMatchObject({ status: 'failed', failure: 'cancelled' })
    },
  )

  test.each(['image', 'video', 'speech'] as const)(
    'is asked of nobody where its answer is stopped while its job is written down (%s)',
    async (kind) => {
      const { inChat, store, asked } = await begin(open)
      const stop = new AbortController()
      let id = ''
      const begun = async (jobId: string) => {
        id = jobId
        stop.abort()
      }
      const made = inChat.make('ada', wish(kind), { signal: stop.signal, begun, drawn: () => undefined })
      await expect(made).rejects.toMatchObject({ code: 'media_stopped' })
      expect(asked).toEqual(['model'])
      expect(await store.read('ada', id)).toMatchObject({ status: 'failed', failure: 'cancelled' })
    },
  )
})
