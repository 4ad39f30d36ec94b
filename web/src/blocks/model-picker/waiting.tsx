import type { ModelList } from '@atrium/contract/model-management'
import type { UseQueryResult } from '@tanstack/react-query'
import { useState } from 'react'
import { detailsOf, wordsOf } from '../../api/errors.ts'
import { ErrorCard } from '../../ui/error-card.tsx'
import { Skeleton, useAfter } from '../../ui/skeleton.tsx'
import { useText } from '../texts.ts'

/** In place of the rows while there are none: grey lines, and after ten seconds or a failure the reason. */
export function NotYet({ query }: { query: UseQueryResult<ModelList, Error> }) {
  const [tries, setTries] = useState(0)
  return (
    <Waiting
      key={tries}
      query={query}
      onRetry={() => {
        setTries(tries + 1)
        void query.refetch({ cancelRefetch: true })
      }}
    />
  )
}

function Waiting({ query, onRetry }: { query: UseQueryResult<ModelList, Error>; onRetry: () => void }) {
  const t = useText('blocks')
  const late = useAfter(10_000)
  if (!query.isError && !late) return <Skeleton lines={6} className="p-5" />
  return (
    <ErrorCard
      title={t('models.notLoaded')}
      details={query.error ? detailsOf(query.error) : undefined}
      onRetry={onRetry}
      className="m-3"
    >
      {query.error ? wordsOf(query.error) : t('models.slow')}
    </ErrorCard>
  )
}
