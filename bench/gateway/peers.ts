/** What is measured: the provider itself, a bare pipe, nginx, the Portkey gateway, and Atrium. */
import { type ChildProcess, execFileSync, fork, spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort, pause } from '../bed.ts'
import type { Target } from './load.ts'

export interface Peer {
  readonly name: string
  readonly target: Target
  /** null where it is several processes. */
  readonly pid: number | null
  close(): Promise<void>
}

const path = '/v1/chat/completions'
const portkeyVersion = '1.15.2'
const env = { PATH: process.env['PATH'] }

export async function startUpstream(): Promise<Peer> {
  const port = await freePort()
  const child = spawn(process.execPath, ['bench/gateway/upstream.ts'], { env: { ...env, PORT: String(port) } })
  await answers(port)
  return { name: 'direct', target: { port, path, headers: {}, model: 'bench' }, ...ending(child) }
}

export async function startPipe(upstream: Peer): Promise<Peer> {
  const port = await freePort()
  const child = spawn(process.execPath, ['bench/gateway/pipe.ts'], {
    env: { ...env, PORT: String(port), UPSTREAM: `http://127.0.0.1:${upstream.target.port}` },
  })
  await answers(port)
  return { name: 'a bare pipe', target: { ...upstream.target, port }, ...ending(child) }
}

/** null where nginx is not installed. */
export async function startNginx(upstream: Peer): Promise<Peer | null> {
  const binary = ['/usr/sbin/nginx', '/usr/bin/nginx', '/usr/local/bin/nginx'].find((file) => existsSync(file))
  if (!binary) return null
  const port = await freePort()
  const folder = mkdtempSync(join(tmpdir(), 'atrium-nginx-'))
  writeFileSync(
    join(folder, 'nginx.conf'),
    `daemon off; master_process off; error_log ${folder}/error.log; pid ${folder}/pid; worker_rlimit_nofile 8192;
events { worker_connections 4096; }
http {
  access_log off; client_body_temp_path ${folder}/b; proxy_temp_path ${folder}/p; fastcgi_temp_path ${folder}/f;
  uwsgi_temp_path ${folder}/u; scgi_temp_path ${folder}/s; keepalive_requests 100000000;
  upstream provider { server 127.0.0.1:${upstream.target.port}; keepalive 512; keepalive_requests 100000000; }
  server { listen 127.0.0.1:${port};
    location / { proxy_pass http://provider; proxy_http_version 1.1; proxy_set_header Connection ""; proxy_buffering off; } }
}`,
  )
  const child = spawn(binary, ['-c', join(folder, 'nginx.conf')], { stdio: 'ignore' })
  await answers(port)
  const { pid, close } = ending(child)
  return {
    name: 'nginx',
    target: { ...upstream.target, port },
    pid,
    close: () => close().then(() => rmSync(folder, { recursive: true, force: true })),
  }
}

/** Installed from the registry when it is measured, so that nobody who only uses Atrium carries it. */
export async function startPortkey(upstream: Peer): Promise<Peer> {
  const folder = join('node_modules', '.cache', 'bench', 'portkey')
  const start = join(folder, 'node_modules', '@portkey-ai', 'gateway', 'build', 'start-server.js')
  if (!existsSync(start)) {
    mkdirSync(folder, { recursive: true })
    const flags = ['--no-audit', '--no-fund', '--no-save', '--loglevel=error', '--prefix', folder]
    execFileSync('npm', ['install', ...flags, `@portkey-ai/gateway@${portkeyVersion}`], { stdio: 'inherit' })
  }
  const port = await freePort()
  const child = spawn(
    process.execPath,
    ['--import', './bench/gateway/lenient-headers.mjs', start, `--port=${port}`, '--headless'],
    { stdio: 'ignore', env },
  )
  await answers(port)
  const headers = {
    'x-portkey-provider': 'openai',
    'x-portkey-custom-host': `http://127.0.0.1:${upstream.target.port}/v1`,
    authorization: 'Bearer sk-bench',
  }
  return { name: `Portkey ${portkeyVersion}`, target: { port, path, headers, model: 'bench' }, ...ending(child) }
}

/** The app as it ships, with a connection to the provider and an API token for one account. */
export async function startAtrium(upstream: Peer): Promise<Peer> {
  const dataDir = mkdtempSync(join(tmpdir(), 'atrium-bench-'))
  const port = await freePort()
  const server = fork('bench/server.ts', {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    env: { ...env, PORT: String(port), DATA_DIR: dataDir, LOG_LEVEL: 'silent', BENCH_ACCOUNTS: '1' },
  })
  const { url, tokens } = await new Promise<{ url: string; tokens: string[] }>((resolve, reject) => {
    server.once('message', (message) => resolve(message as { url: string; tokens: string[] }))
    server.once('exit', (code) => reject(new Error(`Atrium ended with ${code}`)))
  })
  const call = async (at: string, body: unknown): Promise<unknown> => {
    const headers = { authorization: `Bearer ${tokens[0]}`, 'content-type': 'application/json' }
    const answer = await fetch(url + at, { method: 'POST', headers, body: JSON.stringify(body) })
    if (!answer.ok) throw new Error(`${at}: ${answer.status} ${await answer.text()}`)
    return await answer.json()
  }
  await call('/api/connections/quick', {
    name: 'bench',
    url: `http://127.0.0.1:${upstream.target.port}${path}`,
    apiKey: 'sk-bench-0123456789',
    allowPrivate: true,
  })
  const made = (await call('/api/auth/tokens', {
    name: 'bench',
    scopes: ['inference'],
    ratePerMinute: 10_000_000,
  })) as {
    token: string
  }
  const { pid, close } = ending(server)
  return {
    name: 'Atrium',
    target: { port, path, headers: { authorization: `Bearer ${made.token}` }, model: 'bench' },
    pid,
    close: () => close().then(() => rmSync(dataDir, { recursive: true, force: true })),
  }
}

async function answers(port: number): Promise<void> {
  for (let tries = 0; tries < 200; tries += 1) {
    const there = await fetch(`http://127.0.0.1:${port}/v1/models`).then(
      () => true,
      () => false,
    )
    if (there) return
    await pause(50)
  }
  throw new Error(`nothing answers on port ${port}`)
}

const ending = (child: ChildProcess) => ({
  pid: child.pid ?? null,
  close: (): Promise<void> =>
    new Promise((resolve) => {
      if (child.exitCode !== null) return resolve()
      child.once('exit', () => resolve())
      child.kill('SIGTERM')
    }),
})
