/** The environment, read once, in one place. Whatever is wrong with it is told as a whole list. */
import { isIP } from 'node:net'
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { z } from 'zod'
import type { EnvironmentProvider } from '../core/sign-in-providers/index.ts'
import type { MailEnvironment } from '../core/mail/index.ts'
import { logLevels } from '../platform/log/log.ts'
import { environmentProviders, type Half, halfProviders, providerVariables } from './sign-in-providers.ts'

/** Thrown with one line for each variable that cannot be used. */
export class ConfigError extends Error {
  readonly problems: readonly string[]
  constructor(problems: readonly string[]) {
    super(`The configuration cannot be used:\n${problems.map((problem) => `- ${problem}`).join('\n')}`)
    this.problems = problems
  }
}

/** Reads variables by name; empty ones count as absent. Throws ConfigError. Absent settings are `undefined`. */
export const configFromEnv = (env: Readonly<Record<string, string | undefined>>): Config => {
  const given = Object.fromEntries(
    Object.entries(env).filter(([, value]) => value !== undefined && value.trim() !== ''),
  )
  const result = Environment.safeParse(given)
  const unreadable = result.error?.issues.map((i) => `${i.path.join('.')}: ${i.message}`) ?? []
  const unreadableNames = new Set(result.error?.issues.map(({ path }) => path.join('.')))
  const lacking = lackingIn(given).filter((problem) => !unreadableNames.has(problem.split(':', 1)[0] ?? ''))
  if (!result.success || lacking.length > 0) throw new ConfigError([...unreadable, ...lacking])
  const read = result.data
  return {
    port: read.PORT,
    host: read.HOST,
    baseUrl: read.BASE_URL,
    dataDir: read.DATA_DIR,
    databaseUrl: read.DATABASE_URL,
    encryptionKey: read.ENCRYPTION_KEY,
    ollamaBaseUrl: read.OLLAMA_BASE_URL,
    ollamaMaxContext: read.OLLAMA_MAX_CONTEXT,
    signupEnabled: read.ENABLE_SIGNUP,
    trustProxy: read.TRUST_PROXY,
    logLevel: read.LOG_LEVEL,
    metricsToken: read.METRICS_TOKEN,
    outboundAllow: read.OUTBOUND_ALLOW,
    voiceInput: read.VOICE_INPUT,
    fullDocumentTokens: read.FULL_DOCUMENT_CONTEXT_MAX_TOKENS,
    searxngUrl: read.SEARXNG_URL,
    modelDiscoveryTtlMs: read.PLUGIN_MODEL_DISCOVERY_TTL_MS,
    modelDiscoveryRetryMs: read.PLUGIN_MODEL_DISCOVERY_RETRY_MS,
    sessionDays: read.SESSION_DAYS,
    signInProviders: environmentProviders(read),
    mail: mailFrom(read),
    sessionIdleHours: read.SESSION_IDLE_HOURS,
    webauthnRpId: read.WEBAUTHN_RP_ID,
    mfaRequiredMode: read.MFA_REQUIRED_MODE,
    auditRetentionDays: read.AUDIT_RETENTION_DAYS,
    signIn: { enabled: read.SIGNIN_OAUTH_MODELS_ENABLED, home: read.CODEX_HOME },
    environmentKey: (name) => (Object.hasOwn(given, name) ? given[name] : undefined),
  }
}

/** The configuration of this process. */
export const readConfig = (): Config => configFromEnv(process.env)

const whole = (min: number, max: number) =>
  z
    .string()
    .trim()
    .regex(/^\d+$/, `must be a whole number from ${min} to ${max}`)
    .transform(Number)
    .refine((value) => value >= min && value <= max, `must be a whole number from ${min} to ${max}`)

const yesNo = z
  .string()
  .trim()
  .toLowerCase()
  .refine((text) => /^(true|false|1|0|yes|no|on|off)$/.test(text), 'must be true or false')
  .transform((text) => /^(true|1|yes|on)$/.test(text))

const address = (protocols: RegExp, form: string) =>
  z
    .string()
    .trim()
    .transform((text) => URL.parse(text))
    .refine((url) => url !== null && protocols.test(url.protocol), `must be an address such as ${form}`)

const webAddress = (form: string) =>
  address(/^https?:$/, form)
    .transform((url) => url as URL)
    .refine((url) => url.username === '' && url.password === '', 'must not hold a user name or a password')

const absolutePath = (path: string): string => resolve(path.replace(/^~(?=\/|$)/, homedir()))

const list = z.string().transform((text) => text.split(/[\s,]+/).filter((item) => item !== ''))

