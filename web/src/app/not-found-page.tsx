import { Link } from '@tanstack/react-router'
import { Compass } from 'lucide-react'
import { links } from '../lib/links.ts'
import { useText } from '../lib/texts.ts'
import { useTitle } from '../lib/title.ts'
import { Button } from '../ui/button.tsx'
import { EmptyState } from '../ui/empty-state.tsx'

export function NotFoundPage() {
  const t = useText('app')
  useTitle(t('notFound.title'))
  return (
    <main id="main" className="grid h-full place-items-center">
      <EmptyState
        pageTitle
        icon={<Compass />}
        title={t('notFound.title')}
        action={
          <Button tone="primary" asChild>
            <Link to={links.newChat()}>{t('notFound.home')}</Link>
          </Button>
        }
      >
        {t('notFound.text')}
      </EmptyState>
    </main>
  )
}
