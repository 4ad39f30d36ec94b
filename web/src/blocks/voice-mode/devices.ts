/** The microphones and loudspeakers of this device, as far as the browser names them. */

export interface Devices {
  readonly microphones: readonly MediaDeviceInfo[]
  /** Empty where the browser lets nobody choose. */
  readonly loudspeakers: readonly MediaDeviceInfo[]
}

export const noDevices: Devices = { microphones: [], loudspeakers: [] }

/** Not in every browser. */
type ChoosingContext = AudioContext & { setSinkId?: (id: string) => Promise<void> }

export async function listDevices(context: AudioContext): Promise<Devices> {
  const found = await navigator.mediaDevices.enumerateDevices()
  const named = (kind: MediaDeviceKind) =>
    found.filter((device) => device.kind === kind && device.deviceId !== '' && device.label !== '')
  return {
    microphones: named('audioinput'),
    loudspeakers: 'setSinkId' in context ? named('audiooutput') : [],
  }
}

/** Plays the sound of a talk elsewhere; an empty id is the usual device. */
export const playOn = async (context: ChoosingContext, id: string): Promise<void> => context.setSinkId?.(id)

/**
 * Whether another microphone has to be opened, after devices came or went: the chosen one is gone, or the usual one is
 * another now.
 */
export function isOtherMicrophone(
  chosen: string | null,
  open: MediaTrackSettings,
  microphones: readonly Pick<MediaDeviceInfo, 'deviceId' | 'groupId'>[],
): boolean {
  if (chosen !== null) return !microphones.some(({ deviceId }) => deviceId === chosen)
  const usual = microphones.find(({ deviceId }) => deviceId === 'default')
  return usual !== undefined && open.groupId !== undefined && usual.groupId !== open.groupId
}

/** Whether the browser says that it takes our own sound out of what a microphone hears. */
export const cancelsEcho = (settings: { readonly echoCancellation?: unknown }): boolean =>
  // Newer browsers name what they take out; `remote-only` is the sound of video calls alone.
  settings.echoCancellation === true || settings.echoCancellation === 'all'
