/** Agents that are installed on the server: which there are, and who may talk to them. */
import type { Feature } from '../../lib/feature.ts'

export const agentCliFeature: Feature = {
  name: 'agent-cli',
  settings: () => import('./settings/sections.ts').then((module) => module.settings),
}
