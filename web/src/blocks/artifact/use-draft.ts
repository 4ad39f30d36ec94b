import type { OpenArtifact } from '@atrium/contract/artifacts'
import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { codeOf, wordsOf } from '../../api/errors.ts'
import { toast } from '../../ui/toaster.tsx'
import { saveContent, type Save } from './changes.ts'

export type Draft = ReturnType<typeof useDraft>

/** So long nobody types before what stands is saved by itself, in ms. */
const pause = 2_000

/** What a person types into an artifact. It is saved by itself after a pause and when they leave, and as a version by hand. */
export function useDraft(artifact: OpenArtifact) {
  const { id, content, version, right } = artifact
  const mayChange = right !== 'read'
  const [typed, setTyped] = useState<{ text: string; version: number } | null>(null)
  /** Something was typed since the last version that was saved by hand. */
  const [isTouched, setTouched] = useState(false)
  /** A version is wanted once the save that is under way has ended. */
  const [isWanted, setWanted] = useState(false)
  const { mutate, reset, error, isPending } = useMutation({
    mutationFn: (save: Save) => saveContent(id, save),
    onSuccess(saved, { content: text, autosave }) {
      // What was typed meanwhile is not saved yet.
      setTyped((now) => (now === null || now.text === text ? null : { text: now.text, version: saved.version }))
      if (!autosave && (typed === null || typed.text === text)) setTouched(false)
    },
  })
  const isDirty = typed !== null && typed.text !== content
  const isConflict = codeOf(error) === 'conflict'
  const saveVersion = () =>
    mutate({ content: typed?.text ?? content, version: isConflict ? undefined : (typed?.version ?? version) })
  useEffect(() => {
    if (isPending) return
    if (isWanted) {
      setWanted(false)
      if (!error) saveVersion()
      return
    }
    if (!isDirty || error) return
    const save = { content: typed.text, version: typed.version, autosave: true }
    const timer = setTimeout(() => mutate(save), pause)
    return () => clearTimeout(timer)
    // `saveVersion` is of this drawing.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [isDirty, isPending, isWanted, error, typed, mutate])
  const left = useRef<() => void>(null)
  useEffect(() => {
    left.current = isDirty ? () => void saveLeft(id, typed).catch(tell) : null
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
    isTouched,
    isConflict,
    text: typed?.text ?? content,
    error,
    isSaving: isPending,
    type(text: string) {
      setTouched(true)
      // Typed and taken back: what others write from now on is shown.
      setTyped(text === content && !isPending ? null : { text, version: typed?.version ?? version })
      // Whatever was in the way may be gone; somebody else’s version is not.
      if (error && !isConflict) reset()
    },
    /** As a version of its own; after a conflict also where somebody else was quicker. */
    save() {
      if (!isTouched) return
      if (isPending) setWanted(true)
      else saveVersion()
    },
    discard() {
      setTyped(null)
      setTouched(false)
      reset()
    },
  }
}

/** Where somebody else was quicker, theirs stays among the versions, and this one becomes the newest. */
async function saveLeft(id: string, { text: content, version }: { text: string; version: number }): Promise<void> {
  try {
    await saveContent(id, { content, version, autosave: true })
  } catch (error) {
    if (codeOf(error) !== 'conflict') throw error
    await saveContent(id, { content })
  }
}

const tell = (error: unknown) => toast(wordsOf(error), { tone: 'danger' })
