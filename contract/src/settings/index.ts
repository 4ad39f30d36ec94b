/** What a person prefers, and what an administrator fixes for the instance. */
import { z } from 'zod'
import { area } from '../area.ts'
import { AccessMode, Audience, GroupIds, ReadSource } from '../common.ts'
import { routes } from '../route.ts'
import { settingsDescription } from './area.ts'
import { preferencesRoutes } from './preference-routes.ts'
import { Preferences, PreferencesPatch, Theme } from './preferences.ts'

export { Preferences, PreferencesPatch, Theme, usualTheme } from './preferences.ts'

const sourced = <T extends z.ZodType>(value: T) =>
  z.strictObject({
    value,
    source: ReadSource,
    variable: z.string().nullable(),
  })

/** `host:port`, with the port always written. */
export const HostAndPort = z.string().regex(/^(\[[0-9a-fA-F:.]+\]|[^\s:/@]+):\d{1,5}$/, 'write it as host:port')

export const InstanceSettings = z.strictObject({
  signupEnabled: sourced(z.boolean()),
  /** How it looks for visitors, and for accounts that chose nothing. */
  defaultTheme: sourced(Theme),
  /** Private addresses that outbound calls may reach, each exactly `host:port`. */
  privateAddresses: sourced(z.array(HostAndPort)),
  /** Who may turn speech into text: by voice, and for documents that are sound. */
  voiceInput: sourced(AccessMode),
  /** Who may have text read aloud. */
  voiceOutput: sourced(AccessMode),
  /** Who may talk with a chat; it takes the two above, too. */
  voiceMode: sourced(AccessMode),
  /** The groups that these three are for, where the mode is groups. */
  voiceInputGroups: sourced(GroupIds),
  voiceOutputGroups: sourced(GroupIds),
  voiceModeGroups: sourced(GroupIds),
  /** Whether chats can be shared by links that need no account. */
  chatLinks: sourced(z.boolean()),
  /** Who may make such links, and whose work. */
  chatLinkAudience: sourced(Audience),
  chatLinkGroups: sourced(GroupIds),
  /** Whether artifacts can be shared by links that need no account. */
  artifactLinks: sourced(z.boolean()),
  artifactLinkAudience: sourced(Audience),
  artifactLinkGroups: sourced(GroupIds),
  /** Bytes of files that an account may keep; 0: as many as there is room for. */
  storageQuotaBytes: sourced(
    z
      .number()
      .int()
      .min(0)
      .max(2 ** 50),
  ),
  localRuntime: sourced(z.strictObject({ enabled: z.boolean(), baseUrl: z.url({ protocol: /^https?$/ }) })),
  /** The names of all saved settings that cannot be read, also of other areas. */
  unreadable: z.array(z.string()),
})
export type InstanceSettings = z.infer<typeof InstanceSettings>

const instanceRoutes = routes({
  instance: {
    method: 'get',
    path: '/api/settings',
    access: 'admin',
    summary: 'Get the instance settings, each with its source',
    returns: InstanceSettings,
  },
  updateInstance: {
    method: 'put',
    path: '/api/settings',
    access: 'admin',
    audit: 'setting.change',
    summary: 'Update instance settings',
    body: z.strictObject({
      signupEnabled: z.boolean().optional(),
      defaultTheme: Theme.partial().optional(),
      privateAddresses: z.array(HostAndPort).max(100).optional(),
      voiceInput: AccessMode.optional(),
      voiceOutput: AccessMode.optional(),
      voiceMode: AccessMode.optional(),
      chatLinks: z.boolean().optional(),
      artifactLinks: z.boolean().optional(),
      storageQuotaBytes: InstanceSettings.shape.storageQuotaBytes.shape.value.optional(),
    }),
    returns: InstanceSettings,
    errors: ['setting_locked'],
  },
})

export const settingsRoutes = { ...preferencesRoutes, ...instanceRoutes } as const

export const settingsArea = area(settingsDescription, {
  routes: settingsRoutes,
  shapes: { InstanceSettings, Preferences, PreferencesPatch, Theme },
})
