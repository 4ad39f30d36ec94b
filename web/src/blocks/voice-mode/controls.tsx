import { Captions as CaptionsIcon, Check, Hand, Mic, MicOff, SkipForward } from 'lucide-react'
import type { ReactNode } from 'react'
import { classNames } from '../../lib/class-names.ts'
import { Button } from '../../ui/button.tsx'
import { Select } from '../../ui/select.tsx'
import type { Session, SessionState } from './session.ts'
import { phaseOf } from './steps.ts'
import { useText } from 'virtual:words/voice-mode'

/** The ways to hold a talk, and the devices that it uses. */
export function Controls({
  state: { talk, devices, microphone, loudspeaker },
  session,
  isTranscript,
  onTranscript,
}: {
  state: SessionState
  session: Session
  isTranscript: boolean
  onTranscript: () => void
}) {
  const t = useText('voice-mode')
  const phase = phaseOf(talk)
  return (
    <div className="flex w-full flex-col items-center gap-4">
      {talk.isPushToTalk && <HoldButton session={session} isHeld={talk.isHearing} isMuted={talk.isMuted} />}
      <div className="flex flex-wrap justify-center gap-2">
        <Toggle
          on={talk.isMuted}
          icon={talk.isMuted ? <MicOff /> : <Mic />}
          onClick={() => session.mute(!talk.isMuted)}
        >
          {t('mute')}
        </Toggle>
        <Toggle on={talk.isPushToTalk} icon={<Hand />} onClick={() => session.setPushToTalk(!talk.isPushToTalk)}>
          {t('pushToTalk')}
        </Toggle>
        <Toggle on={isTranscript} icon={<CaptionsIcon />} onClick={onTranscript}>
          {t('showTranscript')}
        </Toggle>
        <Button
          size="large"
          icon={<Check aria-hidden className="size-4" />}
          disabled={!talk.isHearing || talk.isPushToTalk}
          onClick={session.finishTurn}
        >
          {t('done')}
        </Button>
        <Button
          size="large"
          icon={<SkipForward aria-hidden className="size-4" />}
          disabled={phase !== 'thinking' && phase !== 'speaking'}
          onClick={session.skip}
        >
          {t('skip')}
        </Button>
      </div>
      <div className="flex w-full flex-wrap justify-center gap-2">
        <DeviceSelect
          label={t('microphone')}
          devices={devices.microphones}
          value={microphone}
          onChange={session.chooseMicrophone}
        />
        <DeviceSelect
          label={t('loudspeaker')}
          devices={devices.loudspeakers}
          value={loudspeaker}
          onChange={session.chooseLoudspeaker}
        />
      </div>
    </div>
  )
}

function Toggle({
  on,
  icon,
  onClick,
  children,
}: {
  on: boolean
  icon: ReactNode
  onClick: () => void
  children: ReactNode
}) {
  return (
    <Button
      size="large"
      icon={icon}
      aria-pressed={on}
      className={classNames('[&_svg]:size-4', on && 'border-accent-line! bg-accent-soft! text-accent-ink!')}
      onClick={onClick}
    >
      {children}
    </Button>
  )
}

function HoldButton({ session, isHeld, isMuted }: { session: Session; isHeld: boolean; isMuted: boolean }) {
  const t = useText('voice-mode')
  const isKey = (key: string) => key === ' ' || key === 'Enter'
  return (
    <Button
      tone="primary"
      size="large"
      disabled={isMuted}
      className={classNames('min-h-14 touch-none px-8', isHeld && 'ring-4 ring-ring')}
      onPointerDown={() => session.hold(true)}
      onPointerUp={() => session.hold(false)}
      onPointerCancel={() => session.hold(false)}
      onPointerLeave={() => session.hold(false)}
      onBlur={() => session.hold(false)}
      onContextMenu={(event) => event.preventDefault()}
      onKeyDown={({ key, repeat }) => isKey(key) && !repeat && session.hold(true)}
      onKeyUp={({ key }) => isKey(key) && session.hold(false)}
    >
      {t('hold')}
    </Button>
  )
}

/** Nothing where there is nothing to choose. */
function DeviceSelect({
  label,
  devices,
  value,
  onChange,
}: {
  label: string
  devices: readonly MediaDeviceInfo[]
  value: string | null
  onChange: (id: string | null) => void
}) {
  const t = useText('voice-mode')
  // The browser's own “default” is what no choice means.
  const real = devices.filter(({ deviceId }) => deviceId !== 'default')
  if (real.length === 0) return null
  return (
    <Select
      aria-label={label}
      className="w-64 max-w-full"
      value={value ?? ''}
      options={[
        { value: '', label: t('usualDevice', { label }) },
        ...real.map(({ deviceId, label: name }) => ({ value: deviceId, label: name })),
      ]}
      onChange={(id) => onChange(id || null)}
    />
  )
}
