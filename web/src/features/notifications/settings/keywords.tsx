import { mostKeywordLetters, mostKeywords } from '@atrium/contract/notifications'
import { X } from 'lucide-react'
import { useState } from 'react'
import { Row, useSave } from '../../../blocks/setting-row/row.tsx'
import { Button } from '../../../ui/button.tsx'
import { IconButton } from '../../../ui/icon-button.tsx'
import { Input } from '../../../ui/input.tsx'
import { useText } from 'virtual:words/notifications-settings'
import { type GivenPreferences, savePreferences } from './store.ts'

/** Words of which one is told wherever they stand in one’s channels. */
export function Keywords({ preferences: { keywords } }: { preferences: GivenPreferences }) {
  const t = useText('notifications-settings')
  const { saving, save } = useSave()
  const [typed, setTyped] = useState('')
  const word = typed.trim()
  const isKnown = keywords.some((one) => one.toLowerCase() === word.toLowerCase())
  const add = async () => {
    if (await save(() => savePreferences({ keywords: [...keywords, word] }))) setTyped('')
  }
  const drop = (dropped: string) =>
    void save(() => savePreferences({ keywords: keywords.filter((one) => one !== dropped) }))
  return (
    <Row id="keywords" label={t('entry.keywords')} help={t('keywordsText')} saving={saving} stacked>
      {(names) => (
        <div className="flex w-full flex-col gap-2.5">
          {keywords.length > 0 && (
            <ul aria-label={t('entry.keywords')} className="flex flex-wrap gap-2">
              {keywords.map((one) => (
                <li
                  key={one}
                  className="flex max-w-full items-center gap-1 rounded-lg border border-line bg-sunken py-0.5 ps-2 pe-0.5 text-sm"
                >
                  <bdi className="truncate">{one}</bdi>
                  <IconButton
                    label={t('removeKeyword', { word: one })}
                    icon={<X />}
                    size="small"
                    tooltipSide="top"
                    onClick={() => drop(one)}
                  />
                </li>
              ))}
            </ul>
          )}
          <form
            className="flex max-w-md gap-2"
            onSubmit={(event) => {
              event.preventDefault()
              if (word && !isKnown) void add()
            }}
          >
            <Input
              {...names}
              dir="auto"
              value={typed}
              maxLength={mostKeywordLetters}
              disabled={keywords.length >= mostKeywords}
              onChange={(event) => setTyped(event.target.value)}
            />
            <Button type="submit" disabled={!word || isKnown}>
              {t('addKeyword')}
            </Button>
          </form>
        </div>
      )}
    </Row>
  )
}
