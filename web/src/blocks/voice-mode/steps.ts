/** How a talk goes on: what each thing that happens makes of it, and what is to be done then. Pure. */

export type Phase = 'opening' | 'failed' | 'listening' | 'transcribing' | 'thinking' | 'speaking'

/** Why a talk cannot go on. */
export type Failure = 'insecure' | 'noMicrophone' | 'notAllowed' | 'noModel' | 'other'

export interface Turn {
  readonly who: 'person' | 'model'
  readonly text: string
}

export interface Talk {
  readonly stage: 'opening' | 'open' | 'failed'
  readonly failure: Failure | null
  readonly isMuted: boolean
  readonly isPushToTalk: boolean
  /** Somebody speaks just now, or holds the button to. */
  readonly isHearing: boolean
  /** How many turns are being turned into text. */
  readonly transcribing: number
  /** An answer was asked for and has not been spoken to its end. */
  readonly isAnswering: boolean
  readonly isSounding: boolean
  /** The sound is held because somebody began to speak; whether they said anything is not known yet. */
  readonly isHeld: boolean
  /** A turn waits for the network. */
  readonly isWaiting: boolean
  /** Whether it listens while it speaks. */
  readonly duplex: 'full' | 'half'
  /** The sentence that is said just now. */
  readonly said: string
  /** What was said in this talk, the last of it still growing. */
  readonly turns: readonly Turn[]
  /** What went wrong with the last turn, in words. */
  readonly trouble: string | null
}

export type TalkEvent =
  | { readonly type: 'opened'; readonly duplex: 'full' | 'half' }
  | { readonly type: 'failed'; readonly failure: Failure; readonly words?: string }
  | { readonly type: 'duplex'; readonly duplex: 'full' | 'half' }
  | { readonly type: 'mute'; readonly on: boolean }
  | { readonly type: 'push-to-talk'; readonly on: boolean }
  /** Somebody began to speak. */
  | { readonly type: 'speech' }
  /** A turn is over and is being turned into text; `false` where nothing was said in it. */
  | { readonly type: 'turn'; readonly isAnything: boolean }
  | { readonly type: 'heard'; readonly text: string }
  | { readonly type: 'sentence'; readonly text: string; readonly isSpoken: boolean }
  /** There is nothing to say just now: the rest is still being written. */
  | { readonly type: 'pause' }
  /** The answer was said to its end. */
  | { readonly type: 'over' }
  | { readonly type: 'skip' }
  | { readonly type: 'waiting'; readonly on: boolean }
  | { readonly type: 'trouble'; readonly of: 'transcribing' | 'answering'; readonly words: string }

/** What is to be done. */
export type Effect = 'ask' | 'stop-answer' | 'hold-sound' | 'release-sound' | 'drop-sound' | 'drop-turn'

export const newTalk: Talk = {
  stage: 'opening',
  failure: null,
  isMuted: false,
  isPushToTalk: false,
  isHearing: false,
  transcribing: 0,
  isAnswering: false,
  isSounding: false,
  isHeld: false,
  isWaiting: false,
  duplex: 'full',
  said: '',
  turns: [],
  trouble: null,
}

export function phaseOf(talk: Talk): Phase {
  if (talk.stage !== 'open') return talk.stage
  if (talk.isHearing) return 'listening'
  if (talk.transcribing > 0) return 'transcribing'
  if (talk.isSounding && !talk.isHeld) return 'speaking'
  return talk.isAnswering ? 'thinking' : 'listening'
}

/** Whether what the microphone hears may be a turn. */
export const canHear = (talk: Talk): boolean =>
  talk.stage === 'open' &&
  !talk.isMuted &&
  (talk.isPushToTalk ? talk.isHearing : talk.duplex === 'full' || !talk.isSounding || talk.isHeld)

export function advanceTalk(talk: Talk, event: TalkEvent): { talk: Talk; effects: readonly Effect[] } {
  switch (event.type) {
    case 'opened':
      return only({ ...talk, stage: 'open', failure: null, duplex: event.duplex })
    case 'failed':
      return {
        talk: { ...talk, ...silent, stage: 'failed', failure: event.failure, trouble: event.words ?? null },
        effects: ['drop-sound', 'drop-turn'],
      }
    case 'duplex':
      return only({ ...talk, duplex: event.duplex })
    case 'mute':
      return goOn({ ...talk, isMuted: event.on, isHearing: false }, ['drop-turn'])
    case 'push-to-talk':
      return goOn({ ...talk, isPushToTalk: event.on, isHearing: false }, ['drop-turn'])
    case 'speech': {
      const isHeld = talk.isHeld || talk.isSounding
      const effects: Effect[] = isHeld && !talk.isHeld ? ['hold-sound'] : []
      return { talk: { ...talk, isHearing: true, isHeld, trouble: null }, effects }
    }
    case 'turn':
      return goOn({ ...talk, isHearing: false, transcribing: talk.transcribing + (event.isAnything ? 1 : 0) })
    case 'heard': {
      const heard = { ...talk, transcribing: talk.transcribing - 1, isWaiting: false }
      if (event.text === '') return goOn(heard)
      const turns = [...talk.turns, { who: 'person', text: event.text } as const]
      return {
        talk: { ...heard, turns, ...quiet, said: '', isAnswering: true, trouble: null },
        effects: ['drop-sound', 'ask'],
      }
    }
    case 'sentence': {
      // Nobody is talked over: it waits until what is being said is known.
      const isHeld = event.isSpoken && (talk.isHeld || talk.isHearing || talk.transcribing > 0)
      const effects: Effect[] = isHeld ? ['hold-sound'] : []
      const turns = withSentence(talk.turns, event.text)
      return { talk: { ...talk, isSounding: event.isSpoken, isHeld, said: event.text, turns }, effects }
    }
    case 'pause':
      return only({ ...talk, isSounding: false })
    case 'over':
      return only({ ...talk, ...quiet, isAnswering: false })
    case 'skip':
      return { talk: { ...talk, ...quiet, isAnswering: false }, effects: ['drop-sound', 'stop-answer'] }
    case 'waiting':
      return only({ ...talk, isWaiting: event.on })
    case 'trouble': {
      const trouble = event.words
      if (event.of === 'transcribing')
        return goOn({ ...talk, transcribing: talk.transcribing - 1, isWaiting: false, trouble })
      return { talk: { ...talk, ...quiet, isAnswering: false, isWaiting: false, trouble }, effects: ['drop-sound'] }
    }
  }
}

const quiet = { isSounding: false, isHeld: false }
const silent = { ...quiet, isHearing: false, isAnswering: false, isWaiting: false }

const only = (talk: Talk) => ({ talk, effects: [] })

/** Sound that was held for somebody who said nothing goes on. */
function goOn(talk: Talk, effects: readonly Effect[] = []) {
  if (!talk.isHeld || talk.isHearing || talk.transcribing > 0) return { talk, effects }
  return { talk: { ...talk, isHeld: false }, effects: [...effects, 'release-sound' as const] }
}

/** A sentence more of the answer that is being said. */
function withSentence(turns: readonly Turn[], text: string): readonly Turn[] {
  const last = turns.at(-1)
  if (last?.who !== 'model') return [...turns, { who: 'model', text }]
  return [...turns.slice(0, -1), { who: 'model', text: `${last.text} ${text}` }]
}
