/** What was changed since main, or on main since the last commit, and which journeys walk it. */
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './runtime.mjs'

const git = (...args) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim()

/** The commit to compare with, and the files that differ from it, with those that git does not know yet. */
export function changedSince() {
  const since = base()
  const files = [git('diff', '--name-only', since), git('ls-files', '--others', '--exclude-standard')]
  return { since, files: [...new Set(files.join('\n').split('\n').filter(Boolean))] }
}

/** Where this branch left main; on main itself, what the remote has, or else the commit before. */
function base() {
  const head = git('rev-parse', 'HEAD')
  for (const main of ['origin/main', 'main']) {
    try {
      const common = git('merge-base', 'HEAD', main)
      if (common !== head || git('status', '--porcelain') !== '') return common
    } catch {
      // There is no such branch here.
    }
  }
  return git('rev-parse', 'HEAD~1')
}

/** Shared by all pages: whoever changes it walks every journey. */
const everywhere =
  /^(e2e\/(harness|provider|[^/]+$)|web\/src\/(app|api|blocks|lib|styles|ui)\/|web\/[^/]+$|server\/src\/app\/)/

/** The files of journeys for changed files: those that walk the same feature; null for all, an empty list for none. */
export function journeysOf(files) {
  if (files.some((file) => everywhere.test(file))) return null
  const words = files.flatMap((file) => {
    const journey = /^e2e\/journeys\/(.*)\.spec\.ts$/.exec(file)?.[1]
    const feature = /^(?:web\/src\/features|server\/src\/(?:features|core)|contract\/src)\/([^/.]+)/.exec(file)?.[1]
    return journey ? [journey] : (walkedBy[feature ?? ''] ?? [feature ?? ''])
  })
  const paths = [...new Set(words)].map((word) => `e2e/journeys/${word}.spec.ts`)
  return paths.filter((path) => existsSync(join(root, path)))
}

/**
 * The journeys that walk a feature of the web app or an area of the server, by its folder. One that does not stand here is
 * walked by the journey of its own name, once there is one.
 */
export const walkedBy = {
  access: ['sharing', 'documents', 'support-access', 'people'],
  'account-data': ['people', 'storage'],
  accounts: ['sign-in', 'first-run', 'people', 'passkeys', 'second-factor', 'sessions', 'links'],
  'agent-cli': ['agents'],
  'api-tokens': ['tokens'],
  artifacts: ['artifacts', 'previews'],
  audit: ['audit'],
  chat: [
    ...['chat', 'answers', 'branches', 'chat-documents', 'composer', 'list', 'long', 'crash', 'phone', 'keyboard'],
    ...['chat-page', 'projects', 'chat-links', 'chat-media', 'tasks'],
  ],
  connections: ['connections', 'first-run', 'models', 'shared-connections'],
  deliveries: ['push', 'webhooks'],
  documents: ['documents', 'chat-documents'],
  doctor: ['doctor', 'alerts'],
  'agent-harness': ['agent-harness'],
  'durable-jobs': ['jobs', 'documents', 'local-runtime'],
  generation: ['chat', 'answers', 'crash'],
  groups: ['usage', 'sharing'],
  'local-runtime': ['local-runtime'],
  mail: ['links'],
  'media-gallery': ['gallery', 'chat-media'],
  speech: ['read-aloud', 'dictation', 'voice-mode'],
  'public-api': ['tokens'],
  'recovery-backup': ['backups'],
  scim: ['people'],
  search: ['search'],
  'tool-servers': ['tools', 'tool-content'],
  trash: ['trash'],
  settings: ['settings', 'pages'],
  'sign-in-providers': ['external', 'directory'],
  system: ['sessions', 'offline'],
  'system-diagnostics': ['system', 'alerts'],
  usage: ['usage'],
  'user-administration': ['people', 'links', 'usage'],
  'web-search': ['web-search', 'chat-documents'],
}
