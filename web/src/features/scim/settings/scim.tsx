import { scimRoutes, type ScimToken } from '@atrium/contract/scim'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../../api/client.ts'
import { failureOf, wordsOf } from '../../../api/errors.ts'
import { queryOf, refresh } from '../../../api/query.ts'
import { CopyButton } from '../../../blocks/copy-button.tsx'
import { ShownOnce } from '../../../blocks/shown-once.tsx'
import { formatDay } from '../../../lib/format.ts'
import { Button } from '../../../ui/button.tsx'
import { ConfirmDialog } from '../../../ui/dialog.tsx'
import { Field } from '../../../ui/field.tsx'
import { FormDialog } from '../../../ui/form-dialog.tsx'
import { Input } from '../../../ui/input.tsx'
import { Select } from '../../../ui/select.tsx'
import { toast } from '../../../ui/toaster.tsx'
import { QueryView } from '../../../blocks/setting-row/query-view.tsx'
import { Section } from '../../../blocks/setting-row/section.tsx'
import { useText } from 'virtual:words/scim'

interface Shown {
  readonly token: string
  readonly record: ScimToken
}
const most = 5

/** The tokens with which directories keep accounts and groups here. */
export function Scim() {
  const t = useText('scim')
  const tokens = useQuery(queryOf(scimRoutes.tokens))
  const [making, setMaking] = useState(false)
  const [shown, setShown] = useState<Shown | null>(null)
  const [asking, setAsking] = useState<{ what: 'rotate' | 'revoke'; token: ScimToken } | null>(null)
  const act = useMutation({
    mutationFn: async ({ what, token: { id } }: { what: 'rotate' | 'revoke'; token: ScimToken }) => {
      if (what === 'rotate') setShown(await call(scimRoutes.rotateToken, { params: { id } }))
      else await call(scimRoutes.revokeToken, { params: { id } })
    },
    onSuccess: () => setAsking(null),
    onError: (error) => toast(wordsOf(error), { tone: 'danger' }),
    onSettled: () => void refresh(scimRoutes.tokens),
  })
  return (
    <Section id="scim" title={t('title')} text={t('text')}>
      <p className="flex flex-wrap items-center gap-1 py-2 text-sm">
        {t('address')}
        <code dir="ltr" className="font-mono text-xs">{`${location.origin}/scim/v2`}</code>
        <CopyButton text={`${location.origin}/scim/v2`} label={t('copyAddress')} />
      </p>
      <QueryView query={tokens}>
        {({ items }) => (
          <>
            {items.length === 0 && <p className="py-2 text-sm text-muted">{t('none')}</p>}
            <ul>
              {items.map((token) => (
                <li key={token.id} className="flex flex-wrap items-center gap-2 border-b border-line py-3">
                  <div className="min-w-40 flex-1">
                    <bdi className="font-medium">{token.name}</bdi>
                    <p className="text-sm text-muted">
                      <bdi dir="ltr" className="font-mono text-xs">
                        {token.tokenPrefix}…
                      </bdi>
                      {' · '}
                      {token.lastUsedAt ? t('used', { when: formatDay(token.lastUsedAt) }) : t('unused')}
                      {' · '}
                      {token.expiresAt ? t('expires', { when: formatDay(token.expiresAt) }) : t('endless')}
                    </p>
                  </div>
                  <div className="flex gap-2">
                    <Button
                      size="small"
                      aria-label={t('rotateNamed', { name: token.name })}
                      onClick={() => setAsking({ what: 'rotate', token })}
                    >
                      {t('rotate')}
                    </Button>
                    <Button
                      size="small"
                      aria-label={t('revokeNamed', { name: token.name })}
                      onClick={() => setAsking({ what: 'revoke', token })}
                    >
                      {t('revoke')}
                    </Button>
                  </div>
                </li>
              ))}
            </ul>
            <Button className="mt-3" disabled={items.length >= most} onClick={() => setMaking(true)}>
              {t('make')}
            </Button>
          </>
        )}
      </QueryView>
      {making && <MakeToken onClose={() => setMaking(false)} onMade={setShown} />}
      {shown && (
        <ShownOnce
          title={t('shownTitle', { name: shown.record.name })}
          text={t('shownText')}
          secret={shown.token}
          copy={t('copyToken')}
          warning={t('shownWarning')}
          onClose={() => setShown(null)}
        />
      )}
      <ConfirmDialog
        open={asking !== null}
        onOpenChange={(open) => !open && setAsking(null)}
        title={asking ? t(`${asking.what}Title`, { name: asking.token.name }) : ''}
        confirm={t(`${asking?.what ?? 'revoke'}`)}
        danger
        busy={act.isPending}
        onConfirm={() => asking && act.mutate(asking)}
      >
        {t(`${asking?.what ?? 'revoke'}Text`)}
      </ConfirmDialog>
    </Section>
  )
}

const expiries = ['never', '90', '365'] as const

function MakeToken({ onClose, onMade }: { onClose: () => void; onMade: (shown: Shown) => void }) {
  const t = useText('scim')
  const [name, setName] = useState('')
  const [expiry, setExpiry] = useState<(typeof expiries)[number]>('365')
  const [tried, setTried] = useState(false)
  const make = useMutation({
    mutationFn: () =>
      call(scimRoutes.createToken, {
        body: { name: name.trim(), expiresInDays: expiry === 'never' ? null : Number(expiry) },
      }),
    onSuccess: (made) => {
      void refresh(scimRoutes.tokens)
      onMade(made)
      onClose()
    },
  })
  return (
    <FormDialog
      title={t('makeTitle')}
      submit={t('makeDo')}
      busy={make.isPending}
      error={failureOf(make.error)}
      onSubmit={() => {
        setTried(true)
        if (name.trim()) make.mutate()
      }}
      onClose={onClose}
    >
      <Field
        label={t('name')}
        hint={t('nameHint')}
        error={tried && !name.trim() ? t('nameNeeded') : undefined}
        required
      >
        <Input value={name} onChange={(event) => setName(event.target.value)} maxLength={80} dir="auto" />
      </Field>
      <Field label={t('expiry')}>
        <Select
          value={expiry}
          onChange={setExpiry}
          options={expiries.map((value) => ({ value, label: t(`expiries.${value}`) }))}
        />
      </Field>
    </FormDialog>
  )
}
