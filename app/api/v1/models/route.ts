import { settingsSchemaOf } from '@/lib/api/model-schema'
import { json, resource } from '@/lib/api/resource'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = resource({
  GET: ({ deps }) => {
    const data = deps.models.map((model) => ({
      id: model.id,
      name: model.name,
      provider: model.provider,
      price: model.priceCredits,
      settings: settingsSchemaOf(model),
    }))
    return Promise.resolve(json({ data, next_cursor: null }))
  },
})
