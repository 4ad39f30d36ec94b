/** The way to the player, which is loaded with the first thing that is read. */
import { toast } from '../../ui/toaster.tsx'
import { translate } from 'virtual:words/read-aloud'
import { sentencesIn, sentencesOf } from './sentences.ts'

/** Reads what stands in an element of the page, or a text. */
export function startReading(id: string, title: string, what: Element | string | null): void {
  const words = { code: translate('read-aloud:code'), table: translate('read-aloud:table') }
  const sentences = typeof what === 'string' ? sentencesOf(what) : what ? sentencesIn(what, words) : []
  withPlayer((player) => void player.read(id, title, sentences))
}

/** Reads a text that stands nowhere on the page. */
export const readSample = (title: string, text: string): void =>
  withPlayer((player) => void player.read('sample', title, [{ text, range: null }]))

export const stopReading = (): void => withPlayer((player) => player.stopReading())

export function withPlayer(use: (player: typeof import('./player.ts')) => void): void {
  import('./player.ts').then(use, () => toast(translate('read-aloud:failed'), { tone: 'danger' }))
}
