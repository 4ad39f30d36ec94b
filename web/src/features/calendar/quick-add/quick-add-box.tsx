import { mostQuickAddLetters } from '@atrium/contract/calendar'
import { Sparkles } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { Input } from '../../../ui/input.tsx'
import { useText } from 'virtual:words/calendar'

/** A line for an event in words; Enter has it proposed. */
export function QuickAddBox({ onText }: { onText: (text: string) => void }) {
  const t = useText('calendar')
  const [words, setWords] = useState('')
  function submit(event: FormEvent) {
    event.preventDefault()
    if (words.trim() === '') return
    onText(words)
    setWords('')
  }
  return (
    <form onSubmit={submit}>
      <Input
        aria-label={t('quickAdd.title')}
        icon={<Sparkles />}
        dir="auto"
        maxLength={mostQuickAddLetters}
        placeholder={t('quickAdd.title')}
        value={words}
        onChange={({ target }) => setWords(target.value)}
      />
    </form>
  )
}
