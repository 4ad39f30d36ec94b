import { RotateCcw } from 'lucide-react'
import type { TriggerEntry } from '../../../../blocks/composer/triggers/types.ts'
import type { Translate } from '../../../../lib/texts.ts'

/** Stands for a server that did not answer: choosing it asks again. */
export const retryEntry = (
  server: { readonly id: string; readonly name: string },
  section: string,
  askAgain: () => unknown,
  t: Translate,
): TriggerEntry => ({
  id: `away ${server.id}`,
  name: t('away', { server: server.name }),
  icon: RotateCcw,
  hint: t('askAgain'),
  section,
  choose: () => void askAgain(),
})
