/** Accounts elsewhere with which people sign in here: OpenID, GitHub, Hugging Face, and LDAP directories. */
import type { Feature } from '../../lib/feature.ts'

export const signInProvidersFeature: Feature = {
  name: 'sign-in-providers',
  settings: () => import('./settings/sections.ts').then((module) => module.settings),
}
