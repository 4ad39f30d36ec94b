/** How people sign in with the directory, as it is kept, and what is judged before it is. */
import { isIP } from 'node:net'
import { createSecureContext } from 'node:tls'
import type { LdapDraft, LdapSettings } from '@atrium/contract/sign-in-providers'
import { z } from 'zod'
import { fail } from '../../../platform/http/refusal.ts'
import { loadPackage } from '../../../platform/load-package.ts'
import { fillFilter } from './rules.ts'

const attributes = { username: 'uid', email: 'mail', displayName: 'cn', id: 'entryUUID' }
const groups = { baseDn: '', filter: '(&(objectClass=groupOfNames)(member={{dn}}))', attribute: 'cn' }

/** Sealed with the settings of the instance. */
export const SavedLdap = z.object({
  enabled: z.boolean().default(false),
  url: z.string().default(''),
  allowPlain: z.boolean().default(false),
  ca: z.string().nullable().default(null),
  bindDn: z.string().default(''),
  password: z.string().default(''),
  baseDn: z.string().default(''),
  userFilter: z.string().default('(&(objectClass=person)(uid={{username}}))'),
  attributes: z
    .object({ username: z.string(), email: z.string(), displayName: z.string(), id: z.string() })
    .default(attributes),
  groups: z.object({ baseDn: z.string(), filter: z.string(), attribute: z.string() }).default(groups),
  administratorGroups: z.array(z.string()).default([]),
  syncGroups: z.array(z.string()).default([]),
  signUp: z.enum(['off', 'pending', 'active']).default('pending'),
})
export type SavedLdap = z.infer<typeof SavedLdap>

/** A draft as it would be kept, with the password that was sent, or the one from before where that may be used. */
export const settingsOf = ({ password, ...draft }: LdapDraft, before: SavedLdap, mayKeep: boolean): SavedLdap => ({
  ...draft,
  password: draft.bindDn === '' ? '' : (password ?? (mayKeep ? before.password : '')),
})

/** Whether a draft speaks with the same server as before, and trusts it no more lightly. */
export const isSameLine = (draft: LdapDraft, { url, ca, allowPlain }: SavedLdap): boolean =>
  draft.url === url && draft.ca === ca && draft.allowPlain === allowPlain

/** Without the password, which nobody reads again. */
export const presentLdap = ({ password, ...settings }: SavedLdap): LdapSettings => ({
  ...settings,
  hasPassword: password !== '',
})

export interface DirectoryEndpoint {
  readonly host: string
  readonly port: number
  /** Encrypted from the first byte. */
  readonly secure: boolean
}

/** Where the directory is. Refuses with `directory_setting`. */
export const parseDirectoryUrl = (url: string): DirectoryEndpoint => {
  const parsed = /^ldaps?:\/\//i.test(url) ? URL.parse(url) : null
  const host = parsed?.hostname.replace(/^\[|\]$/g, '') ?? ''
  const isWhole = parsed && host !== '' && parsed.username === '' && /^\/?$/.test(parsed.pathname + parsed.search)
  if (!isWhole || !(isIP(host) || /^[A-Za-z0-9_](?:[A-Za-z0-9_.-]*[A-Za-z0-9_])?$/.test(host)))
    throw wrong('url', 'write it as ldaps://host or ldap://host, with a port where it is not the usual one')
  const secure = parsed.protocol.toLowerCase() === 'ldaps:'
  return { host, secure, port: Number(parsed.port) || (secure ? 636 : 389) }
}

/** Refuses with `directory_setting` what could never work. */
export const requireSoundLdap = (settings: SavedLdap): void => {
  if (settings.enabled || settings.url !== '') parseDirectoryUrl(settings.url)
  if (settings.enabled && settings.baseDn === '') throw wrong('baseDn', 'name the entry below which people are')
  if (!settings.userFilter.includes('{{username}}')) throw wrong('userFilter', 'put {{username}} where the name goes')
  requireFilter('userFilter', settings.userFilter)
  if (settings.groups.filter !== '') requireFilter('groups.filter', settings.groups.filter)
  const wantsGroups = settings.administratorGroups.length + settings.syncGroups.length > 0
  if (wantsGroups && settings.groups.filter === '')
    throw wrong('groups.filter', 'groups are needed, so say how to find them')
  if (settings.bindDn === '' && settings.password !== '') throw wrong('bindDn', 'a password without a name is no use')
  if (settings.bindDn !== '' && settings.password === '' && settings.enabled)
    throw wrong('password', 'a name without a password would be let in by directories as nobody')
  requireCertificate(settings.ca)
}

const requireFilter = (path: string, template: string): void => {
  try {
    loadPackage('ldapts').FilterParser.parseString(fillFilter(template, { username: 'x', dn: 'x' }))
  } catch {
    throw wrong(path, 'this is not a filter as RFC 4515 has it')
  }
}

const requireCertificate = (ca: string | null): void => {
  if (ca === null) return
  try {
    if (!ca.includes('-----BEGIN CERTIFICATE-----')) throw new TypeError('no certificate')
    createSecureContext({ ca })
  } catch {
    throw wrong('ca', 'this is not a certificate in PEM form')
  }
}

const wrong = (path: string, message: string) =>
  fail('directory_setting', undefined, [{ path: `body.${path}`, message }])
