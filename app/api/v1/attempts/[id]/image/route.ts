import { imageAnswer } from '@/lib/api/image-answer'
import { PRIVATE, problemAnswer } from '@/lib/api/problem'
import { resource } from '@/lib/api/resource'
import { readImage } from '@/lib/use-cases/read-attempts'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = resource({
  GET: async ({ deps, request, accountId, id }) => {
    const image = await readImage(deps, accountId, id)
    return image
      ? imageAnswer(request, image, PRIVATE['cache-control'])
      : problemAnswer('not_found')
  },
})
