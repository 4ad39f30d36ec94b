import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { codeOf, failureOf } from '../../api/errors.ts'

/** A code or password that is typed and tried; one that was wrong is cleared away, and told at its field (`wrong`). */
export function useCode<R>(tryIt: (typed: string) => Promise<R>, onDone: (result: R) => void) {
  const [code, setCode] = useState('')
  const run = useMutation({ mutationFn: tryIt, onSuccess: onDone, onError: () => setCode('') })
  const failure = failureOf(run.error)
  const isWrong = ['wrong_code', 'wrong_password'].includes(codeOf(run.error))
  return {
    code,
    setCode,
    tryCode: (typed: string) => {
      if (typed.trim() && !run.isPending) run.mutate(typed)
    },
    reset: run.reset,
    busy: run.isPending,
    wrong: isWrong && failure?.title,
    failure: isWrong ? null : failure,
    error: run.error,
  }
}
