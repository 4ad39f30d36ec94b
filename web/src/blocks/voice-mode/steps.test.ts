import { describe, expect, test } from 'vitest'
import { advanceTalk, type TalkEvent, type Effect, canHear, newTalk, phaseOf } from './steps.ts'

const opened: TalkEvent = { type: 'opened', duplex: 'full' }
const speech: TalkEvent = { type: 'speech' }
const turn: TalkEvent = { type: 'turn', isAnything: true }
const heard = (text: string): TalkEvent => ({ type: 'heard', text })
const says = (text: string): TalkEvent => ({ type: 'sentence', text, isSpoken: true })
const over: TalkEvent = { type: 'over' }
const skip: TalkEvent = { type: 'skip' }
const pause: TalkEvent = { type: 'pause' }
const muted = (on: boolean): TalkEvent => ({ type: 'mute', on })
const held = (on: boolean): TalkEvent => ({ type: 'push-to-talk', on })
const speaking = [opened, speech, turn, heard('Hello'), says('Hi.')]

/** The talk after these events, the phases it went through, and what was to be done on the way. */
const walk = (events: readonly TalkEvent[]) => {
  let talk = newTalk
  const phases = [phaseOf(talk)]
  const effects: Effect[] = []
  for (const event of events) {
    const step = advanceTalk(talk, event)
    talk = step.talk
    effects.push(...step.effects)
    if (phases.at(-1) !== phaseOf(talk)) phases.push(phaseOf(talk))
  }
  return { talk, phases, effects }
}

test('a turn goes through all phases, and the next one can follow', () => {
  const { talk, phases, effects } = walk([...speaking, pause, says('How are you?'), over])
  expect(phases).toEqual([
    ...['opening', 'listening', 'transcribing', 'thinking', 'speaking', 'thinking', 'speaking', 'listening'],
  ])
  expect(effects).toEqual(['drop-sound', 'ask'])
  expect(talk.turns).toEqual([
    { who: 'person', text: 'Hello' },
    { who: 'model', text: 'Hi. How are you?' },
  ])
})

describe('speaking over an answer', () => {
  test('holds its sound, and drops it once words were heard', () => {
    const { talk, phases, effects } = walk([...speaking, speech, turn, heard('Wait')])
    expect(phases.slice(-4)).toEqual(['speaking', 'listening', 'transcribing', 'thinking'])
    expect(effects.slice(-3)).toEqual(['hold-sound', 'drop-sound', 'ask'])
    expect(talk.turns.at(-1)).toEqual({ who: 'person', text: 'Wait' })
  })

  test.each([
    ['nothing was said', [speech, turn, heard('')]],
    ['the button was held for nothing', [speech, { type: 'turn', isAnything: false }]],
    ['it could not be turned into text', [speech, turn, { type: 'trouble', of: 'transcribing', words: 'No.' }]],
    ['the microphone was muted meanwhile', [speech, muted(true)]],
  ] as const)('lets it go on where %s', (_, events) => {
    const { effects, phases } = walk([...speaking, ...events])
    expect(effects.at(-1)).toBe('release-sound')
    expect(phases.at(-1)).toBe('speaking')
  })

  test('before it has begun to sound lets nobody be talked over', () => {
    const early = [opened, speech, turn, heard('Hello'), speech, says('Hi.')]
    const { phases, effects, talk } = walk(early)
    expect([phases.at(-1), effects.at(-1), canHear(talk)]).toEqual(['listening', 'hold-sound', true])
    expect(walk([...early, turn, heard('')]).effects.at(-1)).toBe('release-sound')
  })

  test('holds it once, and until all that was said is text', () => {
    const { effects } = walk([...speaking, speech, turn, speech, turn, heard('')])
    expect(effects.filter((effect) => effect !== 'drop-turn').slice(2)).toEqual(['hold-sound'])
  })
})

describe('listening', () => {
  test.each([
    ['while the talk opens', [], false],
    ['once it is open', [opened], true],
    ['while an answer is spoken', speaking, true],
    [
      'while an answer is spoken and could be heard as an echo',
      [...speaking, { type: 'duplex', duplex: 'half' }],
      false,
    ],
    ['in the pauses of such an answer', [...speaking, { type: 'duplex', duplex: 'half' }, pause], true],
    ['muted', [opened, muted(true)], false],
    ['unmuted', [opened, muted(true), muted(false)], true],
    ['with a button that is not held', [opened, held(true)], false],
    ['with a button that is held', [opened, held(true), speech], true],
    [
      'with a held button, over an answer that could be heard',
      [...speaking, { type: 'duplex', duplex: 'half' }, held(true), speech],
      true,
    ],
    ['after it failed', [opened, { type: 'failed', failure: 'noMicrophone' }], false],
  ] as const)('%s', (_, events, expected) => {
    expect(canHear(walk(events).talk)).toBe(expected)
  })
})

test('skipping stops the sound and the answer, and listens', () => {
  const { effects, phases, talk } = walk([...speaking, skip])
  expect(effects.slice(-2)).toEqual(['drop-sound', 'stop-answer'])
  expect(phases.at(-1)).toBe('listening')
  expect(talk.isAnswering).toBe(false)
})

test('an answer that cannot be had or spoken is said, and listening goes on', () => {
  const { talk, phases } = walk([...speaking, { type: 'trouble', of: 'answering', words: 'No answer.' }])
  expect([talk.trouble, phases.at(-1)]).toEqual(['No answer.', 'listening'])
  expect(advanceTalk(talk, speech).talk.trouble).toBeNull()
})

test('what is shown and not spoken is no sound, and the microphone hears meanwhile', () => {
  const { talk, phases } = walk([
    opened,
    speech,
    turn,
    heard('Hello'),
    { type: 'sentence', text: 'Hi.', isSpoken: false },
  ])
  expect([phases.at(-1), talk.turns.at(-1)?.text]).toEqual(['thinking', 'Hi.'])
})

test('a talk that failed can be opened anew', () => {
  const { phases, effects } = walk([opened, { type: 'failed', failure: 'noMicrophone' }, opened])
  expect(phases).toEqual(['opening', 'listening', 'failed', 'listening'])
  expect(effects).toEqual(['drop-sound', 'drop-turn'])
})
