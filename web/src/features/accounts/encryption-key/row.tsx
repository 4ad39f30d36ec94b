import { type EncryptionKey, accountsRoutes } from '@atrium/contract/accounts'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { queryOf } from '../../../api/query.ts'
import { formatDateTime } from '../../../lib/format.ts'
import { WindowComing } from '../../../ui/early-keys.tsx'
import { Badge } from '../../../ui/badge.tsx'
import { Button } from '../../../ui/button.tsx'
import { QueryView } from '../../../blocks/setting-row/query-view.tsx'
import { Row } from '../../../blocks/setting-row/row.tsx'
import { useText } from 'virtual:words/accounts-encryption-key'

const RevealDialog = lazy(() => import('./reveal-dialog.tsx').then((module) => ({ default: module.RevealDialog })))

/** Where the key of the instance is, and the one chance to keep a copy of it. */
export function EncryptionKeyRow() {
  const state = useQuery({ ...queryOf(accountsRoutes.encryptionKey), staleTime: 0 })
  return <QueryView query={state}>{(key) => <KeyStatus state={key} />}</QueryView>
}

function KeyStatus({ state }: { state: EncryptionKey }) {
  const t = useText('accounts-encryption-key')
  const [open, setOpen] = useState(false)
  const { source, fingerprint, revealedAt } = state
  return (
    <>
      <Row
        id="encryptionKey"
        label={t('name')}
        help={
          <>
            {t(source)}{' '}
            {source === 'file' && (revealedAt ? t('revealed', { when: formatDateTime(revealedAt) }) : t('never'))}
            <span className="mt-1.5 block">
              {t('fingerprint')} <code dir="ltr">{fingerprint}</code>
            </span>
          </>
        }
        source={source === 'environment' && <Badge tone="info">ENCRYPTION_KEY</Badge>}
      >
        {() => source === 'file' && !revealedAt && <Button onClick={() => setOpen(true)}>{t('show')}</Button>}
      </Row>
      <Suspense fallback={<WindowComing onClose={() => setOpen(false)} />}>
        {open && <RevealDialog onClose={() => setOpen(false)} />}
      </Suspense>
    </>
  )
}