/** A number of proxies, or their addresses: an address, a network (`10.0.0.0/8`), or `loopback` and its kin. */
const proxies = z.string().transform((text, context): number | string[] => {
  const plain = text.trim().toLowerCase()
  if (plain === 'false' || plain === 'no') return 0
  if (/^\d{1,2}$/.test(plain)) return Number(plain)
  const items = plain.split(/[\s,]+/).filter((item) => item !== '')
  if (items.every(isNetwork)) return items
  context.addIssue('must be the number of proxies in front, or their addresses or networks, separated by commas')
  return z.NEVER
})

const isNetwork = (text: string): boolean => {
  if (/^(loopback|linklocal|uniquelocal)$/.test(text)) return true
  const [host = '', bits, ...rest] = text.split('/')
  const version = isIP(host)
  if (version === 0 || rest.length > 0) return false
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128))
}

const Environment = z.object({
  PORT: whole(0, 65_535).default(3001),
  HOST: z
    .string()
    .trim()
    .regex(/^[^\s/]+$/, 'must be an address to listen at, such as 127.0.0.1 or 0.0.0.0')
    .default('127.0.0.1'),
  BASE_URL: webAddress('https://chat.example.org')
    .refine((url) => url.pathname === '/' && !url.search && !url.hash, 'must have no path')
    .optional(),
  DATA_DIR: z.string().trim().default('./data').transform(absolutePath),
  DATABASE_URL: address(/^postgres(ql)?:$/, 'postgres://user:password@host:5432/atrium')
    .transform((url) => (url as URL).href)
    .optional(),
  ENCRYPTION_KEY: z
    .string()
    .trim()
    .regex(/^[0-9a-fA-F]{64}$/, 'must be 64 hexadecimal digits (`openssl rand -hex 32` makes one)')
    .optional(),
  OLLAMA_BASE_URL: webAddress('http://localhost:11434')
    .transform((url) => url.href.replace(/\/+$/, ''))
    .optional(),
  OLLAMA_MAX_CONTEXT: whole(128, 10_000_000).optional(),
  ENABLE_SIGNUP: yesNo.optional(),
  TRUST_PROXY: proxies.default(0),
  LOG_LEVEL: z
    .string()
    .trim()
    .toLowerCase()
    .pipe(z.enum(logLevels, `must be one of ${logLevels.join(', ')}`))
    .optional(),
  METRICS_TOKEN: z.string().trim().min(16, 'must have at least 16 characters').optional(),
  OUTBOUND_ALLOW: list
    .refine(
      (items) => items.every((item) => /^(\[[0-9a-fA-F:.]+\]|[^\s:/@]+):\d{1,5}$/.test(item)),
      'must list host:port pairs, separated by commas',
    )
    .optional(),
  VOICE_INPUT: z
    .string()
    .trim()
    .toLowerCase()
    .pipe(z.enum(['off', 'admins', 'all-users'], 'must be off, admins or all-users'))
    .optional(),
  FULL_DOCUMENT_CONTEXT_MAX_TOKENS: whole(0, 10_000_000).default(32_000),
  SEARXNG_URL: webAddress('http://localhost:8080')
    .transform((url) => url.href.replace(/\/+$/, ''))
    .optional(),
  PLUGIN_MODEL_DISCOVERY_TTL_MS: whole(0, 30 * 24 * 60 * 60_000).optional(),
  PLUGIN_MODEL_DISCOVERY_RETRY_MS: whole(0, 30 * 24 * 60 * 60_000).optional(),
  SESSION_DAYS: whole(1, 3650).optional(),
  ...providerVariables,
  SESSION_IDLE_HOURS: whole(1, 87_600).optional(),
  WEBAUTHN_RP_ID: z
    .string()
    .trim()
    .toLowerCase()
    .regex(/^(?!-)[a-z0-9-]+(\.[a-z0-9-]+)*$/, 'must be a host name without port, such as chat.example.org')
    .refine((name) => isIP(name) === 0, 'must be a name: passkeys do not work with addresses of numbers')
    .optional(),
  MFA_REQUIRED_MODE: z
    .string()
    .trim()
    .toLowerCase()
    .pipe(z.enum(['optional', 'required'], 'must be optional or required'))
    .optional(),
  AUDIT_RETENTION_DAYS: whole(30, 3650).optional(),
  SMTP_HOST: z
    .string()
    .trim()
    .regex(/^[A-Za-z0-9.:[\]-]{1,253}$/, 'must be a host name or an address')
    .optional(),
  SMTP_PORT: whole(1, 65_535).optional(),
  SMTP_SECURITY: z
    .string()
    .trim()
    .toLowerCase()
    .pipe(z.enum(['tls', 'starttls', 'none'], 'must be tls, starttls or none'))
    .optional(),
  SMTP_USERNAME: z.string().trim().max(320).optional(),
  SMTP_PASSWORD: z.string().max(1024).optional(),
  SMTP_FROM: z.string().trim().max(320).optional(),
  SMTP_TLS_REJECT_UNAUTHORIZED: yesNo.optional(),
  SIGNIN_OAUTH_MODELS_ENABLED: yesNo.default(true),
  CODEX_HOME: z.string().trim().default('~/.codex').transform(absolutePath),
})

