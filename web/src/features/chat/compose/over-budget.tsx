import type { OwnBudget } from '@atrium/contract/usage'
import { Link } from '@tanstack/react-router'
import { resetDay } from '../../../blocks/budgets.ts'
import { links } from '../../../lib/links.ts'
import { useText } from 'virtual:words/chat-compose'

/** Why nothing can be sent, and where to see more of it. */
export function OverBudget({ budget }: { budget: OwnBudget | null }) {
  const t = useText('chat-compose')
  if (!budget) return null
  return (
    <p role="status" className="mb-1.5 px-1 text-sm text-warn-ink">
      {t('composer.overBudget', { name: budget.name, when: resetDay(budget) })}{' '}
      <Link to={links.settings('usage', 'budgets')} className="underline underline-offset-2">
        {t('composer.budgets')}
      </Link>
    </p>
  )
}
