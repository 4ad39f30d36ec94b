/** The links of a chat, in the window in which it is shared. */
import { type ChatLink, chatRoutes as routes } from '@atrium/contract/chat'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Link2, Link2Off, TriangleAlert, X } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { call } from '../../../api/client.ts'
import { detailsOf, wordsOf } from '../../../api/errors.ts'
import { queryOf, refresh } from '../../../api/query.ts'
import { CopyButton } from '../../../blocks/copy-button.tsx'
import { announce } from '../../../lib/announce.ts'
import { formatAgo, formatDateTime } from '../../../lib/format.ts'
import { Button } from '../../../ui/button.tsx'
import { CheckField } from '../../../ui/check-field.tsx'
import { ErrorCard } from '../../../ui/error-card.tsx'
import { Field } from '../../../ui/field.tsx'
import { IconButton } from '../../../ui/icon-button.tsx'
import { PasswordInput } from '../../../ui/password-input.tsx'
import { Select } from '../../../ui/select.tsx'
import { toast } from '../../../ui/toaster.tsx'
import { useText } from 'virtual:words/chat-links'

/** Nothing where the administrator allows no links, unless there are some from before. */
export function LinkSection({ chatId, onChanged }: { chatId: string; onChanged: () => void }) {
  const t = useText('chat-links')
  const links = useQuery({ ...queryOf(routes.links, { params: { sessionId: chatId } }), staleTime: 0 })
  const [making, setMaking] = useState(false)
  const [made, setMade] = useState<string | null>(null)
  const changed = async () => {
    await Promise.all([refresh(routes.links), refresh(routes.ownLinks)])
    onChanged()
  }
  if (links.isPending) return null
  if (links.isError) {
    return (
      <ErrorCard
        className="mt-5"
        title={t('notLoaded')}
        details={detailsOf(links.error)}
        onRetry={() => void links.refetch()}
      >
        {wordsOf(links.error)}
      </ErrorCard>
    )
  }
  const { allowed, items } = links.data
  if (!allowed && items.length === 0) return null
  return (
    <section aria-label={t('title')} className="mt-6 border-t border-line pt-4">
      <h3 className="text-sm font-medium">{t('title')}</h3>
      <p className="mb-2 text-sm text-muted">{t('lead')}</p>
      {items.length === 0 ? (
        <p className="flex items-center gap-2 py-1.5 text-muted">
          <Link2Off aria-hidden className="size-4 shrink-0" />
          {t('none')}
        </p>
      ) : (
        <ul aria-label={t('title')} className="divide-y divide-line rounded-lg border border-line">
          {items.map((link) => (
            <LinkRow key={link.id} link={link} onChanged={changed} />
          ))}
        </ul>
      )}
      {made && <MadeLink url={made} />}
      {making ? (
        <LinkForm
          chatId={chatId}
          onMade={(url) => {
            setMade(url)
            setMaking(false)
            void changed()
          }}
        />
      ) : (
        allowed && (
          <Button className="mt-3" icon={<Link2 className="size-4" />} onClick={() => setMaking(true)}>
            {t('create')}
          </Button>
        )
      )}
    </section>
  )
}

function MadeLink({ url }: { url: string }) {
  const t = useText('chat-links')
  return (
    <div role="status" className="mt-3">
      <p className="text-sm font-medium">{t('made')}</p>
      <div className="mt-1 flex items-center gap-1 rounded-md border border-line-strong bg-sunken py-1 ps-3 pe-1">
        <code dir="ltr" className="min-w-0 flex-1 text-start font-mono text-sm break-all select-all">
          {url}
        </code>
        <CopyButton text={url} label={t('copy')} />
      </div>
      <p className="mt-1.5 flex items-start gap-1.5 text-sm text-warn-ink">
        <TriangleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
        {t('once')}
      </p>
    </div>
  )
}

const ends = ['1', '7', '30', '365'] as const

function LinkForm({ chatId, onMade }: { chatId: string; onMade: (url: string) => void }) {
  const t = useText('chat-links')
  const [end, setEnd] = useState<(typeof ends)[number]>('30')
  const [withFiles, setWithFiles] = useState(false)
  const [password, setPassword] = useState('')
  const [short, setShort] = useState(false)
  const create = useMutation({
    mutationFn: () =>
      call(routes.addLink, {
        params: { sessionId: chatId },
        body: { expiresInDays: Number(end), withFiles, password: password || null },
      }),
    // Where nobody told the server its address, it is the one of this page.
    onSuccess: ({ url }) => onMade(new URL(url, location.origin).href),
  })
  function submit(event: FormEvent) {
    event.preventDefault()
    const isShort = password !== '' && password.length < 8
    setShort(isShort)
    if (!isShort) create.mutate()
  }
  return (
    <form onSubmit={submit} autoComplete="off" className="mt-3 flex flex-col gap-3">
      <div className="flex flex-wrap items-start gap-3">
        <Field label={t('end')} className="min-w-36 flex-1">
          <Select value={end} onChange={setEnd} options={ends.map((value) => ({ value, label: t(`ends.${value}`) }))} />
        </Field>
        <Field
          label={t('password')}
          hint={t('passwordHint')}
          error={short && t('passwordShort')}
          className="min-w-52 flex-1"
        >
          <PasswordInput
            autoComplete="new-password"
            maxLength={200}
            value={password}
            onChange={(event) => setPassword(event.target.value)}
          />
        </Field>
      </div>
      <CheckField label={t('withFiles')} hint={t('withFilesHint')} checked={withFiles} onChange={setWithFiles} />
      {create.isError && <p className="text-sm text-danger-ink">{wordsOf(create.error)}</p>}
      <Button type="submit" tone="primary" busy={create.isPending} className="self-start">
        {t('create')}
      </Button>
    </form>
  )
}

function LinkRow({ link, onChanged }: { link: ChatLink; onChanged: () => Promise<void> }) {
  const t = useText('chat-links')
  const remove = useMutation({
    mutationFn: () => call(routes.removeLink, { params: { linkId: link.id } }),
    onSuccess: async () => {
      announce(t('removed'))
      await onChanged()
    },
    onError: (error) => toast(wordsOf(error), { tone: 'danger' }),
  })
  const time = formatAgo(link.createdAt)
  return (
    <li className="flex items-center gap-2.5 py-1.5 ps-3 pe-1.5">
      <Link2 aria-hidden className="size-4 shrink-0 text-muted" />
      <div className="min-w-0 flex-1">
        <p className="truncate font-medium">{t('row.created', { time })}</p>
        <p className="text-sm text-muted">
          {[
            t(link.withFiles ? 'row.files' : 'row.words'),
            link.hasPassword && t('row.password'),
            t('row.until', { time: formatDateTime(link.expiresAt) }),
          ]
            .filter(Boolean)
            .join(' · ')}
        </p>
      </div>
      <IconButton
        label={t('row.remove', { time })}
        icon={<X />}
        size="small"
        disabled={remove.isPending}
        onClick={() => remove.mutate()}
      />
    </li>
  )
}
