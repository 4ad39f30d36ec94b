import type { SessionState } from './session.ts'
import { useText } from 'virtual:words/voice-mode'

/** What was heard and what is being said; or all that was said in this talk. */
export function Captions({ state: { talk, isSilent }, isTranscript }: { state: SessionState; isTranscript: boolean }) {
  const t = useText('voice-mode')
  const { turns, said } = talk
  const heard = turns.findLast(({ who }) => who === 'person')
  const last = turns.at(-1)
  // What nobody says aloud has to be read in full.
  const shown = isSilent && last?.who === 'model' ? last.text : said
  const lines = isTranscript
    ? turns
    : [...(heard ? [heard] : []), ...(shown ? [{ who: 'model', text: shown } as const] : [])]
  return (
    <section
      aria-label={t(isTranscript ? 'transcript' : 'captions')}
      // It scrolls, and so must be reached by keys.
      tabIndex={0}
      className="min-h-24 w-full flex-1 overflow-y-auto rounded-lg px-1"
    >
      <ul className="flex flex-col gap-3">
        {lines.map(({ who, text }, at) => (
          <li key={at} className={who === 'person' ? 'text-base text-muted' : 'text-lg'}>
            <span className="sr-only">{t(`who.${who}`)}</span>
            <p dir="auto" className="text-pretty wrap-anywhere">
              {text}
            </p>
          </li>
        ))}
      </ul>
    </section>
  )
}
