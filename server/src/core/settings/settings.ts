/** What an administrator fixes for the whole instance, each in a row of its own. */
import { PlainAccessMode } from '@atrium/contract/common'
import { InstanceSettings, usualTheme } from '@atrium/contract/settings'
import { z } from 'zod'
import { type BoundSettings, defineSettings, oneOf, setting, webAddressText } from '../../platform/settings/index.ts'

const {
  signupEnabled,
  defaultTheme,
  privateAddresses,
  voiceInput,
  voiceOutput,
  voiceMode,
  voiceInputGroups,
  voiceOutputGroups,
  voiceModeGroups,
  chatLinks,
  chatLinkAudience,
  chatLinkGroups,
  artifactLinks,
  artifactLinkAudience,
  artifactLinkGroups,
  storageQuotaBytes,
  localRuntime,
} = InstanceSettings.shape

/** The address a local runtime has unless somebody moved it. */
const usualRuntimeUrl = 'http://localhost:11434'

const places = z
  .string()
  .transform((text) => text.split(/[\s,]+/).filter((item) => item !== ''))
  .refine(
    (items) => items.every((item) => /^(\[[0-9a-fA-F:.]+\]|[^\s:/@]+):\d{1,5}$/.test(item)),
    'must list host:port pairs, separated by commas',
  )

const environmentMode = oneOf(PlainAccessMode.options)

const instance = defineSettings({
  signupEnabled: setting(signupEnabled.shape.value, {
    default: false,
    env: 'ENABLE_SIGNUP',
    about: 'whether people may sign up (an administrator approves them)',
  }),
  defaultTheme: setting(defaultTheme.shape.value, { default: usualTheme }),
  privateAddresses: setting(privateAddresses.shape.value, {
    default: [],
    env: 'OUTBOUND_ALLOW',
    parse: places,
    about: 'private addresses the server may call, as `host:port,host:port`',
  }),
  voiceInput: setting(voiceInput.shape.value, {
    default: 'all-users',
    strictest: 'off',
    env: 'VOICE_INPUT',
    parse: environmentMode,
    about: 'who may use speech to text: `off`, `admins` or `all-users`',
  }),
  voiceOutput: setting(voiceOutput.shape.value, {
    default: 'all-users',
    strictest: 'off',
    env: 'TTS_ACCESS_MODE',
    parse: environmentMode,
    about: 'who may have text read aloud: `off`, `admins` or `all-users`',
  }),
  voiceMode: setting(voiceMode.shape.value, {
    default: 'all-users',
    strictest: 'off',
    env: 'VOICE_MODE_ACCESS_MODE',
    parse: environmentMode,
    about: 'who may talk with a chat, by speech to text and read aloud: `off`, `admins` or `all-users`',
  }),
  voiceInputGroups: setting(voiceInputGroups.shape.value, { default: [] }),
  voiceOutputGroups: setting(voiceOutputGroups.shape.value, { default: [] }),
  voiceModeGroups: setting(voiceModeGroups.shape.value, { default: [] }),
  chatLinks: setting(chatLinks.shape.value, {
    default: false,
    env: 'CHAT_LINKS',
    about: 'whether people may share chats by link, without an account',
  }),
  chatLinkAudience: setting(chatLinkAudience.shape.value, { default: 'all-users', strictest: 'admins' }),
  chatLinkGroups: setting(chatLinkGroups.shape.value, { default: [] }),
  artifactLinks: setting(artifactLinks.shape.value, {
    default: false,
    env: 'ARTIFACT_LINKS',
    about: 'whether people may share artifacts by link, without an account',
  }),
  artifactLinkAudience: setting(artifactLinkAudience.shape.value, { default: 'all-users', strictest: 'admins' }),
  artifactLinkGroups: setting(artifactLinkGroups.shape.value, { default: [] }),
  storageQuotaBytes: setting(storageQuotaBytes.shape.value, {
    default: 10_000_000_000,
    env: 'BLOB_QUOTA_BYTES_PER_USER',
    about: 'storage per account, in bytes; `0` means no limit',
  }),
  localRuntime: setting(localRuntime.shape.value, {
    default: { enabled: false, baseUrl: usualRuntimeUrl },
    env: 'OLLAMA_BASE_URL',
    parse: webAddressText(usualRuntimeUrl).transform((baseUrl) => ({ enabled: true, baseUrl })),
    about: 'the address of the local runtime; setting it turns the local runtime on',
  }),
})

export const instanceSettings = { instance }

export type BoundInstance = BoundSettings<typeof instance.fields>