/** What is set without what it needs beside it; asked of the variables as they are given, so that nothing hides it. */
const lackingIn = (given: Readonly<Record<string, string | undefined>>): string[] => {
  const problems = [...halfProviders(given), ...halfMail(given)].map(
    ({ variable, needs }) => `${variable}: needs ${needs.join(' and ')} beside it`,
  )
  // Browsers make passkeys for the host that they are at, or a domain above it, and for nothing else.
  const host = URL.parse(given['BASE_URL']?.trim() ?? '')?.hostname
  const name = given['WEBAUTHN_RP_ID']?.trim().toLowerCase()
  if (host !== undefined && name !== undefined && !`.${host}`.endsWith(`.${name}`))
    problems.push('WEBAUTHN_RP_ID: must be the host of BASE_URL, or a domain above it')
  return problems
}

const halfMail = (given: Readonly<Record<string, string | undefined>>): Half[] => {
  // A password belongs to one server; without its name it could be said to any.
  const pairs = { SMTP_PASSWORD: ['SMTP_HOST', 'SMTP_USERNAME'], SMTP_USERNAME: ['SMTP_PASSWORD'] }
  return Object.entries(pairs).flatMap(([variable, beside]) => {
    const needs = beside.filter((name) => given[name] === undefined)
    return given[variable] === undefined || needs.length === 0 ? [] : [{ variable, needs }]
  })
}

const mailFrom = (read: z.output<typeof Environment>): Config['mail'] => ({
  host: read.SMTP_HOST,
  port: read.SMTP_PORT,
  security: read.SMTP_SECURITY,
  username: read.SMTP_USERNAME,
  from: read.SMTP_FROM,
  rejectUnauthorized: read.SMTP_TLS_REJECT_UNAUTHORIZED,
  appUrl: read.BASE_URL?.origin,
  password: () => read.SMTP_PASSWORD,
})

export interface Config {
  readonly port: number
  readonly host: string
  readonly baseUrl: URL | undefined
  /** Absolute. */
  readonly dataDir: string
  readonly databaseUrl: string | undefined
  readonly encryptionKey: string | undefined
  readonly ollamaBaseUrl: string | undefined
  readonly ollamaMaxContext: number | undefined
  readonly signupEnabled: boolean | undefined
  readonly trustProxy: number | readonly string[]
  /** Unset: chosen by where the log goes. */
  readonly logLevel: (typeof logLevels)[number] | undefined
  readonly metricsToken: string | undefined
  readonly outboundAllow: readonly string[] | undefined
  readonly voiceInput: 'off' | 'admins' | 'all-users' | undefined
  /** A chat that sends whole documents falls back to excerpts above this. */
  readonly fullDocumentTokens: number
  readonly searxngUrl: string | undefined
  readonly modelDiscoveryTtlMs: number | undefined
  readonly modelDiscoveryRetryMs: number | undefined
  readonly sessionDays: number | undefined
  readonly sessionIdleHours: number | undefined
  /** The name that passkeys are made for; by default the host of BASE_URL, else of the request. */
  readonly webauthnRpId: string | undefined
  /** Whether everybody needs a second factor; fixed here, or left to administrators. */
  readonly mfaRequiredMode: 'optional' | 'required' | undefined
  readonly auditRetentionDays: number | undefined
  /** What GITHUB_*, HUGGINGFACE_* and OIDC_* say. */
  readonly signInProviders: readonly EnvironmentProvider[]
  /** What SMTP_* and BASE_URL say about outgoing mail. */
  readonly mail: MailEnvironment
  /** The sign-in of the server with a vendor's subscription: whether it is used, and the home of the vendor's tool. */
  readonly signIn: { readonly enabled: boolean; readonly home: string }
  /** A key that the operator keeps in the environment; a function, so that no value is printed with the rest. */
  readonly environmentKey: (name: string) => string | undefined
}

/** Where things lie below the data folder. */
export const placesIn = (dataDir: string) => ({
  database: join(dataDir, 'atrium.db'),
  snapshots: join(dataDir, 'snapshots'),
  files: join(dataDir, 'files'),
  /** Say that a database was made here: see `data-folder.ts`. */
  markers: { sqlite: join(dataDir, 'atrium.marker'), postgres: join(dataDir, 'postgres.marker') },
})

export type Places = ReturnType<typeof placesIn>
