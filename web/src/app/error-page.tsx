import type { ErrorComponentProps } from '@tanstack/react-router'
import { useRouter } from '@tanstack/react-router'
import { codeOf, detailsOf, wordsOf } from '../api/errors.ts'
import { useText } from '../lib/texts.ts'
import { useTitle } from '../lib/title.ts'
import { Button } from '../ui/button.tsx'
import { ErrorCard } from '../ui/error-card.tsx'

/** In place of a page that could not be loaded or drawn. */
export function ErrorPage({ error, reset }: ErrorComponentProps) {
  const t = useText('app')
  const router = useRouter()
  const missingPart = /dynamically imported module|module script|Importing a module/i.test(String(error))
  useTitle(t('error.title'))
  return (
    <div className="grid h-full place-items-center overflow-y-auto p-6">
      <div className="w-full max-w-lg">
        <ErrorCard
          title={missingPart ? t('error.updated') : t('error.title')}
          details={detailsOf(error)}
          onRetry={() => {
            reset()
            void router.invalidate()
          }}
          actions={
            <Button size="small" onClick={() => location.reload()}>
              {t('error.reload')}
            </Button>
          }
        >
          {missingPart ? t('error.updatedText') : codeOf(error) === 'internal' ? t('error.text') : wordsOf(error)}
        </ErrorCard>
      </div>
    </div>
  )
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
