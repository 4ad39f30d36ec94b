/** Where the container engine is. Nothing but the environment says it: who may name a socket is the operator's alone. */
import { z } from 'zod'
import { declareVariables } from '../../platform/settings/index.ts'

/** Any text is taken, as other programs read these variables, too: what is not understood is told in the report. */
const text = z.string().trim()

export const diagnosticsSettings = declareVariables({
  WORK_DOCKER_SOCKET: [
    text,
    'the socket of the container engine, whose state administrators see on the page of the system',
    { usual: '`DOCKER_HOST`, else the usual sockets of Docker and Podman' },
  ],
  DOCKER_HOST: [text, 'the same, as `unix://…` or plain `tcp://…`, where `WORK_DOCKER_SOCKET` does not say'],
  DOCKER_TLS_VERIFY: [text, 'anything: `DOCKER_HOST` is spoken to with TLS, which the page of the system does not do'],
})
