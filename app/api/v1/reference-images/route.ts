import { keepReferenceImageOperation } from '@/lib/api/reference-image-operation'
import { resource } from '@/lib/api/resource'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = resource({
  POST: keepReferenceImageOperation,
})
