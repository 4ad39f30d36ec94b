import { type SessionPolicy, accountsRoutes } from '@atrium/contract/accounts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../../api/client.ts'
import { queryOf, refresh } from '../../../api/query.ts'
import { saveInTurn } from '../../../api/saves.ts'
import { Badge } from '../../../ui/badge.tsx'
import { Input } from '../../../ui/input.tsx'
import { QueryView } from '../../../blocks/setting-row/query-view.tsx'
import { Row, useSave } from '../../../blocks/setting-row/row.tsx'
import { useText } from 'virtual:words/accounts-sessions'

/** How long sessions last, for everybody. */
export function SessionLifetimes() {
  const policy = useQuery(queryOf(accountsRoutes.sessionPolicy))
  return (
    <QueryView query={policy}>
      {({ lifetimeDays, idleHours }) => (
        <>
          <Lifetime id="sessionIdle" name="idleHours" setting={idleHours} max={87_600} />
          <Lifetime id="sessionLifetime" name="lifetimeDays" setting={lifetimeDays} max={3650} />
        </>
      )}
    </QueryView>
  )
}

function Lifetime({
  id,
  name,
  setting,
  max,
}: {
  id: string
  name: 'idleHours' | 'lifetimeDays'
  setting: SessionPolicy['idleHours']
  max: number
}) {
  const t = useText('accounts-sessions')
  const { saving, save } = useSave()
  const [typed, setTyped] = useState<string | null>(null)
  const fixed = setting.source === 'environment'
  const value = Number(typed)
  const isSound = typed === null || (Number.isInteger(value) && value >= 1 && value <= max)
  function commit() {
    if (typed === null || !isSound) return
    void save(async () => {
      await saveInTurn(accountsRoutes.sessionPolicy, () =>
        call(accountsRoutes.updateSessionPolicy, { body: { [name]: value } }),
      )
      void refresh(accountsRoutes.sessions)
      setTyped(null)
    })
  }
  return (
    <Row
      id={id}
      label={t(name)}
      help={t(`${name}Help`)}
      source={fixed ? <Badge tone="info">{t('pinned', { variable: setting.variable ?? '' })}</Badge> : undefined}
      saving={saving}
    >
      {(names) => (
        <span className="flex w-40 max-w-full flex-col gap-1">
          <span className="flex items-center gap-2">
            <Input
              {...names}
              dir="ltr"
              inputMode="numeric"
              autoComplete="off"
              disabled={fixed}
              aria-invalid={!isSound || undefined}
              value={typed ?? String(setting.value)}
              onChange={(event) => setTyped(event.target.value)}
              onBlur={commit}
              onKeyDown={(event) => {
                if (event.key === 'Enter') commit()
                if (event.key === 'Escape') setTyped(null)
              }}
            />
            <span className="w-12 shrink-0 text-sm text-muted">{t(`${name}Unit`)}</span>
          </span>
          {!isSound && (
            <span role="alert" className="text-sm text-danger-ink">
              {t('range', { max })}
            </span>
          )}
        </span>
      )}
    </Row>
  )
}
