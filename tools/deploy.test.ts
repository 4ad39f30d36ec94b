/** The files for containers, services and proxies name what is there: variables, probes, files, and the doctor's lines. */
import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { systemDiagnosticsRoutes } from '@atrium/contract/system-diagnostics'
import { environmentVariables } from '../server/src/app/environment.ts'
import { proxyFixes } from '../server/src/features/doctor/proxies.ts'
import manifest from '../package.json' with { type: 'json' }

const root = new URL('../', import.meta.url)
const read = (path: string) => readFileSync(new URL(path, root), 'utf8')
const variables = new Set(environmentVariables.map(({ name }) => name))
/** What the C library and libuv read. */
const below = { MALLOC_ARENA_MAX: '2', UV_THREADPOOL_SIZE: '16' }
const known = [...variables, ...Object.keys(below)]
const probes: ReadonlySet<string> = new Set(Object.values(systemDiagnosticsRoutes).map(({ path }) => path))

const files = [
  ...['Dockerfile', 'compose.yaml', 'deploy/compose.postgres.yaml', 'deploy/systemd/atrium.service'],
  ...['deploy/nginx/atrium.conf', 'deploy/caddy/Caddyfile', 'deploy/caddy/two-processes.Caddyfile'],
  ...['deploy/traefik/traefik.yaml', 'deploy/traefik/atrium.yaml'],
]

test.each(files)('every probe in %s is a route', (path) => {
  for (const [probe] of read(path).matchAll(/\/health[\w/]*/g)) expect(probes).toContain(probe)
})

test.each(files.filter((path) => /nginx|addy|traefik/.test(path)))('%s tells Atrium what it reads', (path) => {
  for (const [, name = ''] of read(path).matchAll(/\b([A-Z]{2,}_[A-Z_]+)=/g)) expect(variables).toContain(name)
})

test.each(['tools/start.mjs', 'Dockerfile', 'deploy/systemd/atrium.service'])(
  '%s starts Atrium with as many threads and pools of memory as the others',
  (path) => {
    const text = read(path)
    for (const [name, value] of Object.entries(below))
      expect(new RegExp(`\\b${name}(?:=|: ')(\\d+)`).exec(text)?.[1], name).toBe(value)
  },
)

const pages = ['install', 'watch', 'backups', 'rotate', 'scale'].map((name) => `docs/operations/${name}.md`)
/** Of the programs that the pages are about. */
const foreign = new Set(['POSTGRES_PASSWORD', 'SITE_ADDRESS', 'ATRIUM_CLUSTER_SEED'])

