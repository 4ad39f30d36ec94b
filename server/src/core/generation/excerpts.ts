/** The answerer that needs no model: it quotes from files. */
import type { Selection } from '@atrium/contract/common'
import { runInWorker } from '../../platform/work/work.ts'
import { type ExcerptsAnswer, type ExcerptsQuestion, builtinProvider } from '../../providers/builtin/excerpts.ts'
import type { PreparedAnswer, UsableModel } from './types.ts'

export const isExcerpts = (selection: Selection): boolean =>
  selection.providerType === 'builtin' &&
  selection.providerId === builtinProvider.id &&
  selection.model === builtinProvider.model

/** An agent holds a conversation, and is asked nothing besides: no title, no summary, no words to search by. */
export const isAgent = ({ providerType }: Pick<Selection, 'providerType'>): boolean => providerType === 'agent'

/** Excerpts as a model among models. Its window has no limit that a chat could reach, because it reads no history. */
export const excerptsModel = (): UsableModel => ({
  selection: { providerType: 'builtin', providerId: builtinProvider.id, model: builtinProvider.model },
  name: builtinProvider.model,
  contextWindow: 1_000_000_000,
  vision: null,
  prefills: false,
  sizesWindow: false,
  ask: () => {
    throw new Error('the excerpts provider answers from files only')
  },
})

/** Finds the passages, away from the main thread, and gives an answer that tells them. */
export const prepareExcerpts = async (request: ExcerptsQuestion): Promise<PreparedAnswer> => {
  const answer = await runInWorker<ExcerptsQuestion, ExcerptsAnswer>(excerpts, 'answerFromExcerpts', request)
  return { plan: null, sources: answer.sources, open: () => inTurn(answer.parts) }
}

const excerpts = new URL('../../providers/builtin/excerpts.ts', import.meta.url)

async function* inTurn<T>(items: readonly T[]): AsyncGenerator<T> {
  yield* items
}
