/** One talk: what is heard becomes questions of its chat, and what is answered is said. */
import { createStore, type StoreApi } from 'zustand/vanilla'
import { preferencesQuery } from '../../api/account.ts'
import { wordsOf } from '../../api/errors.ts'
import { queryClient } from '../../api/query.ts'
import { holdAwake } from '../../lib/wake-lock.ts'
import type { SpeechModel } from '@atrium/contract/speech'
import { chooseModel, transcribe } from '../dictation/transcribe.ts'
import { microphoneFault } from '../microphone/open.ts'
import { type Choice, chooseVoice, deviceVoices, speechModelsQuery } from '../read-aloud/voices.ts'
import { cancelsEcho, type Devices, isOtherMicrophone, listDevices, noDevices, playOn } from './devices.ts'
import { createHearing } from './hearing.ts'
import { retryOffline } from '../../api/retry-offline.ts'
import { createReplies } from './replies.ts'
import { createSpeaker, type Speaker } from './speaker.ts'
import type { StartedTalk } from './state.ts'
import { advanceTalk, type Talk, type TalkEvent, type Effect, type Failure, canHear, newTalk } from './steps.ts'

export interface SessionState {
  readonly talk: Talk
  readonly devices: Devices
  /** The ids of the chosen ones; null: the usual one. */
  readonly microphone: string | null
  readonly loudspeaker: string | null
  /** Nothing can speak: answers are shown. */
  readonly isSilent: boolean
  /** The answer waits until something is allowed in the chat. */
  readonly isAsking: boolean
}

export interface Session {
  readonly store: StoreApi<SessionState>
  /** Opens it, or tries once more after it failed. */
  open(): void
  mute(on: boolean): void
  setPushToTalk(on: boolean): void
  /** For whoever holds the button. */
  hold(on: boolean): void
  /** Ends the turn at once, without waiting for quiet. */
  finishTurn(): void
  skip(): void
  chooseMicrophone(id: string | null): void
  chooseLoudspeaker(id: string | null): void
  close(): void
}

export interface SessionOptions extends StartedTalk {
  readonly skipWords: { readonly code: string; readonly table: string }
  /** How loud it is in the microphone, from 0 to 1, twenty times a second. */
  onLevel(level: number): void
}

