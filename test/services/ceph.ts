import { spawn, execFile, type ChildProcess } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { promisify } from 'node:util'
import type { S3Settings } from '@/lib/storage/s3-image-store'
import { findFreePort } from '@/scripts/launch/ports'

const run = promisify(execFile)
const READY_MS_MAX = 45_000
const COMMAND_MS_MAX = 45_000
const TRIES = 3
const BUCKET = 'darkroom-images'
const CREDENTIALS = { accessKeyId: 'darkroom', secretAccessKey: 'of-tests-only' }

export type Ceph = {
  readonly settings: S3Settings
  /** Ends the gateway at once; its objects stay. */
  readonly killGateway: () => Promise<void>
  readonly startGateway: () => Promise<void>
  readonly stop: () => Promise<void>
}

/**
 * A whole Ceph with its S3 gateway on this machine: one monitor, one store in memory, one gateway.
 * It is what companies run, and honours conditional puts.
 */
export async function startCeph(): Promise<Ceph> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await bringUp()
    } catch (error) {
      // Its parts find each other late now and then, and then never.
      if (tries === TRIES) throw error
      process.stderr.write(`Ceph did not start: ${String(error).slice(0, 200)}. Once more.\n`)
    }
  }
}

async function bringUp(): Promise<Ceph> {
  const folder = mkdtempSync(join(tmpdir(), 'darkroom-ceph-'))
  for (const name of ['mon', 'osd', 'rgw']) mkdirSync(join(folder, name))
  const [monitorPort, gatewayPort] = [await findFreePort(), await findFreePort()]
  const fsid = randomUUID()
  const conf = join(folder, 'ceph.conf')
  writeFileSync(conf, configuration({ folder, fsid, monitorPort, gatewayPort }))
  const children: ChildProcess[] = []
  const start = (program: string, ...args: readonly string[]): ChildProcess => {
    const log = openSync(join(folder, `${program}.out`), 'a')
    const child = spawn(program, ['-c', conf, ...args, '-f'], { stdio: ['ignore', log, log] })
    children.push(child)
    return child
  }
  const ask = (program: string, ...args: readonly string[]) =>
    run(program, ['-c', conf, ...args], { timeout: COMMAND_MS_MAX })

  const url = `http://127.0.0.1:${gatewayPort}`
  let gateway: ChildProcess | undefined
  const startGateway = async () => {
    gateway = start('radosgw', '-n', 'client.rgw')
    await answers(url, gateway)
  }
  const killGateway = async () => {
    if (!gateway || gateway.exitCode !== null) return
    gateway.kill('SIGKILL')
    await once(gateway, 'exit')
  }
  const stop = async () => {
    const living = children.filter((child) => child.exitCode === null && child.signalCode === null)
    // Nothing of it is wanted afterwards, and its own end takes long.
    for (const child of living) child.kill('SIGKILL')
    await Promise.all(living.map((child) => once(child, 'exit')))
    rmSync(folder, { recursive: true, force: true })
  }
  try {
    const monmap = join(folder, 'monmap')
    const address = `[v1:127.0.0.1:${monitorPort}]`
    await run('monmaptool', ['--create', '--addv', 'a', address, '--fsid', fsid, monmap])
    await ask('ceph-mon', '-i', 'a', '--mkfs', '--monmap', monmap)
    start('ceph-mon', '-i', 'a')
    const osd = randomUUID()
    // A monitor that has just begun knows no commands yet.
    await untilDone(() => ask('ceph', '--connect-timeout', '5', 'osd', 'new', osd, '0'))
    await ask('ceph-osd', '-i', '0', '--mkfs', '--osd-uuid', osd)
    start('ceph-osd', '-i', '0')
    await untilDone(async () => {
      const { stdout } = await ask('ceph', '--connect-timeout', '5', 'osd', 'stat')
      if (!stdout.includes('1 up')) throw new Error(`the store is not up: ${stdout}`)
    })
    const { accessKeyId, secretAccessKey } = CREDENTIALS
    const keys = [`--access-key=${accessKeyId}`, `--secret-key=${secretAccessKey}`]
    await ask('radosgw-admin', 'user', 'create', '--uid=darkroom', '--display-name=d', ...keys)
    await startGateway()
    const settings = {
      bucket: BUCKET,
      region: 'us-east-1',
      endpoint: url,
      credentials: CREDENTIALS,
      isPathStyle: true,
    }
    await createBucket(settings)
    return { settings, killGateway, startGateway, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

async function untilDone(work: () => Promise<unknown>): Promise<void> {
  for (const until = performance.now() + READY_MS_MAX; ;) {
    try {
      await work()
      return
    } catch (error) {
      if (performance.now() > until) throw error
    }
    await wait(500)
  }
}

async function createBucket(settings: S3Settings): Promise<void> {
  const { CreateBucketCommand, S3Client } = await import('@aws-sdk/client-s3')
  const { region, endpoint = '', isPathStyle } = settings
  const client = new S3Client({
    region,
    endpoint,
    credentials: CREDENTIALS,
    forcePathStyle: isPathStyle,
  })
  await client.send(new CreateBucketCommand({ Bucket: BUCKET }))
  client.destroy()
}

async function answers(url: string, child: ChildProcess): Promise<void> {
  for (const until = performance.now() + READY_MS_MAX; performance.now() < until;) {
    if (child.exitCode !== null) throw new Error(`radosgw ended with ${child.exitCode}`)
    const isThere = await fetch(url).then(
      ({ ok }) => ok,
      () => false,
    )
    if (isThere) return
    await wait(200)
  }
  throw new Error('radosgw does not answer')
}

type Places = {
  readonly folder: string
  readonly fsid: string
  readonly monitorPort: number
  readonly gatewayPort: number
}

// One copy of everything, and no keys between its parts: it lives as long as a test.
const configuration = ({ folder, fsid, monitorPort, gatewayPort }: Places): string => `[global]
fsid = ${fsid}
mon initial members = a
mon host = v1:127.0.0.1:${monitorPort}
public addr = 127.0.0.1
cluster addr = 127.0.0.1
ms bind msgr2 = false
auth cluster required = none
auth service required = none
auth client required = none
osd pool default size = 1
osd pool default min size = 1
osd pool default pg num = 1
osd pool default pgp num = 1
osd pool default pg autoscale mode = off
mon allow pool size one = true
mon max pg per osd = 2000
mon data = ${folder}/mon
mon data avail crit = 0
osd data = ${folder}/osd
osd objectstore = memstore
osd memory target = 939524096
memstore device bytes = 536870912
run dir = ${folder}
admin socket = ${folder}/$name.asok
log file = ${folder}/$name.log
pid file =
rgw data = ${folder}/rgw
rgw frontends = beast endpoint=127.0.0.1:${gatewayPort}
rgw run sync thread = false
rgw enable lc threads = false
`
