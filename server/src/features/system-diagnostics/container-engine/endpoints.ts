/** Where the container engine is looked for. Pure. */
import type { ProcessOwner } from '../../../platform/machine/host.ts'
import type { diagnosticsSettings } from '../settings.ts'

/** A socket file, an address without TLS, or one that is not spoken to: TLS, ssh and whatever else. */
export type ContainerEngineEndpoint =
  | { readonly type: 'socket'; readonly path: string }
  | { readonly type: 'tcp'; readonly host: string; readonly port: number }
  | { readonly type: 'unsupported' }

/** What the environment says, by the name of the variable. */
export type ContainerEngineVariables = Readonly<Record<keyof typeof diagnosticsSettings, string | undefined>>

/** Where to ask: the one place that the operator names, else the usual sockets in their order. */
export const listEndpoints = (
  { WORK_DOCKER_SOCKET: socket, DOCKER_HOST: host, DOCKER_TLS_VERIFY: tls }: ContainerEngineVariables,
  usualSockets: readonly string[],
): readonly ContainerEngineEndpoint[] => {
  if (socket !== undefined) return [parseEndpoint(socket)]
  if (host === undefined) return usualSockets.map((path) => ({ type: 'socket', path }))
  const endpoint = parseEndpoint(host)
  return [endpoint.type === 'tcp' && tls !== undefined ? { type: 'unsupported' } : endpoint]
}

/** Sockets of Docker, rootless Docker, Docker Desktop, and Podman with and without root. */
export const usualSockets = ({ uid, home }: ProcessOwner): string[] => [
  '/var/run/docker.sock',
  ...(uid === null ? [] : [`/run/user/${uid}/docker.sock`]),
  ...(home === null ? [] : [`${home}/.docker/run/docker.sock`]),
  '/run/podman/podman.sock',
  ...(uid === null ? [] : [`/run/user/${uid}/podman/podman.sock`]),
]

const parseEndpoint = (written: string): ContainerEngineEndpoint => {
  if (written.startsWith('/')) return { type: 'socket', path: written }
  const path = /^unix:\/\/(\/.+)$/i.exec(written)?.[1]
  if (path !== undefined) return { type: 'socket', path }
  const url = /^tcp:\/\//i.test(written) ? URL.parse(written) : null
  const hasMore = !url || url.username !== '' || url.search !== '' || !/^\/?$/.test(url.pathname)
  if (hasMore || url.hostname === '') return { type: 'unsupported' }
  const port = Number(url.port || '2375')
  // The port of engines that speak TLS.
  return port === 2376 ? { type: 'unsupported' } : { type: 'tcp', host: url.hostname, port }
}
