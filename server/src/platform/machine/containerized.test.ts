import { expect, test } from 'vitest'
import { type ContainerTraces, isContainer } from './containerized.ts'

const none: ContainerTraces = { hasMarker: false, cgroup: '', mounts: '' }
const layered = '714 606 0:51 / / rw,relatime - overlay overlay rw,lowerdir=/var/lib/a:/var/lib/b,upperdir=/var/lib/c'
const oneFile = '728 714 254:1 /var/lib/sandbox/resolv.conf /etc/resolv.conf rw,relatime - ext4 /dev/vda1 rw'

test.each<[string, Partial<ContainerTraces>, boolean]>([
  ['a machine that tells nothing', {}, false],
  ['a file of the engine', { hasMarker: true }, true],
  ['a first process of the system', { cgroup: '0::/init.scope\n' }, false],
  ['a first process in a group of Docker', { cgroup: '12:cpu:/docker/0a1b\n0::/docker/0a1b\n' }, true],
  ['a first process in a group of Kubernetes', { cgroup: '1:name=systemd:/kubepods/besteffort/pod1\n' }, true],
  ['a root in layers with a file mounted for the container', { mounts: `${layered}\n${oneFile}\n` }, true],
  ['a root in layers alone, as live systems have it', { mounts: `${layered}\n` }, false],
  ['a file mounted over a usual root', { mounts: `1 0 254:1 / / rw - ext4 /dev/vda1 rw\n${oneFile}` }, false],
])('whether a process runs in a container is told from %s', (_, traces, expected) => {
  expect(isContainer({ ...none, ...traces })).toBe(expected)
})
