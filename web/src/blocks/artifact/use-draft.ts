import type { OpenArtifact } from '@atrium/contract/artifacts'
import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { saveContent } from './changes.ts'

export type Draft = ReturnType<typeof useDraft>

/** What a person types into an artifact, until it is saved as a version. Leaving saves it. */
export function useDraft(artifact: OpenArtifact) {
  const { id, content, version, right } = artifact
  const mayChange = right !== 'read'
  const [typed, setTyped] = useState<{ text: string; version: number } | null>(null)
  const save = useMutation({
    mutationFn: (over: boolean) => saveContent(id, typed?.text ?? content, over ? undefined : typed?.version),
    onSuccess: () => setTyped(null),
  })
  const isDirty = typed !== null && typed.text !== content
  const left = useRef<() => void>(null)
  useEffect(() => {
    // Whatever stands by then stays among the versions.
    left.current = isDirty ? () => void saveContent(id, typed.text, undefined).catch(() => undefined) : null
  }, [id, isDirty, typed])
  useEffect(() => () => left.current?.(), [])
  useEffect(() => {
    if (!isDirty) return
    const warn = (event: BeforeUnloadEvent) => event.preventDefault()
    addEventListener('beforeunload', warn)
    return () => removeEventListener('beforeunload', warn)
  }, [isDirty])
  return {
    mayChange,
    isDirty,
    text: typed?.text ?? content,
    error: save.error,
    isSaving: save.isPending,
    type: (text: string) => setTyped({ text, version: typed?.version ?? version }),
    /** `over`: also where somebody else was quicker. */
    save: (over = false) => isDirty && save.mutate(over),
    discard() {
      setTyped(null)
      save.reset()
    },
  }
}