test.each(pages)('%s names variables that Atrium reads, routes that are there and files that are there', (path) => {
  const text = read(path)
  const named = [...text.matchAll(/\b([A-Z]{2,}_[A-Z_]+)\b/g)].map(([, name = '']) => name)
  for (const name of named.filter((each) => !foreign.has(each))) expect(variables).toContain(name)
  for (const [probe] of text.matchAll(/\/health\/\w+/g)) expect(probes).toContain(probe)
  for (const [, link = ''] of text.matchAll(/\]\(([^)#]+)[^)]*\)/g))
    if (!link.startsWith('http')) expect(existsSync(new URL(link, new URL(path, root))), link).toBe(true)
})

describe('the Dockerfile', () => {
  const steps = read('Dockerfile')
    .replaceAll(/^#.*\n/gm, '')
    .replaceAll(/\\\n\s*/g, '')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => ({ name: line.split(' ')[0] ?? '', rest: line.slice(line.indexOf(' ') + 1) }))
  const last = steps.slice(steps.findLastIndex(({ name }) => name === 'FROM'))
  const all = (name: string, among = steps) => among.filter((step) => step.name === name).map(({ rest }) => rest)

  test('has instructions that are known, and downloads nothing but packages of the lockfile', () => {
    const known = 'FROM WORKDIR COPY RUN ENV USER VOLUME EXPOSE STOPSIGNAL HEALTHCHECK CMD'.split(' ')
    for (const { name } of steps) expect(known).toContain(name)
    for (const command of all('RUN')) expect(command).not.toMatch(/curl|wget|apt|git |npm i(nstall)?\b|npx/)
    for (const command of all('RUN').filter((line) => line.includes('npm'))) {
      expect(command).toMatch(/^npm ci /)
      expect(command).toContain('--ignore-scripts')
    }
  })

  test('runs on the version of Node that tests run on', () => {
    const images = all('FROM').map((line) => /node:(\S+)-bookworm-slim/.exec(line)?.[1])
    expect(new Set(images)).toEqual(new Set(Object.values(manifest.optionalDependencies)))
  })

  test('copies what is there, what .dockerignore lets through, and what a stage before has made', () => {
    const rules = read('.dockerignore')
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'))
    expect(rules[0]).toBe('*')
    const through = new Set(rules.filter((rule) => rule.startsWith('!')).map((rule) => rule.slice(1)))
    const stages = new Set(all('FROM').map((line) => / AS (\w+)$/.exec(line)?.[1]))
    for (const line of all('COPY')) {
      const stage = /^--from=(\w+) /.exec(line)?.[1]
      if (stage) {
        expect(stages).toContain(stage)
        continue
      }
      for (const source of line.split(' ').slice(0, -1)) {
        expect(existsSync(new URL(source, root)), source).toBe(true)
        expect(through.has(source) || through.has(source.split('/')[0] ?? ''), source).toBe(true)
      }
    }
    for (const secret of ['data', '.env', '.git', 'node_modules']) expect(through).not.toContain(secret)
  })

  test('copies the manifest of every workspace before it installs', () => {
    const installs = all('RUN').filter((line) => line.startsWith('npm ci')).length
    for (const workspace of manifest.workspaces) {
      const copies = all('COPY').filter((line) => line.startsWith(`${workspace}/package.json `))
      expect(copies, workspace).toHaveLength(installs)
    }
  })

  test('ends as a user without rights, in a folder of its own, and is asked by a program of ours', () => {
    expect(all('USER', last)).toEqual(['1001:1001'])
    expect(all('VOLUME', last)).toEqual(['/data'])
    const programs = read('tools/build-server.mjs')
    for (const line of [...all('CMD', last), ...all('HEALTHCHECK', last)]) {
      const program = /server\/dist\/(\w+)\.js/.exec(line)?.[1]
      expect(programs).toContain(`    ${program}: join(root,`)
    }
  })

  test('sets variables that are read', () => {
    for (const line of all('ENV')) for (const [, name] of line.matchAll(/(\w+)=/g)) expect(known).toContain(name)
  })
})

interface Service {
  readonly image: string
  readonly hostname?: string
  readonly environment?: Readonly<Record<string, unknown>>
  readonly env_file?: readonly { readonly path: string; readonly required: boolean }[]
  readonly ports?: readonly string[]
  readonly volumes?: readonly string[]
  readonly read_only?: boolean
  readonly stop_grace_period?: string
}
const compose = (path: string) =>
  parse(read(path), { merge: true }) as {
    services: Record<string, Service>
    volumes: Record<string, unknown>
  }

describe.each(['compose.yaml', 'deploy/compose.postgres.yaml'])('%s', (path) => {
  const { services, volumes } = compose(path)
  const ours = Object.entries(services).filter(([, { image }]) => image === 'atrium')

  test('sets variables that Atrium reads, and gives it time for what runs when it is stopped', () => {
    expect(ours.length).toBeGreaterThan(0)
    for (const [name, { environment = {}, stop_grace_period: grace = '' }] of ours) {
      for (const variable of Object.keys(environment)) expect(variables, name).toContain(variable)
      expect(Number.parseInt(grace, 10)).toBeGreaterThan(Number(environment['DRAIN_SECONDS']) + 10)
    }
  })

  test('gives Atrium every variable of .env, but for those that its own lines stand on', () => {
    const hosts = ours.map(([, { hostname }]) => hostname)
    expect(new Set(hosts).size).toBe(ours.length)
    expect(hosts).not.toContain(undefined)
    for (const [, { env_file: file, environment = {}, volumes: mounts = [] }] of ours) {
      expect(file).toEqual([{ path: '.env', required: false }])
      expect(environment).toMatchObject({ HOST: '0.0.0.0', PORT: 3001 })
      expect(mounts.map((mount) => mount.split(':')[1])).toContain(environment['DATA_DIR'])
    }
  })

  test('takes variables of .env that its first lines name, or that Atrium reads', () => {
    const text = read(path)
    const head = text.slice(0, text.indexOf('\nname:'))
    for (const [, name = ''] of text.matchAll(/\$\{(\w+)/g))
      expect(variables.has(name) || new RegExp(`^#   ${name} `, 'm').test(head), name).toBe(true)
    for (const [, name = ''] of head.matchAll(/^#   ([A-Z_]+) /gm))
      expect(variables.has(name) || text.includes(`\${${name}:`), name).toBe(true)
  })

  test('lets Atrium write nowhere but in its own folder', () => {
    for (const [, service] of ours) {
      expect(service).toMatchObject({ read_only: true, cap_drop: ['ALL'], tmpfs: ['/tmp'] })
      expect(service.volumes?.map((volume) => volume.split(':')[1])).toEqual(['/data'])
    }
  })

  test('names versions of the images of others, volumes that are declared, and files that are there', () => {
    for (const { image, volumes: mounts = [] } of Object.values(services)) {
      if (image !== 'atrium') expect(image).toMatch(/^[a-z]+:\d+(\.\d+)*$/)
      for (const source of mounts.map((mount) => mount.split(':')[0] ?? '')) {
        if (source.startsWith('.')) expect(existsSync(new URL(source, new URL(path, root))), source).toBe(true)
        else expect(volumes).toHaveProperty(source)
      }
    }
  })
})

test('the processes that share a database share the key, and have data folders of their own', () => {
  const { services } = compose('deploy/compose.postgres.yaml')
  const [first, second] = [services['atrium-1'], services['atrium-2']]
  expect(first?.environment).toEqual(second?.environment)
  expect(first?.environment).toHaveProperty('ENCRYPTION_KEY')
  expect(first?.volumes).not.toEqual(second?.volumes)
  for (const name of ['atrium-1', 'atrium-2'])
    expect(read('deploy/caddy/two-processes.Caddyfile')).toContain(`${name}:3001`)
})

describe('the systemd unit', () => {
  const unit = read('deploy/systemd/atrium.service')
  const value = (name: string) => new RegExp(`^${name}=(.*)$`, 'm').exec(unit)?.[1]

  test('sets variables that are read, and starts a program of ours', () => {
    for (const [, name] of unit.matchAll(/^Environment=(\w+)=/gm)) expect(known).toContain(name)
    expect(value('ExecStart')).toBe('/opt/atrium/node_modules/.bin/node server/dist/main.js')
    expect(value('Documentation')).toMatch(/^file:\/\/\/opt\/atrium\//)
    expect(existsSync(new URL(value('Documentation')?.replace('file:///opt/atrium/', '') ?? '', root))).toBe(true)
  })

  test('lets it write in its data folder alone, and gives it time when it is stopped', () => {
    expect(value('ProtectSystem')).toBe('strict')
    expect(unit).toContain(`DATA_DIR=/var/lib/${value('StateDirectory')}\n`)
    expect(Number(value('TimeoutStopSec'))).toBeGreaterThan(Number(/DRAIN_SECONDS=(\d+)/.exec(unit)?.[1]) + 10)
  })
})

/** The lines that the doctor prints for a proxy, without comments and indentation. */
const linesFor = (program: 'nginx' | 'Caddy') =>
  Object.values(proxyFixes)
    .flat()
    .filter((fix) => fix.program === program)
    .flatMap(({ lines }) => bareLines(lines))
const bareLines = (text: string) =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'))

test.each([
  ['nginx', 'deploy/nginx/atrium.conf'],
  ['Caddy', 'deploy/caddy/Caddyfile'],
  ['Caddy', 'deploy/caddy/two-processes.Caddyfile'],
] as const)('the recipe for %s has every line that the doctor prints for it', (program, path) => {
  // One process of the lines is one of several, by name, in the recipe for more.
  const recipe = bareLines(read(path).replace('atrium-1:3001 atrium-2:3001', '127.0.0.1:3001'))
  const printed = linesFor(program)
  expect(printed.length).toBeGreaterThan(5)
  // A block of the recipe may hold what the doctor has no need of in one line.
  for (const line of printed) expect(recipe.map((each) => each.replace(/ \{$/, ''))).toContain(line.replace(/ \{$/, ''))
})

/** Whether a value holds another somewhere in it, with at least its entries. */
const holds = (value: unknown, wanted: unknown): boolean =>
  matches(value, wanted) ||
  (typeof value === 'object' && value !== null && Object.values(value).some((each) => holds(each, wanted)))
const matches = (value: unknown, wanted: unknown): boolean =>
  typeof wanted !== 'object' || wanted === null
    ? value === wanted
    : typeof value === 'object' &&
      value !== null &&
      Object.entries(wanted).every(([key, each]) => matches((value as Record<string, unknown>)[key], each))

test('the recipe for Traefik has what the doctor prints for it', () => {
  const recipe = ['traefik', 'atrium'].map((name) => parse(read(`deploy/traefik/${name}.yaml`)) as unknown)
  const { buffering, timeout, host } = proxyFixes
  for (const fixes of [buffering, timeout, host]) {
    const lines = fixes.find(({ program }) => program === 'Traefik')?.lines ?? ''
    const wanted = parse(lines) as unknown
    expect(wanted).toBeTypeOf('object')
    expect(holds(recipe, wanted), lines).toBe(true)
  }
  expect(JSON.stringify(recipe)).not.toMatch(/buffering|compress/)
})