export function createSession({ chat, context, skipWords, onLevel }: SessionOptions): Session {
  const closing = new AbortController()
  const { signal } = closing
  const store = createStore<SessionState>(() => ({
    talk: newTalk,
    devices: noDevices,
    microphone: null,
    loudspeaker: null,
    isSilent: false,
    isAsking: false,
  }))
  const now = () => store.getState().talk
  let model: SpeechModel | null = null
  /** That is spoken; null where the model finds out. */
  let language: string | null = null
  let choice: Choice | null = null
  let speaker: Speaker | null = null
  /** Turns become text one after the other, so that what was said first is asked first. */
  let texts: Promise<unknown> = Promise.resolve()

  const dispatch = (event: TalkEvent): void => {
    if (signal.aborted) return
    const { talk, effects } = advanceTalk(now(), event)
    store.setState({ talk })
    for (const effect of effects) actions[effect]()
  }
  const onWaiting = (on: boolean) => dispatch({ type: 'waiting', on })
  const replies = createReplies({
    chat,
    signal,
    skipWords,
    onSentences: (sentences, isWhole) => speaker?.say(sentences, isWhole),
    onAsking: (isAsking) => store.setState({ isAsking }),
    onTrouble: (words) => dispatch({ type: 'trouble', of: 'answering', words }),
    onWaiting,
  })
  const actions: Readonly<Record<Effect, () => void>> = {
    ask: () => replies.ask(now().turns.at(-1)?.text ?? ''),
    'stop-answer': () => replies.stop(),
    'hold-sound': () => speaker?.hold(),
    'release-sound': () => speaker?.release(),
    'drop-sound': () => speaker?.drop(),
    'drop-turn': () => hearing.drop(),
  }

  const hearing = createHearing({
    context,
    canHear: () => canHear(now()),
    isSounding: () => now().isSounding && !now().isHeld,
    onLevel,
    onSpeech: () => dispatch({ type: 'speech' }),
    onTurn(turn) {
      performance.mark('voice:turn-ended')
      dispatch({ type: 'turn', isAnything: turn !== null })
      const hearer = model
      if (turn && hearer) texts = texts.then(() => hear(turn, hearer))
    },
    onLost: () => void openMicrophone(),
  })
  const hear = async (turn: Blob, hearer: SpeechModel): Promise<void> => {
    try {
      const text = await retryOffline(() => transcribe(hearer, turn, signal, language), signal, onWaiting)
      dispatch({ type: 'heard', text })
    } catch (error) {
      dispatch({ type: 'trouble', of: 'transcribing', words: wordsOf(error) })
    }
  }

  const fail = (failure: Failure, words?: string) => {
    hearing.close()
    dispatch({ type: 'failed', failure, ...(words === undefined ? {} : { words }) })
  }
  const openMicrophone = async (): Promise<void> => {
    const { microphone, talk } = store.getState()
    if (talk.isMuted || signal.aborted) return
    try {
      const settings = await hearing.open(microphone)
      if (signal.aborted || now().isMuted) return hearing.close()
      // A voice of the device is heard by nothing that could take it out again.
      const duplex = cancelsEcho(settings) && choice?.kind !== 'device' ? 'full' : 'half'
      dispatch({ type: now().stage === 'open' ? 'duplex' : 'opened', duplex })
      store.setState({ devices: await listDevices(context) })
    } catch (error) {
      if (microphone === null) return fail(microphoneFault(error) ?? 'other', wordsOf(error))
      // The chosen one is gone: the usual one takes its place.
      store.setState({ microphone: null })
      return openMicrophone()
    }
  }
  const onDevices = async () => {
    const devices = await listDevices(context)
    store.setState({ devices })
    const { microphone, loudspeaker } = store.getState()
    if (loudspeaker !== null && !devices.loudspeakers.some(({ deviceId }) => deviceId === loudspeaker))
      session.chooseLoudspeaker(null)
    const open = hearing.settings()
    if (now().failure === 'noMicrophone') session.open()
    else if (open && isOtherMicrophone(microphone, open, devices.microphones)) await openMicrophone()
  }
  const open = async (): Promise<void> => {
    if (!('mediaDevices' in navigator)) return fail('insecure')
    try {
      const [hearer, { readAloud, dictation }, models, device] = await Promise.all([
        chooseModel(),
        queryClient.ensureQueryData(preferencesQuery),
        queryClient.fetchQuery(speechModelsQuery),
        deviceVoices(),
      ])
      if (signal.aborted) return
      if (!hearer) return fail('noModel')
      model = hearer
      language = dictation.language
      choice = chooseVoice(readAloud, models, device.length > 0)
      speaker ??= createSpeaker({
        context,
        choice,
        signal,
        speed: readAloud.speed,
        onWaiting,
        onSentence(text, isSpoken) {
          if (isSpoken && performance.getEntriesByName('voice:turn-ended').length > 0) {
            performance.measure('voice:first-sound', 'voice:turn-ended')
            performance.clearMarks('voice:turn-ended')
          }
          dispatch({ type: 'sentence', text, isSpoken })
        },
        onDeviceVoice: () => dispatch({ type: 'duplex', duplex: 'half' }),
        onPause: () => dispatch({ type: 'pause' }),
        onOver: () => dispatch({ type: 'over' }),
        onTrouble(error) {
          replies.leave()
          dispatch({ type: 'trouble', of: 'answering', words: wordsOf(error) })
        },
      })
      store.setState({ isSilent: choice === null })
    } catch (error) {
      return fail('other', wordsOf(error))
    }
    await openMicrophone()
  }

  const session: Session = {
    store,
    open: () => void open(),
    mute(on) {
      dispatch({ type: 'mute', on })
      if (on) hearing.close()
      else void openMicrophone()
    },
    setPushToTalk: (on) => dispatch({ type: 'push-to-talk', on }),
    hold(on) {
      if (!now().isPushToTalk || now().isMuted || on === now().isHearing) return
      if (!on) return hearing.finish()
      hearing.begin()
      dispatch({ type: 'speech' })
    },
    finishTurn: () => hearing.finish(),
    skip: () => dispatch({ type: 'skip' }),
    chooseMicrophone(id) {
      store.setState({ microphone: id })
      void openMicrophone()
    },
    chooseLoudspeaker(id) {
      store.setState({ loudspeaker: id })
      playOn(context, id ?? '').catch(() => store.setState({ loudspeaker: null }))
    },
    close() {
      closing.abort()
      hearing.close()
      speaker?.drop()
    },
  }
  const resumeSound = () => {
    if (document.visibilityState === 'visible' && context.state === 'suspended') void context.resume()
  }
  context.addEventListener('statechange', resumeSound, { signal })
  const onLook = () => {
    if (document.visibilityState !== 'visible') return
    // Phones call it interrupted, which the types do not know.
    if (context.state !== 'running') void context.resume()
    if (now().stage === 'open' && !now().isMuted && !hearing.isOn()) void openMicrophone()
  }
  document.addEventListener('visibilitychange', onLook, { signal })
  signal.addEventListener('abort', holdAwake(navigator, document))
  if ('mediaDevices' in navigator)
    navigator.mediaDevices.addEventListener('devicechange', () => void onDevices(), { signal })
  return session
}
