import { speechRoutes as routes } from '@atrium/contract/speech'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Volume2 } from 'lucide-react'
import { useEffect, useState } from 'react'
import { send } from '../../../api/client.ts'
import { wordsOf } from '../../../api/errors.ts'
import { queryOf, refresh } from '../../../api/query.ts'
import { BuiltInState } from '../../../blocks/built-in-state/built-in-state.tsx'
import { Button } from '../../../ui/button.tsx'
import { Field } from '../../../ui/field.tsx'
import { Input } from '../../../ui/input.tsx'
import { useText } from 'virtual:words/speech-settings'

/** Administrators hear the voice say a sentence of their own; nothing of it is kept. */
export function BuiltInVoice() {
  const t = useText('speech-settings')
  const { data: state } = useQuery({ ...queryOf(routes.voiceState), refetchInterval: 5000 })
  // The voice speaks English alone.
  const [sentence, setSentence] = useState('This is how the built-in voice sounds.')
  const speaking = useMutation({
    mutationFn: async (input: string) => {
      const response = await send(routes.generate, { body: { pluginId: 'builtin', model: 'voice', input } })
      return await response.blob()
    },
    onSettled: () => refresh(routes.voiceState),
  })
  const address = useAddressOf(speaking.data)
  return (
    <form
      id="builtInVoice"
      className="-mx-3 flex flex-col gap-3 rounded-lg px-3 py-3"
      onSubmit={(event) => {
        event.preventDefault()
        if (sentence.trim() && !speaking.isPending) speaking.mutate(sentence.trim())
      }}
    >
      <BuiltInState of={state} />
      <Field label={t('builtIn.sentence')}>
        <Input
          dir="auto"
          lang="en"
          value={sentence}
          maxLength={500}
          onChange={(event) => setSentence(event.target.value)}
        />
      </Field>
      <Button
        type="submit"
        className="self-start"
        icon={<Volume2 aria-hidden className="size-4" />}
        busy={speaking.isPending}
        disabled={!sentence.trim()}
      >
        {t('listen')}
      </Button>
      <div role="status" className="text-sm">
        {speaking.isError && <p className="text-danger-ink">{wordsOf(speaking.error)}</p>}
        {address && (
          // The sentence stands above it.
          // oxlint-disable-next-line jsx-a11y/media-has-caption
          <audio controls autoPlay src={address} className="w-full max-w-md" aria-label={t('builtIn.title')} />
        )}
      </div>
    </form>
  )
}

/** An address under which the page plays it, while it is shown; null where there is nothing. */
function useAddressOf(sound: Blob | undefined): string | null {
  const [address, setAddress] = useState<string | null>(null)
  useEffect(() => {
    if (!sound) return
    const made = URL.createObjectURL(sound)
    setAddress(made)
    return () => {
      URL.revokeObjectURL(made)
      setAddress(null)
    }
  }, [sound])
  return address
}
