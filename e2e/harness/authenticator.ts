/** A device with passkeys, made by the browser itself (Chrome DevTools Protocol, domain WebAuthn). */
import type { CDPSession, Page } from '@playwright/test'

export interface Device {
  /** Whether the person answers what the device asks from now on; what was asked while not, waits for ever. */
  answers(is: boolean): Promise<void>
  credentials(): Promise<{ credentialId: string; signCount: number }[]>
  /** Sets the counter of a credential back, as on a copy that was made earlier. */
  rewind(credentialId: string, signCount: number): Promise<void>
  clear(): Promise<void>
}

/** Passkeys are made and shown without a window, by a person who is verified. */
export async function addDevice(page: Page): Promise<Device> {
  const session: CDPSession = await page.context().newCDPSession(page)
  await session.send('WebAuthn.enable', { enableUI: false })
  const { authenticatorId } = await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  const all = async () => (await session.send('WebAuthn.getCredentials', { authenticatorId })).credentials
  return {
    answers: async (enabled) =>
      void (await session.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled })),
    credentials: all,
    async rewind(credentialId, signCount) {
      const credential = (await all()).find((each) => each.credentialId === credentialId)
      if (!credential) throw new Error('there is no such credential')
      await session.send('WebAuthn.removeCredential', { authenticatorId, credentialId })
      await session.send('WebAuthn.addCredential', { authenticatorId, credential: { ...credential, signCount } })
    },
    clear: async () => void (await session.send('WebAuthn.clearCredentials', { authenticatorId })),
  }
}
