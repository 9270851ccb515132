import { parentPort } from 'node:worker_threads'
import { z } from 'zod'
import { drawPicture } from './art/draw'
import { PictureRequest } from './task-store'

const Job = z.object({ job: z.int(), request: PictureRequest })

// Drawing takes a second of pure arithmetic; in here it keeps nobody waiting for an answer.
parentPort?.on('message', (message: unknown) => {
  const { job, request } = Job.parse(message)
  drawPicture(request)
    .then((bytes) => parentPort?.postMessage({ job, bytes }))
    .catch((error: unknown) => parentPort?.postMessage({ job, failure: String(error) }))
})
