import { detailsOf, wordsOf } from '../../api/errors.ts'
import { Button } from '../../ui/button.tsx'
import { ErrorCard } from '../../ui/error-card.tsx'
import { useText } from 'virtual:words/artifact'
import type { Draft } from './use-draft.ts'

/** What becomes of what was typed. */
export function DraftBar({ draft }: { draft: Draft }) {
  const t = useText('artifact')
  const { error, isConflict, isDirty, isSaving } = draft
  if (!draft.isTouched) return null
  return (
    <div className="flex shrink-0 flex-col gap-2 border-t border-line bg-raised px-3 py-2">
      {error && (
        <ErrorCard title={isConflict ? t('changedMeanwhile') : t('notSaved')} details={detailsOf(error)}>
          {isConflict ? t('changedHint') : wordsOf(error)}
        </ErrorCard>
      )}
      <div className="flex min-h-control flex-wrap items-center gap-2">
        <span role="status" className="min-w-0 flex-1 text-sm text-muted">
          {isSaving ? t('saving') : isDirty ? t('unsaved') : t('autosaved')}
        </span>
        {isDirty && !isSaving && (
          <Button size="small" onClick={draft.discard}>
            {t('discard')}
          </Button>
        )}
        <Button size="small" tone="primary" onClick={draft.save}>
          {isConflict ? t('saveAnyway') : t('save')}
        </Button>
      </div>
    </div>
  )
}
