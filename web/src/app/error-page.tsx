import type { ErrorComponentProps } from '@tanstack/react-router'
import { useRouter } from '@tanstack/react-router'
import { CloudOff } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { codeOf, detailsOf, Problem, wordsOf } from '../api/errors.ts'
import { useText } from '../lib/texts.ts'
import { useTitle } from '../lib/title.ts'
import { Button } from '../ui/button.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { ErrorCard } from '../ui/error-card.tsx'

/** In place of a page that could not be loaded or drawn. */
export function ErrorPage({ error, reset }: ErrorComponentProps) {
  const t = useText('app')
  const router = useRouter()
  const part = /dynamically imported module|module script|Importing a module/i.test(String(error))
  const offline = codeOf(error) === 'offline' || (part && !navigator.onLine)
  const missingPart = part && !offline
  useTitle(t('error.title'))
  const again = () => {
    reset()
    void router.invalidate()
  }
  const words = codeOf(error) === 'internal' ? t('error.text') : wordsOf(error)
  useOnceOnline(offline, again)
  if (offline && !navigator.onLine) {
    return (
      <div className="grid h-full place-items-center overflow-y-auto p-6">
        <EmptyState icon={<CloudOff />} title={t('error.offline')}>
          <div role="status">{t('error.offlineText')}</div>
        </EmptyState>
      </div>
    )
  }
  return (
    <div className="grid h-full place-items-center overflow-y-auto p-6">
      <div className="w-full max-w-lg">
        <ErrorCard
          title={missingPart ? t('error.updated') : t('error.title')}
          details={detailsOf(error)}
          onRetry={again}
          actions={
            <Button size="small" onClick={() => location.reload()}>
              {t('error.reload')}
            </Button>
          }
        >
          {missingPart ? t('error.updatedText') : offline ? wordsOf(new Problem('offline', '')) : words}
        </ErrorCard>
      </div>
    </div>
  )
}

/** Goes on by itself once the network that was missing is back. */
function useOnceOnline(wanted: boolean, run: () => void) {
  const latest = useRef(run)
  useEffect(() => {
    latest.current = run
  })
  useEffect(() => {
    if (!wanted) return
    const back = () => latest.current()
    addEventListener('online', back)
    return () => removeEventListener('online', back)
  }, [wanted])
}

/** The same where the shell is not there either. */
export function BareErrorPage(props: ErrorComponentProps) {
  const t = useText('app')
  return (
    <main id="main" className="h-full">
      <h1 className="sr-only">{t('error.title')}</h1>
      <ErrorPage {...props} />
    </main>
  )
}
