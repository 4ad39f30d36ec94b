import type { QuickAddProposal } from '@atrium/contract/calendar'
import { useText } from 'virtual:words/calendar'

/** Who made a proposal, and what of the words was not understood. */
export function ProposalNotes({ proposal: { by, missing, notUnderstood } }: { proposal: QuickAddProposal }) {
  const t = useText('calendar')
  const parts = notUnderstood.map((part) => t('quickAdd.quoted', { part })).join(t('repeat.comma'))
  return (
    <div role="status" className="rounded-md bg-accent-soft/60 px-3 py-2 text-sm">
      <p>{t(by === 'model' ? 'quickAdd.byModel' : 'quickAdd.byRules')}</p>
      {missing.map((part) => (
        <p key={part}>{t(`quickAdd.missing.${part}`)}</p>
      ))}
      {parts !== '' && (
        <p dir="auto" className="text-warn-ink">
          {t('quickAdd.notUnderstood', { parts })}
        </p>
      )}
    </div>
  )
}
