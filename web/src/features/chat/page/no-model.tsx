import { Link } from '@tanstack/react-router'
import { useIsAdmin } from '../../../api/account.ts'
import { AskForModel } from '../../../blocks/connect/ask-for-model.tsx'
import { links } from '../../../lib/links.ts'
import { Button } from '../../../ui/button.tsx'
import { useText } from 'virtual:words/chat-compose'

/** In the place of starters that nothing could answer: what can be done without a model, and how to get one. */
export function NoModel() {
  const t = useText('chat-compose')
  const admin = useIsAdmin()
  return (
    <section aria-label={t('noModel.title')} className="rounded-xl border border-line bg-raised px-4 py-3.5">
      <p className="font-medium">{t('noModel.title')}</p>
      <p className="mt-0.5 text-sm text-muted">{t('noModel.text')}</p>
      <div className="mt-3">
        {admin ? (
          <Button asChild tone="primary" size="small">
            <Link to={links.settings('connections')}>{t('noModel.connect')}</Link>
          </Button>
        ) : (
          <AskForModel />
        )}
      </div>
    </section>
  )
}
