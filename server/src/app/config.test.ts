import { homedir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { accountSettings } from '../core/accounts/index.ts'
import { connectionSettings } from '../core/connections/index.ts'
import { mailSettings } from '../core/mail/index.ts'
import { instanceSettings } from '../core/settings/index.ts'
import { ConfigError, configFromEnv } from './config.ts'
import { environmentVariables } from './environment.ts'

test('without any variable everything has its default', () => {
  expect(configFromEnv({})).toMatchObject({
    port: 3001,
    host: '127.0.0.1',
    dataDir: expect.stringMatching(/^\/.*\/data$/),
    databaseUrl: undefined,
    trustProxy: 0,
    logLevel: undefined,
  })
})

test('variables are read into what they mean', () => {
  const config = configFromEnv({
    PORT: ' 8080 ',
    BASE_URL: 'https://chat.example.org/',
    DATABASE_URL: 'postgres://u:p@db/atrium',
    DATABASE_POOL_SIZE: '4',
    ENABLE_SIGNUP: 'Yes',
    OLLAMA_BASE_URL: 'http://10.0.0.5:11434/',
    OUTBOUND_ALLOW: 'localhost:8000, [::1]:9000',
    LOG_LEVEL: 'WARN',
    DATA_DIR: '/srv/atrium',
  })
  expect(config).toMatchObject({
    port: 8080,
    databaseUrl: 'postgres://u:p@db/atrium',
    databasePoolSize: 4,
    logLevel: 'warn',
    dataDir: '/srv/atrium',
  })
  expect(config.baseUrl?.origin).toBe('https://chat.example.org')
  const { signupEnabled, localRuntime, privateAddresses } = instanceSettings.instance.fields
  expect(
    [signupEnabled, localRuntime, privateAddresses].map(({ variable }) => variable && config.readVariable(variable)),
  ).toEqual([true, { enabled: true, baseUrl: 'http://10.0.0.5:11434' }, ['localhost:8000', '[::1]:9000']])
})

test('an empty variable is an absent one', () => {
  expect(configFromEnv({ PORT: '', DATABASE_URL: '  ', ENABLE_SIGNUP: '' })).toMatchObject({ port: 3001 })
})

test.each([
  ['2', 2],
  ['false', 0],
  ['10.0.0.0/8, ::1', ['10.0.0.0/8', '::1']],
  ['loopback', ['loopback']],
])('TRUST_PROXY %s', (text, meant) => {
  expect(configFromEnv({ TRUST_PROXY: text }).trustProxy).toEqual(meant)
})

test('everything that is wrong is told at once, by name, without the values', () => {
  const wrong = {
    PORT: '99999',
    BASE_URL: 'ftp://x',
    DATABASE_URL: 'mysql://u:secret-word@h/d',
    DATABASE_POOL_SIZE: '1',
    ENCRYPTION_KEY: 'short-secret',
    ENABLE_SIGNUP: 'maybe',
    MFA_REQUIRED_MODE: 'sometimes',
    TRUST_PROXY: 'true',
    LOG_LEVEL: 'loud',
    METRICS_TOKEN: 'short',
    OUTBOUND_ALLOW: 'localhost',
    SESSION_DAYS: '0',
    SESSION_IDLE_HOURS: '1.5',
    WEBAUTHN_RP_ID: 'https://chat.example.org',
  }
  const error = (() => {
    try {
      configFromEnv(wrong)
    } catch (thrown) {
      return thrown as ConfigError
    }
    throw new Error('nothing was found wrong')
  })()
  expect(error).toBeInstanceOf(ConfigError)
  expect(new Set(error.problems.map((problem) => problem.split(':')[0]))).toEqual(new Set(Object.keys(wrong)))
  expect(error.message).not.toMatch(/secret/)
})

test('the sign-in of the server is used unless it is switched off, from the home of the vendor’s tool', () => {
  const { SIGNIN_OAUTH_MODELS_ENABLED, CODEX_HOME } = connectionSettings
  const said = (env: Record<string, string>) => {
    const { readVariable } = configFromEnv(env)
    return { enabled: readVariable(SIGNIN_OAUTH_MODELS_ENABLED), home: readVariable(CODEX_HOME) }
  }
  expect(said({})).toEqual({ enabled: undefined, home: undefined })
  expect(said({ SIGNIN_OAUTH_MODELS_ENABLED: 'false', CODEX_HOME: '/srv/codex' })).toEqual({
    enabled: false,
    home: '/srv/codex',
  })
  expect(said({ CODEX_HOME: '~/elsewhere' }).home).toBe(join(homedir(), 'elsewhere'))
})

test('a sign-in provider of which half is set stops the start, each variable with what it lacks', () => {
  const problems = (env: Record<string, string>): readonly string[] => {
    try {
      configFromEnv(env)
      return []
    } catch (error) {
      return (error as ConfigError).problems
    }
  }
  expect(problems({ GITHUB_CLIENT_ID: 'a', OIDC_ISSUER_URL: 'https://id.example.org', PORT: 'many' })).toEqual([
    'PORT: must be a whole number from 0 to 65535',
    'GITHUB_CLIENT_ID: needs GITHUB_CLIENT_SECRET beside it',
    'OIDC_ISSUER_URL: needs OIDC_CLIENT_ID beside it',
  ])
  expect(problems({ HUGGINGFACE_CLIENT_SECRET: 'hidden-word', OIDC_ADMIN_GROUPS: 'Chiefs' })).toEqual([
    'HUGGINGFACE_CLIENT_SECRET: needs HUGGINGFACE_CLIENT_ID beside it',
    'OIDC_ADMIN_GROUPS: needs OIDC_ISSUER_URL and OIDC_CLIENT_ID beside it',
  ])
  expect(problems({ GITHUB_CALLBACK_URL: 'https://chat.example.org/back' })).toEqual([
    'GITHUB_CALLBACK_URL: needs GITHUB_CLIENT_ID and GITHUB_CLIENT_SECRET beside it',
  ])
  const whole = { OIDC_ISSUER_URL: 'https://id.example.org', OIDC_CLIENT_ID: 'atrium', OIDC_SCOPES: 'email' }
  expect(problems({ ...whole, GITHUB_CLIENT_ID: 'a', GITHUB_CLIENT_SECRET: 'b', HUGGINGFACE_CLIENT_ID: '' })).toEqual(
    [],
  )
})

test('passkeys are for the place of the instance, or a domain above it', () => {
  const passkeys = (WEBAUTHN_RP_ID: string) =>
    configFromEnv({ WEBAUTHN_RP_ID, BASE_URL: 'https://chat.example.org' }).readVariable(accountSettings.WEBAUTHN_RP_ID)
  expect([passkeys('chat.example.org'), passkeys('example.org')]).toEqual(['chat.example.org', 'example.org'])
  for (const wrong of ['elsewhere.org', 'at.example.org', 'deep.chat.example.org'])
    expect(() => passkeys(wrong), wrong).toThrow(/WEBAUTHN_RP_ID: must be the host of BASE_URL/)
})

test('passkeys are for a name, and never for an address of numbers', () => {
  expect(configFromEnv({ WEBAUTHN_RP_ID: ' Chat.Example.org ' }).readVariable(accountSettings.WEBAUTHN_RP_ID)).toBe(
    'chat.example.org',
  )
  expect(configFromEnv({}).readVariable(accountSettings.WEBAUTHN_RP_ID)).toBeUndefined()
  for (const wrong of ['10.0.0.1', 'chat.example.org:443', '-chat', 'a..b'])
    expect(() => configFromEnv({ WEBAUTHN_RP_ID: wrong }), wrong).toThrow(ConfigError)
})

test('a password for the mail server needs the server and the name it is for', () => {
  const mail = { SMTP_HOST: 'mail.lan', SMTP_USERNAME: 'atrium', SMTP_PASSWORD: 'secret-word', SMTP_SECURITY: 'TLS' }
  const config = configFromEnv({ ...mail, BASE_URL: 'https://chat.example.org' })
  const said = Object.values(mailSettings.mail.fields).map(({ variable }) => variable && config.readVariable(variable))
  expect(said).toEqual(expect.arrayContaining(['mail.lan', 'tls', 'https://chat.example.org', 'secret-word']))
  expect(JSON.stringify(config)).not.toContain('secret-word')
  for (const missing of ['SMTP_HOST', 'SMTP_USERNAME', 'SMTP_PASSWORD'] as const) {
    const { [missing]: _, ...rest } = mail
    if (missing === 'SMTP_HOST') expect(() => configFromEnv(rest)).toThrow(/SMTP_PASSWORD: needs SMTP_HOST/)
    else expect(() => configFromEnv(rest)).toThrow(ConfigError)
  }
})

test('the user of the mail server may be given by the name that is usual elsewhere, and our own name goes first', () => {
  const mail = { SMTP_HOST: 'mail.lan', SMTP_PASSWORD: 'secret-word', SMTP_USER: 'usual' }
  const { username } = mailSettings.mail.fields
  const nameIn = (environment: Record<string, string>) => configFromEnv(environment).readVariable(username.variable!)
  expect(nameIn(mail)).toBe('usual')
  expect(nameIn({ ...mail, SMTP_USERNAME: 'own' })).toBe('own')
})

test('every variable is described once, by one sentence', () => {
  const described = environmentVariables.filter(({ about }) => about !== undefined).map(({ name }) => name)
  expect(new Set(described)).toEqual(new Set(environmentVariables.map(({ name }) => name)))
  expect(described).toHaveLength(new Set(described).size)
})
