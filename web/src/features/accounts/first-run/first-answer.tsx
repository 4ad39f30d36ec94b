import { chatRoutes } from '@atrium/contract/chat'
import type { Model } from '@atrium/contract/connections'
import { useMutation } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ArrowRight } from 'lucide-react'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { call } from '../../../api/client.ts'
import { detailsOf, Problem, wordsOf } from '../../../api/errors.ts'
import { readEvents } from '../../../api/read-events.ts'
import { Markdown } from '../../../blocks/markdown/markdown.tsx'
import { links } from '../../../lib/links.ts'
import { Button } from '../../../ui/button.tsx'
import { ErrorCard } from '../../../ui/error-card.tsx'
import { Field } from '../../../ui/field.tsx'
import { Input } from '../../../ui/input.tsx'
import { Spinner } from '../../../ui/spinner.tsx'
import { useText } from 'virtual:words/accounts-first-run'

/** The first question and its answer, without leaving the page; they are a chat like every other, which can be opened. */
export function FirstAnswer({ model }: { model: Model }) {
  const t = useText('accounts-first-run')
  const [question, setQuestion] = useState<string | null>(null)
  const [text, setText] = useState('')
  const [chatId, setChatId] = useState<string | null>(null)
  const following = useRef<AbortController | null>(null)
  // The answer is written on the server, so leaving the page only ends the following.
  useEffect(() => () => following.current?.abort(), [])
  const asked = question ?? t('firstDefault')
  const ask = useMutation({
    mutationFn: async () => {
      const abort = new AbortController()
      following.current = abort
      setText('')
      const { id } = await call(chatRoutes.create, { body: { selection: model.selection } })
      setChatId(id)
      await readEvents(
        chatRoutes.generateStream,
        { params: { sessionId: id }, body: { message: asked.trim() } },
        {
          signal: abort.signal,
          isLast: ({ type }) => type === 'done' || type === 'cancelled',
          onEvents(events) {
            const deltas = events.map((event) => (event.type === 'text' ? event.data.delta : ''))
            setText((before) => before + deltas.join(''))
          },
        },
      )
    },
  })
  function submit(event: FormEvent) {
    event.preventDefault()
    ask.mutate()
  }
  return (
    <section className="mt-3 rounded-xl border border-line bg-surface p-4" aria-label={t('firstTitle')}>
      <h2 className="font-semibold">{t('firstTitle')}</h2>
      <p className="text-sm text-muted">
        <bdi>{model.name}</bdi> · <bdi>{model.providerName}</bdi>
      </p>
      <form onSubmit={submit} className="mt-3 flex flex-wrap items-end gap-2">
        <Field label={t('firstQuestion')} className="min-w-48 flex-1">
          <Input
            dir="auto"
            required
            maxLength={2000}
            value={asked}
            onChange={(event) => setQuestion(event.target.value)}
          />
        </Field>
        <Button type="submit" tone="primary" busy={ask.isPending} disabled={!asked.trim()}>
          {t('ask')}
        </Button>
      </form>
      {ask.isPending && text === '' && (
        <p role="status" className="mt-3 flex items-center gap-2 text-muted">
          <Spinner /> {t('asking', { model: model.name })}
        </p>
      )}
      {text !== '' && (
        <article className="mt-3 max-h-80 overflow-y-auto rounded-lg bg-sunken px-3.5 py-2.5" aria-live="polite">
          <Markdown text={text} streaming={ask.isPending} />
        </article>
      )}
      {ask.isError && (
        <ErrorCard
          title={t('firstFailed', { model: model.name })}
          details={ask.error instanceof Problem ? detailsOf(ask.error) : undefined}
          className="mt-3"
        >
          {wordsOf(ask.error)}
        </ErrorCard>
      )}
      {chatId && !ask.isPending && (
        <Button asChild size="small" className="mt-3">
          <Link to={links.chat(chatId)}>
            {t('openChat')} <ArrowRight aria-hidden className="size-3.5" />
          </Link>
        </Button>
      )}
    </section>
  )
}
